import type { indexes, TableName, Tables } from "./tables.ts";

/**
 * Where everything is kept that has to outlive a run. Any number of runs may use it at once. A store of one machine is open in one
 * process; one of a fleet in any number of them.
 */
export interface Store {
  /**
   * Runs a transaction: all of it is kept, or nothing if it throws. It is as if one ran at a time; they may really do, so it must wait
   * for nothing but the transaction's own calls; one inside another waits for ever.
   *
   * @param work may run again, from the start, if it came into conflict with others or the connection was cut: all that it does must be done
   * by the transaction or be in what it returns. A write that fails may say so only at the end.
   * @param options.durable false: it may be lost if the machine (not the process) stops; faster. Default true.
   * @throws what `work` throws; `StoreError` if it can't be kept
   */
  transaction<R>(
    work: (transaction: Transaction) => Promise<R>,
    options?: { readonly durable?: boolean },
  ): Promise<R>;
  /**
   * Runs something that only one may do at a time, over all processes, such as a polling cycle; the others wait in a line. Not reentrant.
   *
   * @param work is given a signal, if the lock can be lost at all, that ends when it is to another process, because this one stood still or couldn't reach the
   * database. Its transactions are then refused with `StoreError`: what the next holder does can't be overwritten.
   * @param signal ends the waiting, not the work
   */
  exclusive<R>(key: string, work: (lost?: AbortSignal) => Promise<R>, signal?: AbortSignal): Promise<R>;
  /** Waits for what is under way. Nothing may be called afterwards. */
  close(): Promise<void>;
}

/** Reads and writes of a store that take effect together, or not at all. */
export interface Transaction {
  get<T extends TableName>(table: T, id: string): Promise<Tables[T] | undefined>;
  /** Adds a row, or replaces that of the same id, which keeps its place in the order. */
  put<T extends TableName>(table: T, row: Tables[T]): Promise<void>;
  delete(table: TableName, id: string): Promise<void>;
  /**
   * Rows with these members, in the order in which they were added.
   *
   * @param where the members of one of the table's indexes; `{}` for all
   * @param options.bytes ends behind the row with which the rows come to so many: there is one at least. A store that has them in memory anyway needn't count.
   */
  list<T extends TableName>(table: T, where: Where<T>, options?: ListOptions): Promise<readonly Tables[T][]>;
  count<T extends TableName>(table: T, where: Where<T>): Promise<number>;
}

/** How many rows are read at once. */
export interface ListOptions {
  readonly limit?: number;
  readonly bytes?: number;
}

type Index<T extends TableName> = (typeof indexes)[T][number];

/** The members of one index of a table, or none. */
export type Where<T extends TableName> =
  | { readonly [K in never]: never }
  | (Index<T> extends infer I
      ? I extends readonly (infer K)[]
        ? { readonly [M in K & keyof Tables[T]]: NonNullable<Tables[T][M]> }
        : never
      : never);
