import { DBOS } from "@dbos-inc/dbos-sdk";
import { JOURNAL } from "../engine/journal.ts";
import { type Migrated, migrate } from "../store/index.ts";

/**
 * Prepares a database for a fleet: the store, and the journal of the engine. To be called once for each version, before its workers
 * start; it does nothing where nothing is to be done.
 *
 * @throws RunError `StoreError` if a newer version wrote it, or the database can't be reached
 */
export async function migrateFleet(url: string): Promise<Migrated> {
  // DBOS's own migrations don't bear another one beside them.
  return await migrate(url, () => DBOS.migrate(url, { schemaName: JOURNAL }));
}
