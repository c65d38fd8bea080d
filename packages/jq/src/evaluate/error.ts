import type { Json } from "../json.ts";
import type { Span } from "../syntax-tree.ts";

/**
 * `error`: the program failed, `value` is the error's value. `budget`: it used more steps, time or space
 * than it was given. `depth`: it called itself too deeply.
 */
export type JqErrorKind = "error" | "budget" | "depth";

/** A run that failed. Its text is that of jq. */
export class JqError extends Error {
  readonly kind: JqErrorKind;
  /** What `catch` receives. */
  readonly value: Json;
  /** The place in the program that failed. */
  readonly span: Span | undefined;
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

/** Fails with a text. */
export function fail(message: string, span?: Span): never {
  throw new JqError("error", message, message, span);
}
