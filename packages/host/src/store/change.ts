import type { TableName } from "@configc/runtime";
import type { SqlValue } from "./driver.ts";
import { columnsOf, columnValue } from "./schema.ts";

/** What becomes of a row. */
export interface Change {
  readonly table: TableName;
  readonly id: string;
  /** As it is kept; absent where it is deleted. */
  readonly text?: string;
  /** The same, for what has a column of its own. */
  readonly row?: object;
}

/** Rows of one statement at most. To call the library costs as much as to write a row. */
const MOST_ROWS = 20;

/** Statements that make the changes, in their order. There are few kinds of them, so they can be prepared. */
export function* statementsOf(
  changes: readonly Change[],
): Generator<{ readonly sql: string; readonly values: readonly SqlValue[] }> {
  for (let from = 0, to = 0; from < changes.length; from = to) {
    const { table, text } = changes[from] as Change;
    const isAlike = (other: Change | undefined): boolean =>
      other?.table === table && (other.text === undefined) === (text === undefined);
    for (to = from + 1; to - from < MOST_ROWS && isAlike(changes[to]); ) to++;
    const alike = changes.slice(from, to);
    yield text === undefined ? deletion(table, alike) : insertion(table, alike);
  }
}

function deletion(table: TableName, changes: readonly Change[]): { sql: string; values: SqlValue[] } {
  const places = changes.map(() => "?").join(", ");
  return { sql: `DELETE FROM "${table}" WHERE id IN (${places})`, values: changes.map(({ id }) => id) };
}

/** A row that is there already keeps its place in the order. */
function insertion(table: TableName, changes: readonly Change[]): { sql: string; values: SqlValue[] } {
  const columns = columnsOf(table);
  const names = ["id", "row", ...columns.map((column) => `"by_${column}"`)];
  const updates = names.slice(1).map((name) => `${name} = excluded.${name}`);
  const places = changes.map(() => `(${names.map(() => "?").join(", ")})`);
  const values: SqlValue[] = [];
  for (const { id, text = "", row = {} } of changes)
    values.push(id, text, ...columns.map((column) => columnValue(row, column)));
  return {
    sql: `INSERT INTO "${table}" (${names.join(", ")}) VALUES ${places.join(", ")} ON CONFLICT (id) DO UPDATE SET ${updates.join(", ")}`,
    values,
  };
}
