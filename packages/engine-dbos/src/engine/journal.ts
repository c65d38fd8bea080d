import { RunError } from "@configc/runtime";
import pg from "pg";
import { storeError } from "../postgres/errors.ts";

/** Version of what runs consist of: a run ends on the version that it began with. To be raised when steps get other names. */
export const ABI = "configc-1";

/** Schema of the database in which the engine keeps its journal. */
export const JOURNAL = "dbos";

/** Of Postgres: a table or a column that isn't there. */
const missing: ReadonlySet<string> = new Set(["42P01", "42703"]);

/** What failed with the journal, as the runtime tells it: DBOS would have operators call a tool of its own. */
export function journalError(error: unknown): unknown {
  if (error instanceof RunError || !(error instanceof Error)) return error;
  const isOlder = error instanceof pg.DatabaseError && missing.has(error.code ?? "");
  if (isOlder || /is at schema version \d+, but this version/.test(error.message))
    return new RunError(
      "StoreError",
      "The journal of runs isn't there, or is that of an older version. Run `configc-host migrate`.",
      undefined,
      { cause: error },
    );
  return "code" in error ? storeError(error) : error;
}
