export type { CycledEffects } from "../run/plan.ts";
export type { SessionJob, Told } from "../session/messages.ts";
export { DebugRun, type DebugRunOptions } from "./debug-run.ts";
export { debugInThread } from "./thread.ts";
