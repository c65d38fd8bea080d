export { type CredentialsFile, CredentialsFileError, credentialsFile } from "./credentials/file.ts";
export { credentialsInMemory } from "./credentials/memory.ts";
export * from "./dev/index.ts";
export {
  nodeEffects,
  stderrLog,
  systemClock,
  systemRandom,
} from "./effects.ts";
export { createHost, type Host, type HostOptions, type ScheduleOptions } from "./host.ts";
export * from "./http/index.ts";
export { keyFile } from "./key-file.ts";
export * from "./login/index.ts";
export * from "./platform/index.ts";
export * from "./recording/index.ts";
export type { JobReport } from "./scheduler/scheduler.ts";
export { sqliteStore } from "./store/index.ts";
