export { dryRunHttp } from "./dry-run.ts";
export { differences } from "./match.ts";
export { type Recorder, record } from "./recorder.ts";
export type {
  RecordedCall,
  RecordedExchange,
  RecordedRequest,
  RecordedResponse,
  Recording,
} from "./recording.ts";
export { type Replay, type ReplayedHttp, replay, replayHttp } from "./replay.ts";
export { sameValue } from "./same-value.ts";
