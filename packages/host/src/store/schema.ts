import type { TableName } from "@configc/runtime";
import { decodeRow, indexes } from "@configc/runtime/internal";
import { type Database, type SqlValue, StateError } from "./driver.ts";

/** Of the rows' format. Tables and indexes have no version: what is missing is made. */
const VERSION = 1;

const tableNames = Object.keys(indexes) as TableName[];

const columns = new Map(tableNames.map((table) => [table, [...new Set<string>(indexes[table].flat())]]));

/**
 * Indexes that have only the rows for which they are needed, by their columns: an item that was delivered leaves them, and there is
 * nothing to do in them when it is deleted. Others are found by another index.
 */
const partialIndexes: ReadonlyMap<string, { readonly name: string; readonly where: string }> = new Map([
  ["deliveries_installation_origin_status", { name: "deliveries_waiting", where: `"by_status" = 'waiting'` }],
]);

/** The members of a table's rows that have a column of their own, because an index needs them. */
export function columnsOf(table: TableName): readonly string[] {
  return columns.get(table) ?? [];
}

/**
 * The condition for rows with these members, with a place for each value.
 *
 * @throws Error if there is no index of them
 */
export function conditionOf(table: TableName, where: object): [sql: string, values: readonly string[]] {
  const names = Object.keys(where);
  if (names.length === 0) return ["", []];
  const known: readonly (readonly string[])[] = indexes[table];
  const index = known.find(
    (each) => each.length === names.length && each.every((name) => names.includes(name)),
  );
  if (index === undefined) throw new Error(`There is no index of ${names.join(", ")}.`);
  const conditions = names.map((name) => `"by_${name}" = ?`).join(" AND ");
  // SQLite uses a partial index only if its own condition is there as it stands.
  const partial = partialIndexes.get(`${table}_${index.join("_")}`);
  const isIn = partial !== undefined && (where as { readonly status?: string }).status === "waiting";
  return [` WHERE ${conditions}${isIn ? ` AND ${partial.where}` : ""}`, Object.values(where).map(String)];
}

/** The value of a row's column. */
export function columnValue(row: object, column: string): SqlValue {
  const value = (row as Readonly<Record<string, unknown>>)[column];
  return value === undefined || value === null ? null : String(value);
}

/** The steps from each version of the rows to the next; the first makes version 2 of version 1. */
const migrations: readonly ((database: Database) => void)[] = [];

/**
 * Makes the database what this version needs, in one transaction.
 *
 * @throws StateError if a newer version wrote it
 */
export function migrate(database: Database): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
    if (version > VERSION)
      throw new StateError(
        `The database was written by a newer version of configc (format ${version}, this one knows ${VERSION}). Use that version, or another folder.`,
      );
    if (version > 0) for (const step of migrations.slice(version - 1)) step(database);
    for (const table of tableNames) reconcile(database, table);
    database.exec("CREATE TABLE IF NOT EXISTS epoch (id INTEGER PRIMARY KEY, number INTEGER NOT NULL)");
    database.exec("INSERT OR IGNORE INTO epoch (id, number) VALUES (1, 0)");
    database.exec(`PRAGMA user_version = ${VERSION}`);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/** How often it was committed: what was promised on top of one commit counts for that one alone (E260). */
export function readEpoch(database: Database): number {
  return Number(database.prepare("SELECT number FROM epoch").get()?.["number"]);
}

/** Makes the table, its columns and its indexes, as far as they are missing. */
function reconcile(database: Database, table: TableName): void {
  database.exec(
    `CREATE TABLE IF NOT EXISTS "${table}" (position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, row TEXT NOT NULL)`,
  );
  const present = new Set(
    database
      .prepare(`PRAGMA table_info("${table}")`)
      .all()
      .map(({ name }) => name),
  );
  const missing = columnsOf(table).filter((column) => !present.has(`by_${column}`));
  for (const column of missing) database.exec(`ALTER TABLE "${table}" ADD COLUMN "by_${column}" TEXT`);
  if (missing.length > 0) fill(database, table, missing);
  for (const index of indexes[table]) {
    const name = `${table}_${index.join("_")}`;
    const partial = partialIndexes.get(name);
    // An older version has made it for all rows.
    if (partial !== undefined) database.exec(`DROP INDEX IF EXISTS "${name}"`);
    const columns = index.map((column) => `"by_${column}"`).join(", ");
    database.exec(
      partial === undefined
        ? `CREATE INDEX IF NOT EXISTS "${name}" ON "${table}" (${columns}, position)`
        : `CREATE INDEX IF NOT EXISTS "${partial.name}" ON "${table}" (${columns}, position) WHERE ${partial.where}`,
    );
  }
}

function fill(database: Database, table: TableName, columns: readonly string[]): void {
  const assignments = columns.map((column) => `"by_${column}" = ?`).join(", ");
  const update = database.prepare(`UPDATE "${table}" SET ${assignments} WHERE id = ?`);
  for (const { id, row } of database.prepare(`SELECT id, row FROM "${table}"`).all()) {
    const decoded = decodeRow(String(row)) as object;
    update.run(...columns.map((column) => columnValue(decoded, column)), id ?? null);
  }
}
