import type { TableName } from "@configc/runtime";
import { indexes, MemoryTable, type Row } from "@configc/runtime/internal";
import type { Change } from "./change.ts";

/** A row that is kept with a text. */
interface PutRow {
  readonly change: Change;
  readonly text: string;
  /** Whether the database has no row of this id; undefined as long as nobody has looked. */
  readonly isNew: boolean | undefined;
}

/** What the database has to be told of a table. */
class UnwrittenTable {
  readonly #order: MemoryTable;
  readonly #put = new Map<string, PutRow>();
  /** Ids that are to be deleted, before others are put: one that comes again then comes behind all. */
  readonly #gone = new Set<string>();

  constructor(table: TableName) {
    this.#order = new MemoryTable(indexes[table]);
  }

  add(change: Change): void {
    const { id, text, row } = change;
    const last = this.#put.get(id);
    if (text === undefined) {
      this.#order.delete(id);
      this.#put.delete(id);
      if (last?.isNew !== true) this.#gone.add(id);
      return;
    }
    this.#order.put(row as Row);
    const isNew = last === undefined && this.#gone.has(id) ? true : last?.isNew;
    this.#put.set(id, { change, text, isNew });
  }

  /** @returns null: it is deleted; undefined: it hasn't changed */
  get(id: string): string | null | undefined {
    return this.#put.get(id)?.text ?? (this.#gone.has(id) ? null : undefined);
  }

  list(where: object): PutRow[] {
    return this.#order.list(where).map(({ id }) => this.#put.get(id) as PutRow);
  }

  areNew(rows: readonly PutRow[]): void {
    for (const row of rows) this.#put.set(row.change.id, { ...row, isNew: true });
  }

  changes(table: TableName): Change[] {
    return [...[...this.#gone].map((id) => ({ table, id })), ...this.list({}).map(({ change }) => change)];
  }
}

/**
 * What the database has to be told: of each row the last change alone. An item that arrived and was delivered since is written once, one that was
 * deleted since, never.
 */
export class UnwrittenRows {
  readonly #tables = new Map<TableName, UnwrittenTable>();

  get tables(): readonly TableName[] {
    return [...this.#tables.keys()];
  }

  has(table: TableName): boolean {
    return this.#tables.has(table);
  }

  add(change: Change): void {
    let table = this.#tables.get(change.table);
    if (table === undefined) {
      table = new UnwrittenTable(change.table);
      this.#tables.set(change.table, table);
    }
    table.add(change);
  }

  /** A row as it is kept. @returns null: it is deleted; undefined: the database has it as it is */
  get(table: TableName, id: string): string | null | undefined {
    return this.#tables.get(table)?.get(id);
  }

  /** Rows with these members that were put, in the order in which they were added. */
  list(table: TableName, where: object): readonly PutRow[] {
    return this.#tables.get(table)?.list(where) ?? [];
  }

  /** Notes that the database has none of these rows. */
  areNew(table: TableName, rows: readonly PutRow[]): void {
    this.#tables.get(table)?.areNew(rows);
  }

  /** The changes of a table, in the order in which they are to be written. */
  changesOf(table: TableName): readonly Change[] {
    return this.#tables.get(table)?.changes(table) ?? [];
  }

  forget(table: TableName): void {
    this.#tables.delete(table);
  }

  /** Begins anew with these changes. */
  reset(changes: readonly Change[]): void {
    this.#tables.clear();
    for (const change of changes) this.add(change);
  }
}
