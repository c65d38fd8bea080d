import type { TableName } from "@configc/runtime";

/** Rows that are remembered, and characters of the longest. */
const MOST = 256;
const LONGEST = 8 * 1024;

/**
 * Rows that were read or written last, so that what each run reads again needn't be read from the database: nobody else writes it. An item
 * is read once, so items aren't among them.
 */
export class RecentRows {
  readonly #rows = new Map<string, object | null>();

  /** @returns null: there is no such row; undefined: it isn't remembered */
  get(table: TableName, id: string): object | null | undefined {
    return table === "deliveries" ? undefined : this.#rows.get(`${table} ${id}`);
  }

  /**
   * @param row null: there is none
   * @param text of the row, as it is kept
   */
  set(table: TableName, id: string, row: object | null, text: string): void {
    if (table === "deliveries") return;
    const key = `${table} ${id}`;
    this.#rows.delete(key);
    if (text.length > LONGEST) return;
    this.#rows.set(key, row);
    if (this.#rows.size <= MOST) return;
    const [oldest] = this.#rows.keys();
    if (oldest !== undefined) this.#rows.delete(oldest);
  }

  /** What was written since may not be kept. */
  clear(): void {
    this.#rows.clear();
  }
}
