export { StateError } from "./driver.ts";
export { type SqliteWindows, sqliteWindows } from "./kept-windows.ts";
export { sqliteStore } from "./sqlite.ts";
