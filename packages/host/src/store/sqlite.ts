import {
  type ListOptions,
  Locks,
  RunError,
  type Store,
  type TableName,
  type Tables,
  type Transaction,
  type Where,
} from "@configc/runtime";
import { decodeRow, encodeRow, indexes } from "@configc/runtime/internal";
import { checkWhole, type Database, openPrepared, type Statement } from "./driver.ts";
import { columnsOf, columnValue, migrate } from "./schema.ts";

/**
 * A store in an SQLite file. It survives the end of the process at any point, and the loss of power except for what was kept
 * as not durable. A second process is refused while one has it open, however that one ends.
 *
 * @param file path; beside it there will be `FILE-wal`, `FILE-shm` and `FILE-owner`. `:memory:` is gone when it is closed.
 * @throws StateError if another process has it open or it is damaged; Error if a newer version wrote it, or there is no SQLite library
 */
export async function sqliteStore(file: string): Promise<Store> {
  const owner = file === ":memory:" ? undefined : await takePossession(`${file}-owner`);
  try {
    const database = await openPrepared(file, (opened) => {
      opened.exec("PRAGMA busy_timeout = 5000");
      opened.exec("PRAGMA journal_mode = WAL");
      checkWhole(file, opened);
      migrate(opened);
      return opened;
    });
    return new SqliteStore(database, owner);
  } catch (error) {
    owner?.close();
    throw error;
  }
}

/** An open transaction on a file of its own is a lock that the system releases when the process ends, however it ends. */
function takePossession(file: string): Promise<Database> {
  return openPrepared(file, (opened) => {
    opened.exec("PRAGMA locking_mode = EXCLUSIVE");
    opened.exec("BEGIN EXCLUSIVE");
    return opened;
  });
}

class SqliteStore implements Store {
  readonly #database: Database;
  readonly #owner: Database | undefined;
  readonly #statements = new Map<string, Statement>();
  readonly #transactions = new Locks();
  readonly #locks = new Locks();
  #durable: boolean | undefined;
  #isClosed = false;

  constructor(database: Database, owner: Database | undefined) {
    this.#database = database;
    this.#owner = owner;
  }

  transaction<R>(
    work: (transaction: Transaction) => Promise<R>,
    { durable = true }: { readonly durable?: boolean } = {},
  ): Promise<R> {
    return this.#transactions.run("", async () => {
      this.#begin(durable);
      let result: R;
      try {
        result = await work(this.#operations);
      } catch (error) {
        // A failed statement may have ended the transaction already.
        try {
          this.#database.exec("ROLLBACK");
        } catch {}
        throw error;
      }
      this.#attempt(() => this.#prepared("COMMIT").run());
      return result;
    });
  }

  exclusive<R>(key: string, work: () => Promise<R>, signal?: AbortSignal): Promise<R> {
    return this.#locks.run(key, () => work(), signal);
  }

  async close(): Promise<void> {
    await this.#locks.idle();
    await this.#transactions.idle();
    this.#isClosed = true;
    // A host that is stopped leaves one file to copy. Where that fails, the log beside it is read at the next start.
    try {
      this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {}
    this.#database.close();
    this.#owner?.close();
  }

  #begin(durable: boolean): void {
    // Another process may have it open by now, and some libraries go on writing.
    if (this.#isClosed) throw new RunError("StoreError", "The state was closed.", undefined);
    this.#attempt(() => {
      // NORMAL writes the log without waiting for the disk: only a loss of power can lose it.
      if (this.#durable !== durable)
        this.#database.exec(`PRAGMA synchronous = ${durable ? "FULL" : "NORMAL"}`);
      this.#durable = durable;
      this.#prepared("BEGIN IMMEDIATE").run();
    });
  }

  readonly #operations: Transaction = {
    get: async <T extends TableName>(table: T, id: string) => {
      const found = this.#attempt(() => this.#prepared(`SELECT row FROM "${table}" WHERE id = ?`).get(id));
      return found === undefined ? undefined : (decodeRow(String(found["row"])) as Tables[T]);
    },
    put: async (table, row) => {
      const columns = columnsOf(table);
      const names = ["id", "row", ...columns.map((column) => `"by_${column}"`)];
      const updates = names.slice(1).map((name) => `${name} = excluded.${name}`);
      const sql = `INSERT INTO "${table}" (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")}) ON CONFLICT (id) DO UPDATE SET ${updates.join(", ")}`;
      const values = columns.map((column) => columnValue(row, column));
      this.#attempt(() => this.#prepared(sql).run(row.id, encodeRow(row), ...values));
    },
    delete: async (table, id) => {
      this.#attempt(() => this.#prepared(`DELETE FROM "${table}" WHERE id = ?`).run(id));
    },
    list: async <T extends TableName>(table: T, where: Where<T>, { limit, bytes }: ListOptions = {}) => {
      const [condition, values] = conditionOf(table, where);
      const [sql, more] =
        bytes === undefined
          ? [`SELECT row FROM "${table}"${condition} ORDER BY position LIMIT ?`, []]
          : [
              `SELECT row FROM (SELECT row, position, sum(length(row)) OVER (ORDER BY position) - length(row) AS before FROM "${table}"${condition} ORDER BY position LIMIT ?) WHERE before < ? ORDER BY position`,
              [bytes],
            ];
      const rows = this.#attempt(() => this.#prepared(sql).all(...values, limit ?? -1, ...more));
      return rows.map(({ row }) => decodeRow(String(row)) as Tables[T]);
    },
    count: async (table, where) => {
      const [condition, values] = conditionOf(table, where);
      const sql = `SELECT count(*) AS found FROM "${table}"${condition}`;
      return Number(this.#attempt(() => this.#prepared(sql).get(...values))?.["found"] ?? 0);
    },
  };

  #prepared(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #attempt<R>(work: () => R): R {
    try {
      return work();
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new RunError("StoreError", `The database failed: ${message}`, undefined, { cause });
    }
  }
}

function conditionOf(table: TableName, where: object): [sql: string, values: readonly string[]] {
  const names = Object.keys(where);
  if (names.length === 0) return ["", []];
  const known: readonly (readonly string[])[] = indexes[table];
  if (!known.some((index) => index.length === names.length && index.every((name) => names.includes(name))))
    throw new Error(`There is no index of ${names.join(", ")}.`);
  const conditions = names.map((name) => `"by_${name}" = ?`).join(" AND ");
  return [` WHERE ${conditions}`, Object.values(where).map(String)];
}
