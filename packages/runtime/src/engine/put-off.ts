import { RunError } from "../errors.ts";

/** What `sleep` of an engine throws that begins the job anew at a time: milliseconds since 1970. */
export function putOffUntil(until: number): RunError & { readonly until: number } {
  const error = new RunError("Cancelled", "The run goes on later.", undefined, { until });
  return error as RunError & { readonly until: number };
}

/** Whether a run would have waited for long, and is to be begun anew at `until`. */
export function isPutOff(error: unknown): error is RunError & { readonly until: number } {
  return error instanceof RunError && error.kind === "Cancelled" && error.until !== undefined;
}
