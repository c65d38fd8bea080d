export { StateError } from "./driver.ts";
export { sqliteStore } from "./sqlite.ts";
