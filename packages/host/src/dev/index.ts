export { type DevOptions, type DevRequest, type DevServer, startDev } from "./dev.ts";
