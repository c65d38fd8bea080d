import type { RunOptions, TraceEvent } from "@configc/runtime";
import type { Recording } from "../recording/index.ts";

/**
 * A run as a file: what it was given, what it heard, each step of it and how it ended. With the same config and the same configc it is
 * run again to the same trace, byte by byte. A `Recording` is the part of it that the world answered; that alone may be replayed
 * with another input or a changed config, a saved run is evidence of one run. No secrets (D29).
 */
export interface SavedRun {
  readonly version: 1;
  /** That saved it. */
  readonly configc: string;
  /** Digest of the config, as it was compiled; `digestOf`. */
  readonly config: string;
  /** JSON Pointer of what was run: a command, a polling intake or a workflow. */
  readonly node: string;
  readonly given: GivenToRun;
  readonly heard: Recording;
  /** If it was cancelled, or ended by a limit of time. */
  readonly cancelled?: Cancellation;
  readonly trace: readonly TraceEvent[];
  readonly outcome: SavedOutcome;
}

/** Everything that decides a run, besides the config and what it hears; the state before it stands in `context`. */
export interface GivenToRun
  extends Pick<
    RunOptions,
    | "input"
    | "context"
    | "connection"
    | "auth"
    | "place"
    | "search"
    | "idempotencyKey"
    | "answered"
    | "limits"
  > {
  /** Further ones that may get credentials (D18). */
  readonly origins?: readonly string[];
  /** Instead of `api.base_url`. */
  readonly baseUrl?: string;
  /** `host`: a run of a host, which counts the requests of all its runs together. Absent: the run's own were counted. */
  readonly quotas?: "host";
}

/** How a saved run ended: its output, or its error. */
export type SavedOutcome =
  | { readonly output: unknown }
  | {
      readonly error: {
        readonly kind: string;
        readonly message: string;
        readonly pointer: string;
        readonly status?: number;
      };
    };

/** When a run was cancelled. */
export interface Cancellation {
  /** Readings of the clock until then. */
  readonly readings: number;
  /** The effect that it waited for, counted from 1; absent if it waited for none. */
  readonly call?: number;
  /** What it was cancelled with; the kind of a `RunError`, if it is one. */
  readonly reason: { readonly kind?: string; readonly message: string };
}

/** Whether a value, read from a file, is a saved run of this version. */
export function isSavedRun(value: unknown): value is SavedRun {
  if (!isObject(value) || value["version"] !== 1) return false;
  const { configc, config, node, given, heard, trace, outcome } = value;
  return (
    [configc, config, node].every((text) => typeof text === "string") &&
    isObject(given) &&
    isRecording(heard) &&
    Array.isArray(trace) &&
    trace.every((event) => isObject(event) && typeof event["node"] === "string" && isObject(event["data"])) &&
    isObject(outcome)
  );
}

/** Whether a value, read from a file, is a recording of this version. */
export function isRecording(value: unknown): value is Recording {
  const lists = ["clock", "random", "ids", "http", "platform"];
  return (
    isObject(value) &&
    value["version"] === 1 &&
    lists.every((name) => Array.isArray(value[name])) &&
    isObject(value["credentials"])
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
