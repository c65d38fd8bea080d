export { type Item, type Items, itemsInMemory } from "./items.ts";
export { embeddedPlatform, type PlatformOptions } from "./platform.ts";
export { sqliteItems } from "./sqlite-items.ts";
