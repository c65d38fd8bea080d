import type { AppNode } from "@configc/compiler";
import { HttpFailure, isHttpFailure } from "./http-failure.ts";

/**
 * Why a run failed. `AppError` is the app's own `!error`; `JqError`, `DataError` and `HttpError` (the third party refused,
 * `status` says how) come from the command and its data, the others from what is around it: `MemoryError` from others who use the process's memory.
 */
export type RunErrorKind =
  | "AppError"
  | "JqError"
  | "DataError"
  | "HttpError"
  | "AuthError"
  | "NetworkError"
  | "LimitError"
  | "MemoryError"
  | "PlatformError"
  | "StoreError"
  | "NotSupported"
  | "NotFound"
  | "Cancelled";

interface RunErrorDetails {
  readonly cause?: unknown;
  /** HTTP status of the answer that is the reason. */
  readonly status?: number;
  /** Where in the command's jq program: UTF-16 offset in its text. */
  readonly offset?: number;
  readonly source?: SourcePlace;
  /** Of a run that was put off: milliseconds since 1970 before which no rate limit lets it pass. */
  readonly until?: number;
}

/** A place in the config for people: both count from 1, columns in UTF-16 units. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A failed run, with the place in the config. */
export class RunError extends Error {
  readonly kind: RunErrorKind;
  /** JSON Pointer of the command. */
  readonly pointer: string;
  /** UTF-16 offsets in the config's source; undefined where no command is at fault. */
  readonly span: AppNode["span"] | undefined;
  readonly status: number | undefined;
  readonly offset: number | undefined;
  /** Line and column in the config, inside a program those of the part that failed; if the app has a source map. */
  readonly source: SourcePlace | undefined;
  /** Of a run that was put off (`Cancelled`): milliseconds since 1970 before which no rate limit lets it pass. */
  readonly until: number | undefined;

  constructor(
    kind: RunErrorKind,
    message: string,
    place: AppNode | undefined,
    { cause, status, offset, source, until }: RunErrorDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "RunError";
    this.kind = kind;
    this.pointer = place?.pointer ?? "";
    this.span = place?.span;
    this.status = status;
    this.offset = offset;
    this.source = source;
    this.until = until;
  }
}

/** Why a signal was aborted, as the error of the run: a limit says so itself. */
export function abortError(signal: AbortSignal, place: AppNode | undefined): RunError {
  const { reason } = signal;
  if (reason instanceof RunError) return new RunError(reason.kind, reason.message, place);
  return new RunError("Cancelled", "The run was cancelled.", place, { cause: reason });
}

/** An error with nothing in it that must stay secret (D29); causes keep their name and text, and failures of HTTP their kind. */
export function redactedError(error: unknown, redact: (text: string) => string): unknown {
  if (!(error instanceof RunError)) {
    if (!(error instanceof Error)) return error;
    if (isHttpFailure(error))
      return new HttpFailure(error.kind, redact(error.message), undefined, error.until);
    const safe = new Error(redact(error.message));
    safe.name = error.name;
    return safe;
  }
  const { kind, message, pointer, span, cause, status, offset, source, until } = error;
  const place = span === undefined ? undefined : { pointer, span };
  const result = new RunError(kind, redact(message), place, {
    ...(cause === undefined ? {} : { cause: redactedError(cause, redact) }),
    ...(status === undefined ? {} : { status }),
    ...(offset === undefined ? {} : { offset }),
    ...(source === undefined ? {} : { source }),
    ...(until === undefined ? {} : { until }),
  });
  if (error.stack !== undefined) result.stack = redact(error.stack);
  return result;
}
