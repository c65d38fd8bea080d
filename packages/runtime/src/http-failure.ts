/**
 * Why an exchange gave no response. `unavailable`: the host leaves the service alone for now, and hasn't sent it. `web-page` is the
 * runtime's own word for an answer that is no data (E74).
 */
export type HttpFailureKind =
  | "network"
  | "timeout"
  | "too-large"
  | "refused-address"
  | "unavailable"
  | "web-page";

/** An exchange that gave no response. */
export class HttpFailure extends Error {
  readonly kind: HttpFailureKind;
  /** Of what is `unavailable`: until when nothing is sent there, in milliseconds since 1970. */
  readonly until: number | undefined;
  constructor(kind: HttpFailureKind, message: string, cause?: unknown, until?: number) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "HttpFailure";
    this.kind = kind;
    this.until = until;
  }
}

/** Whether an error is a `HttpFailure`; also of another copy of this package, as in a bundled app. */
export function isHttpFailure(error: unknown): error is HttpFailure {
  return (
    error instanceof HttpFailure ||
    (error instanceof Error && error.name === "HttpFailure" && "kind" in error)
  );
}
