import { systemClock } from "@configc/host";
import { RunError } from "@configc/runtime";
import type { ActContext, Target } from "../../acts/index.ts";
import { journalError } from "../../engine/journal.ts";
import { Runs } from "../../runs/runs.ts";
import { postgresStore } from "../../store/index.ts";
import { withDatabase } from "../answers/database.ts";
import type { Arguments, Environment } from "../usage.ts";

/** @throws UsageError, RunError */
export async function withActs<R>(
  args: Arguments,
  environment: Environment,
  work: (context: Omit<ActContext, "why">) => Promise<R>,
): Promise<R> {
  return await withDatabase(args, environment, async ({ database, vault }) => {
    const runs = await Runs.open(database.url, database);
    const store = await postgresStore({ url: database.url, connections: 4 });
    try {
      return await work({ database, store, runs, vault, now: () => systemClock.now() });
    } catch (error) {
      throw journalError(error);
    } finally {
      await store.close();
      await runs.close();
    }
  });
}

/** An id that is mistyped is told, instead of that nothing was to be done. @throws RunError `NotFound` */
export async function checkThere(
  { database }: Pick<ActContext, "database">,
  { app, installation }: Target,
): Promise<void> {
  if (installation === undefined) return;
  const known = await database.query(
    "SELECT 1 FROM configc.installations WHERE id = $1 AND ($2::text IS NULL OR by_app = $2)",
    [installation, app ?? null],
  );
  if (known.length > 0) return;
  const whose = app === undefined ? "" : ` of \`${app}\``;
  throw new RunError("NotFound", `There is no installation \`${installation}\`${whose}.`, undefined);
}
