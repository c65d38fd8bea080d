import type { Json } from "../json.ts";
import type { Span } from "../syntax-tree.ts";
import { countSteps } from "./meter.ts";

/**
 * `error`: the program failed, `value` is the error's value; only this kind can be caught by the program.
 * `budget`: it used more steps, time or space than it was given. `depth`: it called itself too deeply.
 * `option`: it needs something that the run wasn't given. `halt`: it ended itself, see `HaltError`.
 */
export type JqErrorKind = "error" | "budget" | "depth" | "option" | "halt";

/** A run that failed. Its text is that of jq. */
export class JqError extends Error {
  readonly kind: JqErrorKind;
  /** What `catch` receives. */
  readonly value: Json;
  /** The place in the program that failed; a run that failed always gives one. */
  span: Span | undefined;
  /** What `evaluate` had given out before. */
  outputsSoFar: readonly Json[] = [];

  constructor(kind: JqErrorKind, message: string, value: Json, span: Span | undefined) {
    super(message);
    this.name = "JqError";
    this.kind = kind;
    this.value = value;
    this.span = span;
  }
}

/** The end of a run by `halt` or `halt_error`. */
export class HaltError extends JqError {
  /** The exit status that the program asks for: 0 for `halt`, 5 for `halt_error` unless it gives one. */
  readonly exitStatus: number;
  /** What is to be written to the error output, exactly: nothing for `halt`. */
  readonly output: string;

  constructor(output: string, exitStatus: number, value: Json, span: Span | undefined) {
    super("halt", "The program ended itself", value, span);
    this.name = "HaltError";
    this.exitStatus = exitStatus;
    this.output = output;
  }
}

/** The engine records where it was when an error is made; that takes as long as many calls. */
export const STEPS_OF_FAILURE = 60;

/** Fails with a text. */
export function fail(message: string, span?: Span): never {
  countSteps(STEPS_OF_FAILURE);
  throw new JqError("error", message, message, span);
}
