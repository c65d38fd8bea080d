import { RunError } from "@configc/runtime";
import type { KeptWindows, RunningRequest } from "@configc/runtime/internal";
import { type Database, openPrepared, type Statement } from "./driver.ts";

/** Requests after which rows that count no more are removed. */
const CLEAN = 256;

/**
 * When requests under rate limits ended, in an SQLite file: so that a process that begins where another ended counts what that one sent. A row is there before
 * its request is sent. The end of the process loses none, a loss of power may lose the last ones.
 */
export interface SqliteWindows extends KeptWindows {
  close(): void;
}

/**
 * @param file path, or `:memory:`
 * @throws StateError if it can't be opened
 */
export async function sqliteWindows(file: string, now: () => number = Date.now): Promise<SqliteWindows> {
  const database = await openPrepared(file, (opened) => {
    opened.exec("PRAGMA busy_timeout = 5000");
    opened.exec("PRAGMA journal_mode = WAL");
    opened.exec("PRAGMA synchronous = OFF");
    opened.exec(
      "CREATE TABLE IF NOT EXISTS requests (id INTEGER PRIMARY KEY, quota TEXT NOT NULL, period REAL NOT NULL, ended REAL)",
    );
    opened.exec("CREATE INDEX IF NOT EXISTS by_quota ON requests (quota)");
    // Whoever sent them is gone: they have ended by now.
    opened.prepare("UPDATE requests SET ended = ? WHERE ended IS NULL").run(now());
    return opened;
  });
  return new Windows(database, now);
}

class Windows implements SqliteWindows {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #insert: Statement;
  readonly #update: Statement;
  #untilClean = 0;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
    this.#insert = database.prepare("INSERT INTO requests (quota, period) VALUES (?, ?) RETURNING id");
    this.#update = database.prepare("UPDATE requests SET ended = ? WHERE id = ?");
  }

  ages(key: string): readonly number[] {
    const now = this.#now();
    const sql = "SELECT ended FROM requests WHERE quota = ? AND ended IS NOT NULL";
    const rows = attempt(() => this.#database.prepare(sql).all(key));
    // If the clock was set back, what has ended ended just now at the latest.
    return rows.map(({ ended }) => Math.max(0, now - Number(ended)));
  }

  began(key: string, period: number): RunningRequest {
    return attempt(() => {
      if (--this.#untilClean < 0) {
        this.#untilClean = CLEAN;
        this.#database.prepare("DELETE FROM requests WHERE ended + period * 1000 < ?").run(this.#now());
      }
      const id = Number(this.#insert.get(key, period)?.["id"]);
      return { ended: () => this.#end(id) };
    });
  }

  /** One whose end can't be kept ends, for the next process, when that begins. */
  #end(id: number): void {
    try {
      this.#update.run(this.#now(), id);
    } catch {}
  }

  close(): void {
    this.#database.close();
  }
}

/** @throws RunError `StoreError` */
function attempt<R>(work: () => R): R {
  try {
    return work();
  } catch (cause) {
    const { message } = cause as Error;
    throw new RunError("StoreError", `The request limits can't be kept: ${message}.`, undefined, { cause });
  }
}
