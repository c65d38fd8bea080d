import { RunError } from "@configc/runtime";

/** What a failed statement means for the transaction it was part of. */
type Trouble = "conflict" | "away" | "other";

/** Two transactions that can't both be: the loser may simply run again. */
const conflicts = new Set(["40001", "40P01"]);

/** The server ends, starts, has no place, or is a standby (still); the connection was cut. Class 08 is the connection itself. */
const absences = new Set(["57P01", "57P02", "57P03", "53300", "57P05", "25P03", "25006"]);
const systemErrors = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
]);

/** The client's own errors have no code. */
const clientMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/;

/** A prepared statement isn't known, or is known already. */
const pooled = new Set(["26000", "42P05"]);
const POOLER =
  "A pooler in between gives each transaction another connection and doesn't prepare there what was prepared elsewhere: PgBouncer does so from 1.21 on, with `max_prepared_statements` above 0";

export function troubleOf(error: unknown): Trouble {
  if (!(error instanceof Error)) return "other";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (conflicts.has(code)) return "conflict";
  if (code.startsWith("08") || absences.has(code) || systemErrors.has(code)) return "away";
  return clientMessages.test(error.message) ? "away" : "other";
}

/** What failed, as the runtime tells it: a failure of the surroundings. */
export function storeError(cause: unknown, what = "The database failed"): RunError {
  if (cause instanceof RunError) return cause;
  // Several addresses that were all refused come as one error without a message.
  const first = cause instanceof AggregateError ? cause.errors[0] : cause;
  const message = first instanceof Error ? first.message : String(first);
  const code = first instanceof Error && "code" in first ? String(first.code) : "";
  const advice = pooled.has(code) ? `. ${POOLER}` : "";
  return new RunError("StoreError", `${what}: ${message}${advice}`, undefined, { cause });
}
