import {
  type ListOptions,
  Locks,
  RunError,
  type TableName,
  type Tables,
  type Transaction,
  type Where,
} from "@configc/runtime";
import { decodeRow } from "@configc/runtime/internal";
import pg from "pg";
import { type Database, pause, transactionLimits } from "../postgres/database.ts";
import { storeError, troubleOf } from "../postgres/errors.ts";
import type { Fence } from "./fence.ts";
import { countRows, deleteRow, getRow, listRows, putRow, type Statement } from "./statements.ts";
import { columnText } from "./text.ts";

interface TransactionSettings {
  readonly durable: boolean;
  /** Whose rows alone are seen and written; undefined: all. */
  readonly tenant: string | undefined;
}

/**
 * Runs transactions that are as if they ran one after the other (`SERIALIZABLE`). One that can't be fitted in is taken back and run
 * again, and so is one whose connection is cut before it was to be kept.
 */
export class Transactions {
  readonly #database: Database;
  readonly #fence: Fence;
  /** Those that lost run one at a time: they would lose against each other. */
  readonly #losers = new Locks();

  constructor(database: Database, fence: Fence) {
    this.#database = database;
    this.#fence = fence;
  }

  /**
   * @throws what `work` throws; RunError `StoreError` if it can't be kept, if the database stays away, if it is cut off at the very
   * moment of keeping (then nobody knows), or if the lock was lost under which it runs
   */
  async run<R>(work: (transaction: Transaction) => Promise<R>, settings: TransactionSettings): Promise<R> {
    const until = Date.now() + this.#database.patience;
    for (let tries = 1; ; tries++) {
      const attempt = (): Promise<Outcome<R>> => this.#attempt(work, settings);
      const outcome = await (tries === 1 ? attempt() : this.#losers.run("", attempt));
      if ("result" in outcome) return outcome.result;
      const { error, again } = outcome;
      if (!again || Date.now() >= until) throw error;
      await pause(tries);
    }
  }

  async #attempt<R>(
    work: (transaction: Transaction) => Promise<R>,
    settings: TransactionSettings,
  ): Promise<Outcome<R>> {
    let client: pg.PoolClient;
    try {
      client = await this.#database.connect();
    } catch (error) {
      return failed(error);
    }
    const open = new OpenTransaction(client, settings, this.#fence.current());
    try {
      const result = await work(open.operations);
      await open.settled();
      const kept = await open.commit();
      return kept === undefined ? { result } : kept;
    } catch (thrown) {
      await open.settled().catch(() => undefined);
      const cause = open.trouble;
      // Whatever the work made of it: after a failed statement nothing of the transaction counts.
      const outcome = cause === undefined ? ({ error: thrown, again: false } as const) : failed(cause);
      await open.rollback();
      return outcome;
    }
  }
}

type Outcome<R> = { readonly result: R } | Failed;
interface Failed {
  readonly error: unknown;
  /** It came into conflict, or the connection was cut: it may work the next time. */
  readonly again: boolean;
}

function failed(error: unknown): Failed {
  return { error: storeError(error), again: troubleOf(error) !== "other" };
}

/** A transaction on a connection. Writes are sent without waiting; their failures come up at the next wait, at the latest at the end. */
class OpenTransaction {
  readonly #client: pg.PoolClient;
  readonly #sent: Promise<unknown>[] = [];
  #over = false;
  /** What went wrong first. */
  trouble: unknown;

  constructor(client: pg.PoolClient, settings: TransactionSettings, fence: string | undefined) {
    this.#client = client;
    const begun = this.#send(client.query<Record<string, unknown>>(opening(settings, fence)));
    if (fence === undefined) return;
    // Several statements give several results, which the types don't know.
    const checked = begun.then((results) => {
      const held = (results as unknown as pg.QueryResult[]).some(
        ({ command, rowCount }) => command === "SELECT" && rowCount === 1,
      );
      if (!held)
        throw new RunError(
          "StoreError",
          "The lock under which this was to be kept was lost; another process may have it.",
          undefined,
        );
    });
    this.#send(checked);
  }

  readonly operations: Transaction = {
    get: async <T extends TableName>(table: T, id: string) => {
      const [row] = await this.#read<{ row: string }>(getRow(table, id));
      return row === undefined ? undefined : (decodeRow(row.row) as Tables[T]);
    },
    put: async (table, row) => this.#write(putRow(table, row)),
    delete: async (table, id) => this.#write(deleteRow(table, id)),
    list: async <T extends TableName>(table: T, where: Where<T>, options: ListOptions = {}) => {
      const rows = await this.#read<{ row: string }>(listRows(table, where, options));
      return rows.map(({ row }) => decodeRow(row) as Tables[T]);
    },
    count: async (table, where) => {
      const [row] = await this.#read<{ found: string }>(countRows(table, where));
      return Number(row?.found ?? 0);
    },
  };

  /** Resolves when all that was sent has worked. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#sent);
    if (this.trouble !== undefined) throw storeError(this.trouble);
  }

  /** Undefined: it is kept. */
  async commit(): Promise<Failed | undefined> {
    this.#over = true;
    try {
      const { command } = await this.#client.query("COMMIT");
      this.#client.release();
      // Postgres answers so, and not by an error, where a statement had failed before.
      if (command !== "COMMIT") return failed(new Error("the transaction was taken back"));
      return undefined;
    } catch (error) {
      const trouble = troubleOf(error);
      this.#client.release(trouble === "away");
      if (trouble !== "away") return failed(error);
      return {
        error: storeError(
          error,
          "The database went away while something was being kept, so nobody knows whether it was",
        ),
        again: false,
      };
    }
  }

  async rollback(): Promise<void> {
    this.#over = true;
    try {
      await this.#client.query("ROLLBACK");
      this.#client.release();
    } catch {
      this.#client.release(true);
    }
  }

  async #read<R extends pg.QueryResultRow>(statement: Statement): Promise<readonly R[]> {
    this.#throwIfOver();
    try {
      return (await this.#send(this.#client.query<R>(asQuery(statement)))).rows;
    } catch (error) {
      throw storeError(error);
    }
  }

  #write(statement: Statement): void {
    this.#throwIfOver();
    if (this.trouble !== undefined) throw storeError(this.trouble);
    this.#send(this.#client.query(asQuery(statement)));
  }

  #send<R>(answer: Promise<R>): Promise<R> {
    this.#sent.push(
      answer.catch((error: unknown) => {
        this.trouble ??= error;
      }),
    );
    return answer;
  }

  #throwIfOver(): void {
    if (this.#over) throw new Error("The transaction is over: its operations can't be used any more.");
  }
}

/**
 * How a transaction begins: one round trip, together with that of its first operation.
 *
 * @param fence token of the lock under which it runs
 */
function opening({ durable, tenant }: TransactionSettings, fence: string | undefined): string {
  const parts = [
    "BEGIN ISOLATION LEVEL SERIALIZABLE;",
    // Who reads a whole table, as is quickest for a small one, is in conflict with all who write to it.
    "SET LOCAL enable_seqscan = off;",
    transactionLimits,
  ];
  if (!durable) parts.push("SET LOCAL synchronous_commit = off;");
  if (fence !== undefined) parts.push(`SELECT 1 FROM configc.locks WHERE token = '${fence}' FOR KEY SHARE;`);
  if (tenant !== undefined)
    parts.push(
      `SET LOCAL ROLE configc_tenant; SET LOCAL configc.tenant = ${pg.escapeLiteral(columnText(tenant))};`,
    );
  return parts.join(" ");
}

function asQuery({ name, text, values }: Statement): pg.QueryConfig {
  return { name, text, values: [...values] };
}
