export type { Departure } from "./departure.ts";
export { type ReplayedRun, type ReplayRunOptions, replayRun } from "./replay.ts";
export { type FinishedRun, type SaveRunOptions, saveRun } from "./save.ts";
export {
  type Cancellation,
  type GivenToRun,
  isRecording,
  isSavedRun,
  type SavedOutcome,
  type SavedRun,
} from "./saved-run.ts";
