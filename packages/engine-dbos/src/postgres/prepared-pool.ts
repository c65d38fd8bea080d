import { createHash } from "node:crypto";
import pg from "pg";

/** Statements that a connection keeps: a library that makes up new ones for ever mustn't fill the server's memory. */
const MOST = 200;
/** Milliseconds after which the server ends a connection that sits in the middle of a transaction. */
const IDLE = 60_000;
/**
 * Of the session. The first as the library itself would set it: a process that stands still mustn't keep the others' rows for long. The others because a
 * plan is kept: one that was made while a table was nearly empty reads all of it, however long it has become, until statistics are gathered anew. Where no index
 * fits, the table is read whatever this says; compiling that would take longer than doing it.
 */
const session = `SET idle_in_transaction_session_timeout = ${IDLE}; SET enable_seqscan = off; SET jit = off`;
const names = new Map<string, string>();

/** A name for a statement's text, the same in all processes; undefined: there are too many. */
function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < MOST) {
    name = `j${createHash("sha256").update(text).digest("base64url").slice(0, 20)}`;
    names.set(text, name);
  }
  return name;
}

type Callback = (error: Error | undefined, result: pg.QueryResult) => void;

class PreparingClient extends pg.Client {
  // @ts-expect-error: one signature in place of the many that `pg` declares
  override query(given: unknown, values?: unknown, callback?: Callback): unknown {
    const base = super.query.bind(this) as (given: unknown, values?: unknown, callback?: Callback) => unknown;
    const name = typeof given === "string" && Array.isArray(values) ? nameOf(given) : undefined;
    return name === undefined ? base(given, values, callback) : base({ name, text: given, values }, callback);
  }
}

/**
 * A pool for a library that sends the same statements again and again without naming them: they are parsed and planned once for each
 * connection.
 */
export function preparedPool(url: string, connections: number, name: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    keepAlive: true,
    application_name: name,
    Client: PreparingClient as unknown as typeof pg.Client,
    onConnect: (client: pg.ClientBase) => client.query(session),
  } as pg.PoolConfig);
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
