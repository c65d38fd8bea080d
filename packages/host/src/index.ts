export * from "./acts/index.ts";
export * from "./answers/index.ts";
export type { Circuit, SharedCircuits } from "./circuits/index.ts";
export { type CredentialsFile, CredentialsFileError, credentialsFile } from "./credentials/file.ts";
export { credentialsInMemory } from "./credentials/memory.ts";
export * from "./dev/index.ts";
export {
  nodeEffects,
  stderrLog,
  systemClock,
  systemRandom,
} from "./effects.ts";
export { EmbeddedEngine } from "./engine/embedded.ts";
export { fairPart, mostInAll, mostOf } from "./engine/places.ts";
export { createHost, type HostOptions } from "./host.ts";
export { hostOn } from "./hosting.ts";
export type { Host, HostingOptions, HostParts, RuntimeOf, ScheduleOptions } from "./hosting-types.ts";
export * from "./http/index.ts";
export { sourceFromHeader } from "./incoming/source.ts";
export { keyFile } from "./key-file.ts";
export * from "./listener/index.ts";
export * from "./login/index.ts";
export * from "./memory/index.ts";
export { type Observe, type ObservedRun, unobserved } from "./observe.ts";
export * as pages from "./pages/index.ts";
export * from "./platform/index.ts";
export * from "./recording/index.ts";
export { openSavedRun, type SaveRunsOptions, type SavingRuns, savingRunsBy } from "./saved-run/host-runs.ts";
export * from "./saved-run/index.ts";
export { type Candidate, type Candidates, candidatesOf } from "./scheduler/look.ts";
export type { Looked } from "./scheduler/looked.ts";
export type { JobReport } from "./scheduler/scheduler.ts";
export { tryNow } from "./scheduler/try-now.ts";
export { type Versions, versionOf } from "./scheduler/versions.ts";
export { StateError, sqliteStore } from "./store/index.ts";
export * from "./test-case/index.ts";
