export type { Clock, Effects, Log, LogEntry, RunContext } from "./effects.ts";
export { RunError, type RunErrorKind } from "./errors.ts";
export { createRuntime, type RunOptions, type Runtime } from "./runtime.ts";
