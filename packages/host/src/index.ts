// A host: one process that serves an app's customers.

export { createHost, type HostOptions } from "./host.ts";
export type { Host, HostingOptions, ScheduleOptions } from "./hosting-types.ts";
export { keyFile } from "./key-file.ts";
export type { Observe, ObservedRun } from "./observe.ts";
export type { JobReport } from "./scheduler/scheduler.ts";
export { tryNow } from "./scheduler/try-now.ts";

// What it is made of: effects for Node, a store, an engine, a platform to try with.

export { type CredentialsFile, CredentialsFileError, credentialsFile } from "./credentials/file.ts";
export { credentialsInMemory } from "./credentials/memory.ts";
export { nodeEffects, stderrLog, systemClock, systemRandom } from "./effects.ts";
export { EmbeddedEngine } from "./engine/embedded.ts";
export * from "./http/index.ts";
export * from "./memory/index.ts";
export * from "./platform/index.ts";
export { StateError, sqliteStore } from "./store/index.ts";

// Customers connect, webhooks come in.

export * from "./listener/index.ts";
export * from "./login/index.ts";

// For who operates it: what fails and why, and what can be done.

export * from "./acts/index.ts";
export * from "./answers/index.ts";

// Runs that are recorded, saved and repeated.

export {
  differences,
  type RecordedCall,
  type RecordedExchange,
  type RecordedRequest,
  type RecordedResponse,
  type Recorder,
  type Recording,
  type Replay,
  type ReplayedHttp,
  record,
  replay,
  replayHttp,
} from "./recording/index.ts";
export { openSavedRun, type SaveRunsOptions, type SavingRuns } from "./saved-run/host-runs.ts";
export {
  type Cancellation,
  type Departure,
  type FinishedRun,
  type GivenToRun,
  isSavedRun,
  type ReplayedRun,
  type ReplayRunOptions,
  replayRun,
  type SavedOutcome,
  type SavedRun,
  type SaveRunOptions,
  saveRun,
} from "./saved-run/index.ts";
