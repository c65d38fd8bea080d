export { declarationsOf } from "./declarations.ts";
