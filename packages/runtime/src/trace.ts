/**
 * One thing that happened in a run. Events are flat and only appended; a tree, recordings and telemetry are views of them.
 * Values are redacted when captured, and cut at a size.
 */
export interface TraceEvent {
  /** Ascending from 1. */
  readonly id: number;
  /** The event around it; 0 for the first. */
  readonly parent: number;
  /** JSON Pointer of the command; empty where none is meant. */
  readonly node: string;
  /** Milliseconds since 1970. */
  readonly t: number;
  readonly kind: TraceKind;
  readonly data: unknown;
}

/**
 * `step` begins a command (`{input}`), `end` closes it (`{output}` or `{error}`), `request` and `response` are one exchange,
 * `wait` is a rate limit or a retry (`{reason, milliseconds}`), `note` anything else worth telling (`truncated`, a save …).
 */
export type TraceKind = "step" | "end" | "request" | "response" | "wait" | "note";

/** Collects the events of one run. */
export interface Tracer {
  /** @returns the event's id, for `parent` of what happens in it */
  event(parent: number, node: string, kind: TraceKind, data: unknown): number;
  /** Text that must not appear in any event, error or recording, from now on (D29). */
  secret(text: string): void;
  /** The text without secrets, in any usual encoding. */
  redact(text: string): string;
}
