import { Locks } from "./locks.ts";
import { MemoryTable } from "./memory-table.ts";
import type { Store, Transaction, Where } from "./store.ts";
import { indexes, type TableName, type Tables } from "./tables.ts";

/** A store that is gone with the process: for tests and runs from the command line. */
export function memoryStore(): Store {
  const tables = new Map<TableName, MemoryTable>();
  for (const name of Object.keys(indexes) as TableName[]) tables.set(name, new MemoryTable(indexes[name]));
  const locks = new Locks();
  const transactions = new Locks();
  // One runs at a time, so they share what they are made of.
  let undo: (() => void)[] = [];
  const operations = operationsOn(tables, (step) => void undo.push(step));
  return {
    transaction: (work) =>
      transactions.run("", async () => {
        undo = [];
        try {
          return await work(operations);
        } catch (error) {
          for (const step of undo.reverse()) step();
          throw error;
        }
      }),
    exclusive: (key, work, signal) => locks.run(key, () => work(), signal),
    async close() {
      await locks.idle();
      await transactions.idle();
    },
  };
}

/** @param changed is told how each change is undone */
function operationsOn(
  tables: ReadonlyMap<TableName, MemoryTable>,
  changed: (undo: () => void) => void,
): Transaction {
  const tableOf = (name: TableName): MemoryTable => tables.get(name) as MemoryTable;
  // A table holds rows of one type only: those that `put` took for its name.
  return {
    async get<T extends TableName>(table: T, id: string) {
      return tableOf(table).get(id) as Tables[T] | undefined;
    },
    async put(table, row) {
      changed(tableOf(table).put(row));
    },
    async delete(table, id) {
      changed(tableOf(table).delete(id));
    },
    async list<T extends TableName>(table: T, where: Where<T>, { limit }: { limit?: number } = {}) {
      return tableOf(table).list(where, limit) as unknown as readonly Tables[T][];
    },
    async count(table, where) {
      return tableOf(table).list(where).length;
    },
  };
}
