import type { Json } from "../json.ts";
import type { Span } from "../syntax-tree.ts";
import { countSteps } from "./meter.ts";
import { jsonText } from "./printing.ts";

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
  /** The name of the module whose text `span` is in; undefined for the program itself. */
  module: string | undefined = undefined;
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

/** What throwing and catching take. */
export const STEPS_OF_FAILURE = 20;

/**
 * What a program throws while it runs, and may catch itself. An `Error` would record where the engine is, which takes
 * ten times as long; `uncaught` makes one of what leaves the program.
 */
export class Failure {
  readonly span: Span | undefined;
  private known: Json | (() => Json);

  /** @param value what makes it, where a text is only needed by who looks at it */
  constructor(value: Json | (() => Json), span: Span | undefined) {
    this.known = value;
    this.span = span;
  }

  /** What `catch` receives. */
  get value(): Json {
    if (typeof this.known === "function") this.known = this.known();
    return this.known;
  }
}

/**
 * What an attempt gives instead of throwing a failure, which would take a hundred times as long; the failure itself is the
 * machine's.
 */
export const failed: unique symbol = Symbol("failed");

/** Fails with a value: a text, or whatever `error` is given. */
export function fail(value: Json, span?: Span): never {
  countSteps(STEPS_OF_FAILURE);
  throw new Failure(value, span);
}

/** Characters of a value in a message; the whole value is the error's. */
const LONG_MESSAGE = 10_000;

/** What was thrown, as a run throws it. */
export function uncaught(thrown: unknown): unknown {
  if (!(thrown instanceof Failure)) return thrown;
  const { value, span } = thrown;
  const message =
    typeof value === "string" ? value : `${jsonText(value, { enough: LONG_MESSAGE })} (not a string)`;
  return new JqError("error", message, value, span);
}
