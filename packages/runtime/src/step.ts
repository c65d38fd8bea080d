import type { Json } from "@configc/jq";
import type { Effects, RunContext } from "./effects.ts";

/** What a command sees while it runs. */
export interface Frame {
  readonly effects: Effects;
  readonly context: RunContext;
  readonly signal: AbortSignal | undefined;
  /** Initial input and outputs so far of the innermost pipe (D14); undefined outside of one. */
  readonly piped: readonly Json[] | undefined;
}

/** A command as a closure: made once, run often. Asynchronous only where it has an effect. */
export type Step = (input: Json, frame: Frame) => Json | Promise<Json>;
