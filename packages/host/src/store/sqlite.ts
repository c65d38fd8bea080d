import { randomInt } from "node:crypto";
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
import { decodeRow, encodeRow } from "@configc/runtime/internal";
import { type Change, statementsOf } from "./change.ts";
import { checkWhole, type Database, openPrepared, type Statement } from "./driver.ts";
import { PendingFile } from "./pending.ts";
import { RecentRows } from "./recent-rows.ts";
import { conditionOf, migrate, readEpoch } from "./schema.ts";
import { UnwrittenRows } from "./unwritten.ts";

/** Milliseconds after which what was promised is committed, if no other transaction does it before. */
const LONGEST_PENDING = 1_000;

/** Bytes that are promised at most before they are committed. */
const MOST_PENDING = 1024 * 1024;

/** Ids that are looked for at once. */
const MOST_IDS = 20;

/** Rows of the database that are looked at to see whether all have changed since. */
const MOST_CHANGED = 100;

/**
 * A store in an SQLite file. It survives the end of the process at any point, and the loss of power except for what was kept
 * as not durable. A second process is refused while one has it open, however that one ends.
 *
 * A transaction is promised by one record in `FILE-pending`, and committed to the database together with others a second later (E260).
 *
 * @param file path; beside it there will be `FILE-wal`, `FILE-shm`, `FILE-pending` and `FILE-owner`. `:memory:` is gone when it is closed.
 * @throws StateError if another process has it open or it is damaged; Error if a newer version wrote it, or there is no SQLite library
 */
export async function sqliteStore(file: string): Promise<Store> {
  const isFile = file !== ":memory:";
  const owner = isFile ? await takePossession(`${file}-owner`) : undefined;
  try {
    return await openPrepared(file, (opened) => {
      opened.exec("PRAGMA busy_timeout = 5000");
      opened.exec("PRAGMA journal_mode = WAL");
      opened.exec("PRAGMA synchronous = FULL");
      checkWhole(file, opened);
      migrate(opened);
      return new SqliteStore(opened, owner, isFile ? new PendingFile(`${file}-pending`) : undefined);
    });
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

/**
 * Changes are collected in memory, and written to the database in few statements: before something is read that needs both, and when they are
 * committed. Those of the running transaction come after those that were promised.
 */
class SqliteStore implements Store {
  readonly #database: Database;
  readonly #owner: Database | undefined;
  readonly #pending: PendingFile | undefined;
  readonly #statements = new Map<string, Statement>();
  readonly #transactions = new Locks();
  readonly #locks = new Locks();
  readonly #recent = new RecentRows();
  readonly #longest = new Map<TableName, number>();
  /** Of the last commit. Each counts it on, so that what is promised on top of one is never applied to another. */
  #epoch: number;
  /** Whether the database may hold a commit that failed as far as we were told: then nothing can be promised on top of it. */
  #isDoubtful = false;
  /** Since the last commit. */
  #changes: Change[] = [];
  /** How many of them were promised: all but those of the running transaction. */
  #promised = 0;
  /** Those that aren't in the transaction that is open in the database. */
  readonly #unwritten = new UnwrittenRows();
  /** Lists of which the database has no rows but those that have changed since it was written, by their conditions. */
  readonly #empty = new Set<string>();
  #isOpen = false;
  /** Of a statement in the running transaction: nothing of it is kept then, whatever was made of the failure. */
  #failure: RunError | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;
  #isClosed = false;

  /** @throws RunError `StoreError` if what was promised can't be committed; the file has it still */
  constructor(database: Database, owner: Database | undefined, pending: PendingFile | undefined) {
    this.#database = database;
    this.#owner = owner;
    this.#pending = pending;
    this.#epoch = readEpoch(database);
    try {
      this.#changes = pending?.read(this.#epoch) ?? [];
      this.#unwritten.reset(this.#changes);
      // Each opening counts on from somewhere else: what a copy of the database has promised since never passes for this one's.
      if (pending !== undefined) this.#commit(randomInt(2 ** 47));
      pending?.clear();
    } catch (error) {
      pending?.close(false);
      throw error;
    }
  }

  transaction<R>(
    work: (transaction: Transaction) => Promise<R>,
    { durable = true }: { readonly durable?: boolean } = {},
  ): Promise<R> {
    return this.#transactions.run("", async () => {
      // Another process may have it open by now, and some libraries go on writing.
      if (this.#isClosed) throw new RunError("StoreError", "The state was closed.", undefined);
      this.#failure = undefined;
      try {
        const result = await work(this.#operations);
        if (this.#failure !== undefined) throw this.#failure;
        if (this.#changes.length > this.#promised) this.#keep(durable);
        return result;
      } catch (error) {
        this.#rollBack();
        throw error;
      }
    });
  }

  exclusive<R>(key: string, work: () => Promise<R>, signal?: AbortSignal): Promise<R> {
    return this.#locks.run(key, () => work(), signal);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#locks.idle();
    await this.#transactions.run("", async () => {
      // Where that fails, what was promised is read from its file at the next start.
      try {
        this.#fold();
      } catch {}
      this.#isClosed = true;
    });
    clearTimeout(this.#timer);
    // A host that is stopped leaves one file to copy. Where that fails, the log beside it is read at the next start.
    try {
      this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {}
    this.#database.close();
    this.#pending?.close(this.#changes.length === 0);
    this.#owner?.close();
  }

  /** Keeps what the running transaction has changed. */
  #keep(durable: boolean): void {
    const pending = this.#pending;
    const changes = this.#changes.slice(this.#promised);
    const size = changes.reduce((sum, { id, text = "" }) => sum + id.length + text.length, 0);
    // Much is better written once.
    if (pending === undefined || this.#isDoubtful || size > MOST_PENDING) return this.#commit();
    let length: number;
    try {
      length = pending.append(this.#epoch, changes, durable);
    } catch {
      // The database may have room where the file has none, and tells why if it hasn't.
      return this.#commit();
    }
    this.#promised = this.#changes.length;
    // What can't be committed then is tried again with the next transaction.
    const fold = (): void => void this.#transactions.run("", async () => this.#fold()).catch(() => undefined);
    if (length > MOST_PENDING) return fold();
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      fold();
    }, LONGEST_PENDING).unref();
  }

  /** Commits what was promised, if nothing else did. */
  #fold(): void {
    if (this.#isClosed || this.#changes.length === 0) return;
    this.#failure = undefined;
    try {
      this.#commit();
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #commit(next = this.#epoch + 1): void {
    for (const table of this.#unwritten.tables) this.#write(table);
    this.#isDoubtful = true;
    this.#attempt(() => {
      this.#begin();
      this.#prepared("UPDATE epoch SET number = ?").run(next);
      this.#prepared("COMMIT").run();
    });
    this.#isDoubtful = false;
    this.#isOpen = false;
    this.#epoch = next;
    this.#changes = [];
    this.#promised = 0;
    this.#pending?.begin();
  }

  /** Brings a table up to the changes, in the transaction that is open. */
  #write(table: TableName): void {
    if (!this.#unwritten.has(table)) return;
    this.#empty.clear();
    this.#attempt(() => {
      this.#begin();
      for (const { sql, values } of statementsOf(this.#unwritten.changesOf(table)))
        this.#prepared(sql).run(...values);
    });
    this.#unwritten.forget(table);
  }

  #begin(): void {
    if (!this.#isOpen) this.#prepared("BEGIN IMMEDIATE").run();
    this.#isOpen = true;
  }

  /** Takes back what the running transaction has changed. What was promised stays, and is written again. */
  #rollBack(): void {
    if (this.#changes.length === this.#promised && this.#failure === undefined) return;
    this.#changes.length = this.#promised;
    this.#unwritten.reset(this.#changes);
    this.#empty.clear();
    this.#recent.clear();
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // A failed statement may have ended the transaction already.
    try {
      this.#database.exec("ROLLBACK");
    } catch {}
  }

  /** Reads a table as it is with all changes. Reads need no transaction: nobody else writes. */
  #read<R>(table: TableName, work: () => R): R {
    this.#write(table);
    return this.#attempt(work);
  }

  #change(change: Change): void {
    this.#changes.push(change);
    this.#unwritten.add(change);
  }

  readonly #operations: Transaction = {
    get: async <T extends TableName>(table: T, id: string) => {
      const recent = this.#recent.get(table, id);
      if (recent !== undefined) return (recent ?? undefined) as Tables[T] | undefined;
      const text = this.#textOf(table, id);
      const row = text === undefined ? undefined : (decodeRow(text) as Tables[T]);
      this.#recent.set(table, id, row ?? null, text ?? "");
      return row;
    },
    put: async (table, row) => {
      const text = encodeRow(row);
      if (text.length > (this.#longest.get(table) ?? text.length)) this.#longest.set(table, text.length);
      this.#change({ table, id: row.id, text, row });
      this.#recent.set(table, row.id, row, text);
    },
    delete: async (table, id) => {
      this.#change({ table, id });
      this.#recent.set(table, id, null, "");
    },
    list: async <T extends TableName>(table: T, where: Where<T>, options: ListOptions = {}) => {
      const unwritten = this.#listUnwritten(table, where, options);
      if (unwritten !== undefined) return unwritten.map((text) => decodeRow(text) as Tables[T]);
      const { limit, bytes } = options;
      const [condition, values] = conditionOf(table, where);
      // Counting costs as much as reading, so it is left out where no rows can come to so many.
      const [sql, more] =
        bytes === undefined || (limit !== undefined && limit * this.#longestIn(table) < bytes)
          ? [`SELECT row FROM "${table}"${condition} ORDER BY position LIMIT ?`, []]
          : [
              `SELECT row FROM (SELECT row, position, sum(length(row)) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING) - length(row) AS before FROM "${table}"${condition} ORDER BY position LIMIT ?) WHERE before < ? ORDER BY position`,
              [bytes],
            ];
      const rows = this.#read(table, () => this.#prepared(sql).all(...values, limit ?? -1, ...more));
      return rows.map(({ row }) => decodeRow(String(row)) as Tables[T]);
    },
    count: async (table, where) => {
      const [condition, values] = conditionOf(table, where);
      const sql = `SELECT count(*) AS found FROM "${table}"${condition}`;
      return Number(this.#read(table, () => this.#prepared(sql).get(...values))?.["found"] ?? 0);
    },
  };

  /** A row as it is kept. */
  #textOf(table: TableName, id: string): string | undefined {
    const unwritten = this.#unwritten.get(table, id);
    if (unwritten !== undefined) return unwritten ?? undefined;
    const found = this.#attempt(() => this.#prepared(`SELECT row FROM "${table}" WHERE id = ?`).get(id));
    return found === undefined ? undefined : String(found["row"]);
  }

  /**
   * Rows as they are kept, if none of them is in the database: what was fetched a moment ago and waits for its delivery.
   *
   * @returns undefined if the database has to be asked
   */
  #listUnwritten(
    table: TableName,
    where: object,
    { limit = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY }: ListOptions,
  ): string[] | undefined {
    if (!this.#unwritten.has(table) || !this.#isEmpty(table, where)) return undefined;
    const found = this.#unwritten.list(table, where);
    const unsure = found.filter(({ isNew }) => isNew !== true);
    const ids = unsure.map(({ change }) => change.id);
    // One that the database has with other members stands somewhere between.
    if (this.#hasAny(table, ids)) return undefined;
    this.#unwritten.areNew(table, unsure);
    const texts: string[] = [];
    for (let at = 0, before = 0; at < found.length && at < limit && before < bytes; at++) {
      const { text } = found[at] as (typeof found)[number];
      texts.push(text);
      before += text.length;
    }
    return texts;
  }

  /** Whether the database has no such rows but those that have changed since. */
  #isEmpty(table: TableName, where: object): boolean {
    const [condition, values] = conditionOf(table, where);
    const key = JSON.stringify([table, condition, values]);
    if (this.#empty.has(key)) return true;
    const sql = `SELECT id FROM "${table}"${condition} LIMIT ${MOST_CHANGED}`;
    const ids = this.#attempt(() => this.#prepared(sql).all(...values)).map(({ id }) => String(id));
    const isEmpty =
      ids.length < MOST_CHANGED && ids.every((id) => this.#unwritten.get(table, id) !== undefined);
    if (isEmpty) this.#empty.add(key);
    return isEmpty;
  }

  /** Whether the database has a row between these, as the ids of a page stand one behind the other. */
  #hasAny(table: TableName, ids: readonly string[]): boolean {
    for (let from = 0; from < ids.length; from += MOST_IDS) {
      const some = ids.slice(from, from + MOST_IDS);
      const places = some.map((_, index) => `?${index + 1}`).join(", ");
      // Of a single value, `min` would be something else.
      const between = some.length === 1 ? "id = ?1" : `id BETWEEN min(${places}) AND max(${places})`;
      const sql = `SELECT 1 FROM "${table}" WHERE ${between} LIMIT 1`;
      if (this.#attempt(() => this.#prepared(sql).get(...some)) !== undefined) return true;
    }
    return false;
  }

  /** Characters of the longest row of a table, or of one that was there since the database was opened. */
  #longestIn(table: TableName): number {
    let longest = this.#longest.get(table);
    if (longest === undefined) {
      const sql = `SELECT max(length(row)) AS longest FROM "${table}"`;
      longest = Number(this.#read(table, () => this.#prepared(sql).get())?.["longest"] ?? 0);
      this.#longest.set(table, longest);
    }
    return longest;
  }

  #prepared(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #attempt<R>(work: () => R): R {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      return work();
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      this.#failure = new RunError("StoreError", `The database failed: ${message}`, undefined, { cause });
      throw this.#failure;
    }
  }
}
