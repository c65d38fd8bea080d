import { RunError, type Store, type TableName, type Vault } from "@configc/runtime";
import { resealedRow, sealedBy, sealedTables } from "@configc/runtime/internal";
import type { Queries } from "../postgres/types.ts";
import { forgetOtherKeys } from "../stories/index.ts";
import { appLabel } from "./versions.ts";

/** How far it is. */
export interface Resealing {
  /** `apps` are the published versions. */
  readonly table: TableName | "apps";
  /** Rows that were looked at. */
  readonly seen: number;
  /** Of them, those that were sealed by another key and are now by that in use. */
  readonly sealed: number;
}

interface Resealed {
  readonly sealed: number;
  /** Rows that no key opens which was given: table and id. */
  readonly closed: readonly string[];
  /** Slots of live workers that seal with another key. */
  readonly others: readonly string[];
}

interface ResealOptions {
  readonly database: Queries;
  readonly store: Store;
  readonly vault: Vault;
  /** Is told after each batch; what it throws ends it. What was done by then is done. */
  readonly progress?: (how: Resealing) => void;
  /** Rows that are looked at by one statement. Default 1,000. */
  readonly batch?: number;
}

/** Rows that are changed at once. */
const AT_ONCE = 8;

interface Line {
  readonly table: TableName;
  /** Of rows after the first value, with as many as the second says. */
  readonly sql: string;
  readonly values: readonly string[];
}

/**
 * Seals all that is kept with the key in use (E49). It can be ended at any time and begun again: what was done isn't done again. Workers go on meanwhile.
 *
 * @throws RunError `StoreError` if the database stays away
 */
export async function reseal(options: ResealOptions): Promise<Resealed> {
  const { database, vault } = options;
  const closed: string[] = [];
  const before = await otherKeys(database, vault);
  let all = await resealApps(options, closed);
  for (const line of await lines(database)) all += await resealRows(options, line, closed);
  // They are kept for a day or so: nobody misses them for as long as it takes to seal them anew.
  await forgetOtherKeys(database, await vault.name());
  // One that began meanwhile may have sealed something by then.
  const others = new Set([...before, ...(await otherKeys(database, vault))]);
  return { sealed: all, closed, others: [...others] };
}

/** Items have something sealed only while they wait, or once they failed: all others needn't be looked at. */
async function lines(database: Queries): Promise<readonly Line[]> {
  const apps = await database.query<{ app: string }>(
    "SELECT DISTINCT by_app AS app FROM configc.installations",
  );
  const found: Line[] = [];
  for (const table of sealedTables) {
    if (table === "deliveries")
      for (const { app } of apps)
        for (const status of ["waiting", "failed"])
          found.push({
            table,
            sql: `SELECT id, position::text AS after, row LIKE '%"$sealed"%' AS sealed FROM configc.deliveries
              WHERE by_app = $3 AND by_status = $4 AND position > $1::bigint ORDER BY position LIMIT $2`,
            values: [app, status],
          });
    else
      found.push({
        table,
        sql: `SELECT id, id AS after, true AS sealed FROM configc.${table} WHERE id > $1 ORDER BY id LIMIT $2`,
        values: [],
      });
  }
  return found;
}

async function resealRows(
  { database, store, vault, progress, batch = 1_000 }: ResealOptions,
  { table, sql, values }: Line,
  closed: string[],
): Promise<number> {
  let [seen, sealed] = [0, 0];
  let after = table === "deliveries" ? "0" : "";
  for (;;) {
    const rows = await database.query<{ id: string; after: string; sealed: boolean }>(sql, [
      after,
      batch,
      ...values,
    ]);
    const line = rows.filter((row) => row.sealed).map(({ id }) => id);
    const work = async (): Promise<void> => {
      for (let id = line.shift(); id !== undefined; id = line.shift())
        if (await resealOne(store, vault, table, id, closed)) sealed++;
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    seen += rows.length;
    after = rows.at(-1)?.after ?? after;
    if (rows.length > 0) progress?.({ table, seen, sealed });
    if (rows.length < batch) return sealed;
  }
}

async function resealOne(
  store: Store,
  vault: Vault,
  table: TableName,
  id: string,
  closed: string[],
): Promise<boolean> {
  try {
    return await store.transaction(async (transaction) => {
      const row = await transaction.get(table, id);
      const changed = row === undefined ? undefined : await resealedRow(vault, table, row);
      if (changed !== undefined) await transaction.put(table, changed);
      return changed !== undefined;
    });
  } catch (error) {
    if (!isClosed(error)) throw error;
    closed.push(`${table} ${id}`);
    return false;
  }
}

async function resealApps({ database, vault, progress }: ResealOptions, closed: string[]): Promise<number> {
  const rows = await database.query<{ version: string; app: string }>(
    "SELECT version, app FROM configc.apps",
  );
  const current = await vault.name();
  let sealed = 0;
  for (const { version, app } of rows) {
    const key = sealedBy(app);
    if (key === undefined || key === current) continue;
    try {
      const label = appLabel(version);
      const anew = await vault.seal(await vault.open(app, label), label);
      await database.query("UPDATE configc.apps SET app = $2 WHERE version = $1 AND app = $3", [
        version,
        anew,
        app,
      ]);
      sealed++;
    } catch (error) {
      if (!isClosed(error)) throw error;
      closed.push(`apps ${version}`);
    }
  }
  progress?.({ table: "apps", seen: rows.length, sealed });
  return sealed;
}

/** Live workers that seal with another key; of those of an earlier version nobody knows. */
async function otherKeys(database: Queries, vault: Vault): Promise<readonly string[]> {
  const rows = await database.query<{ slot: string }>(
    "SELECT slot FROM configc.workers WHERE key IS DISTINCT FROM $1 AND seen > clock_timestamp() - interval '1 minute' ORDER BY slot",
    [await vault.name()],
  );
  return rows.map(({ slot }) => slot);
}

function isClosed(error: unknown): boolean {
  return error instanceof RunError && error.kind === "StoreError" && /can't be opened/.test(error.message);
}
