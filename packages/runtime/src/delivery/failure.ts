import { RunError } from "../errors.ts";
import type { Failure } from "../store/tables.ts";

/**
 * Whether something failed for its own reasons, so that trying it again as it is would fail again (D35). The others are failures
 * of the surroundings: credentials, network, memory that others use, a service that is overloaded or down, platform, store, cancelling.
 */
export function isOwnFailure(error: unknown): boolean {
  if (!(error instanceof RunError)) return true;
  switch (error.kind) {
    case "HttpError":
      // Below 300 it is a web page: a notice of maintenance, most likely (E74).
      return (
        error.status === undefined || (error.status >= 300 && error.status < 500 && error.status !== 429)
      );
    case "AuthError":
    case "NetworkError":
    case "MemoryError":
    case "PlatformError":
    case "StoreError":
    case "Cancelled":
      return false;
    default:
      return true;
  }
}

export function isCancelled(error: unknown): boolean {
  return error instanceof RunError && error.kind === "Cancelled";
}

/**
 * An error as it is kept. The runtime has taken the secrets out of it.
 *
 * @param version of the app, if the host names it
 */
export function failureOf(error: unknown, at: number, version?: string): Failure {
  const made = { at, ...(version === undefined ? {} : { version }) };
  if (error instanceof RunError) {
    const { kind, message, pointer, status } = error;
    return { kind, message, pointer, ...made, ...(status === undefined ? {} : { status }) };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "Error", message, pointer: "", ...made };
}
