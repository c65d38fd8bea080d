export { CredentialsFileError, credentialsFile } from "./credentials/file.ts";
export { credentialsInMemory } from "./credentials/memory.ts";
export {
  nodeEffects,
  stderrLog,
  systemClock,
  systemRandom,
} from "./effects.ts";
export { createHost, type Host, type HostOptions } from "./host.ts";
export * from "./http/index.ts";
export * from "./platform/index.ts";
export * from "./recording/index.ts";
