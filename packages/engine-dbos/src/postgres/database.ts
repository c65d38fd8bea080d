import { RunError } from "@configc/runtime";
import pg from "pg";
import { storeError, troubleOf } from "./errors.ts";
import type { DatabaseOptions, Queries } from "./types.ts";

/** Milliseconds after which the server gives up a statement, and a connection that sits in the middle of a transaction. */
const STATEMENT = 30_000;
const IDLE = 10_000;
/** For a connection that is free, and then for an answer: more than the server takes to give up by itself. */
const ANSWER = STATEMENT + 5_000;

/**
 * Of every transaction. They are set by each anew: behind a pooler the next transaction may have another connection. A worker that
 * stands still in the middle must not keep the others' locks for long.
 */
export const transactionLimits = `SET LOCAL statement_timeout = ${STATEMENT}; SET LOCAL idle_in_transaction_session_timeout = ${IDLE};`;

/** Milliseconds for which an answer is waited for to say whether the database is there. */
const SIGN = 2_000;

const WRITABLE = "SELECT current_setting('transaction_read_only') = 'off' AS writable";

/** A pool of connections that bridges a restart of the server. */
export class Database implements Queries {
  readonly url: string;
  readonly patience: number;
  readonly #pool: pg.Pool;
  #closed = false;

  constructor({ url, connections = 10, patience = 15_000 }: DatabaseOptions) {
    this.url = url;
    this.patience = patience;
    this.#pool = new pg.Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: ANSWER,
      query_timeout: ANSWER,
      keepAlive: true,
      application_name: "configc",
      // Statements are sent without waiting for the answer to the one before: a transaction takes two round trips, not five.
      pipeline: true,
    });
    // A connection that is cut is told of by the statements on it, and replaced by the next one.
    this.#pool.on("error", () => undefined);
    this.#pool.on("connect", (client) => client.on("error", () => undefined));
  }

  /**
   * A connection of one's own: give it back by `release`, with an error if it isn't usable any more.
   *
   * @throws RunError `StoreError` if it was closed
   */
  async connect(): Promise<pg.PoolClient> {
    this.#throwIfClosed();
    return await this.#pool.connect();
  }

  /** Whether it is there now and can be written to (a standby can't); doesn't wait for it. */
  async answers(): Promise<boolean> {
    if (this.#closed) return false;
    const asked = this.#pool.query<{ writable: boolean }>(WRITABLE).then(
      ({ rows }) => rows[0]?.writable === true,
      () => false,
    );
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, SIGN, false);
    });
    return await Promise.race([asked, late]).finally(() => clearTimeout(timer));
  }

  /**
   * One statement, a transaction of its own.
   *
   * @throws RunError `StoreError`, after `patience` if the database is away
   */
  async query<R extends pg.QueryResultRow>(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<readonly R[]> {
    return await this.patiently(async () => (await this.#pool.query<R>(sql, [...values])).rows);
  }

  /**
   * Tries again while the database is away or the attempt is in conflict with others: only for what may be done twice.
   *
   * @throws RunError `StoreError`
   */
  async patiently<R>(attempt: () => Promise<R>): Promise<R> {
    const until = Date.now() + this.patience;
    for (let tries = 1; ; tries++) {
      this.#throwIfClosed();
      try {
        return await attempt();
      } catch (error) {
        if (troubleOf(error) === "other" || Date.now() >= until) throw storeError(error);
        await pause(tries);
      }
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#pool.end();
  }

  #throwIfClosed(): void {
    if (!this.#closed) return;
    throw new RunError("StoreError", "The store is closed: this worker has ended. Others go on.", undefined);
  }
}

/** Longer with each try, and not all at once. */
export function pause(tries: number): Promise<void> {
  const most = Math.min(1_000, 5 * 2 ** Math.min(tries, 10));
  return new Promise((resolve) => setTimeout(resolve, most * (0.5 + Math.random() / 2)));
}
