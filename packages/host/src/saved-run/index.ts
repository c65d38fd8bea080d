export type { Departure } from "./departure.ts";
export { digestOf } from "./digest.ts";
export { changesSince, type ReplayedRun, type ReplayRunOptions, replayRun } from "./replay.ts";
export { type FinishedRun, type SaveRunOptions, saveRun } from "./save.ts";
export {
  type Cancellation,
  type GivenToRun,
  isRecording,
  isSavedRun,
  type SavedOutcome,
  type SavedRun,
} from "./saved-run.ts";
