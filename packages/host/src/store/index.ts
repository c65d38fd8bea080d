export { sqliteStore } from "./sqlite.ts";
