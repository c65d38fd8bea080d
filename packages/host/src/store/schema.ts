import type { TableName } from "@configc/runtime";
import { decodeRow, indexes } from "@configc/runtime/internal";
import { type Database, type SqlValue, StateError } from "./driver.ts";

/** Of the rows' format. Tables and indexes have no version: what is missing is made. */
const VERSION = 1;

const tableNames = Object.keys(indexes) as TableName[];

const columns = new Map(tableNames.map((table) => [table, [...new Set<string>(indexes[table].flat())]]));

/** The members of a table's rows that have a column of their own, because an index needs them. */
export function columnsOf(table: TableName): readonly string[] {
  return columns.get(table) ?? [];
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
    const columns = index.map((column) => `"by_${column}"`).join(", ");
    database.exec(
      `CREATE INDEX IF NOT EXISTS "${table}_${index.join("_")}" ON "${table}" (${columns}, position)`,
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
