/**
 * The entry `@configc/host/portable`: what needs neither Node nor a network, for pages that run apps on recorded answers.
 */
export { credentialsInMemory } from "../credentials/memory.ts";
export { embeddedPlatform, type PlatformOptions } from "../platform/platform.ts";
export * from "../recording/index.ts";
export * from "../saved-run/index.ts";
export * from "../test-case/index.ts";
