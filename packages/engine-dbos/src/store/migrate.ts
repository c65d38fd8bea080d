import { RunError } from "@configc/runtime";
import pg from "pg";
import { pause } from "../postgres/database.ts";
import { storeError, troubleOf } from "../postgres/errors.ts";
import type { Queries } from "../postgres/types.ts";
import { migrations } from "./migrations.ts";

/** What `migrate` did. */
export interface Migrated {
  /** Version of the schema before; 0 if there was none. */
  readonly from: number;
  readonly to: number;
}

/** The version of the schema that this version of the package works with. */
export const SCHEMA_VERSION = migrations.length;

/** Any number that nobody else takes for a lock: `configc` in ASCII. */
const MIGRATION_LOCK = "27988542930120035";

/** Milliseconds between two questions whether another migration is over, and after which it is given up. */
const LOOK = 200;
const PATIENCE = 10 * 60_000;

/** Milliseconds for which a table is waited for: less than the second after which the server looks for circles. */
const HELD = 400;

/**
 * Milliseconds for which one table is asked for again and again. Workers hold one much shorter, unless they wait for us: the server looks for a circle only once, a second after
 * a wait has begun, so one that closes later stays until we let go of everything and begin anew.
 */
const CIRCLE = 1_500;

/**
 * Milliseconds for which a table is waited for by every third attempt, in one go. On a machine that is so busy that workers hold a table for longer than `HELD`, there is always one
 * who holds it; those who come while we wait stand behind us. A worker that stands still in the middle of a transaction is ended sooner.
 */
const PATIENT = 12_000;

/** Attempts while workers are in the way. */
const TRIES = 40;

/**
 * Makes the schema `configc` in a database what this version needs, in one transaction: to be called by a command of the operator's, once
 * for each version, by a user who may create schemas and roles. Two at once do it once.
 *
 * @param first is done before, while no other migration runs; the schema isn't that of this version until both are done
 * @throws RunError `StoreError` if a newer version wrote it, the database can't be reached, or `first` fails
 */
export async function migrate(
  url: string,
  first: () => Promise<void> = async () => undefined,
): Promise<Migrated> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(url, first, tries % 3 === 0 ? PATIENT : HELD);
    } catch (error) {
      const isHeld = codeOf(error) === LOCK_NOT_AVAILABLE;
      if (tries === TRIES || (!isHeld && troubleOf(error) !== "conflict"))
        throw storeError(error, "The database can't be migrated");
      await pause(tries);
    }
  }
}

const LOCK_NOT_AVAILABLE = "55P03";

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

async function attempt(url: string, first: () => Promise<void>, held: number): Promise<Migrated> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 15_000,
    application_name: "configc migrate",
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("BEGIN");
    // Whatever is set for everyday work: an index on a large table takes its time, and so does `first`.
    await client.query("SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0");
    await lock(client);
    const from = await versionBy(async (sql) => (await client.query(sql)).rows);
    if (from > SCHEMA_VERSION) throw newerSchema(from);
    await first();
    if (from === 0) {
      await client.query("CREATE SCHEMA IF NOT EXISTS configc");
      await client.query(
        "CREATE TABLE IF NOT EXISTS configc.migrations (version int PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())",
      );
    }
    if (from > 0 && from < SCHEMA_VERSION) await lockTables(client, held);
    for (const [index, { name, sql }] of migrations.entries()) {
      if (index < from) continue;
      await client.query(sql);
      await client.query("INSERT INTO configc.migrations (version, name) VALUES ($1, $2)", [index + 1, name]);
    }
    await client.query("COMMIT");
    return { from, to: SCHEMA_VERSION };
  } finally {
    // What wasn't committed is taken back by that.
    await client.end().catch(() => undefined);
  }
}

/**
 * Asks again and again: who stood in line would look at the database as it was before, and indexes that are built concurrently
 * wait for all who do.
 */
async function lock(client: pg.Client): Promise<void> {
  for (const until = Date.now() + PATIENCE; Date.now() < until; ) {
    const { rows } = await client.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AS taken`,
    );
    if (rows[0]?.taken) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
  throw new RunError(
    "StoreError",
    `Another migration of this database has been at work for ${PATIENCE / 60_000} minutes. If it hangs, end it; what it didn't come to the end of is taken back.`,
    undefined,
  );
}

/**
 * Takes all tables, one after the other, before anything is changed. Workers take them in orders of their own, so one may hold a table that is wanted here and wait for one that
 * is held here. The server ends whoever has waited for a second in such a circle: who asks again and again, and keeps what he has, never has, so it is the worker, which
 * begins its transaction anew.
 */
async function lockTables(client: pg.Client, held: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'configc' ORDER BY tablename",
  );
  await client.query(`SET LOCAL lock_timeout = ${held}`);
  for (const { name } of rows)
    for (const until = Date.now() + CIRCLE; ; ) {
      await client.query("SAVEPOINT unlocked");
      try {
        await client.query(`LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`);
        break;
      } catch (error) {
        if (Date.now() > until || codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
        await client.query("ROLLBACK TO unlocked");
      }
    }
  await client.query("SET LOCAL lock_timeout = 0");
}

type Ask = <R extends Record<string, unknown>>(sql: string) => Promise<readonly R[]>;

/** @returns 0 if there is none */
async function versionBy(ask: Ask): Promise<number> {
  const [schema] = await ask<{ name: string; owner: string; may: boolean }>(
    `SELECT current_user AS name, pg_get_userbyid(nspowner) AS owner, pg_has_role(nspowner, 'USAGE')
      OR rolbypassrls AND has_schema_privilege(n.oid, 'USAGE') AS may
    FROM pg_namespace n, pg_roles WHERE nspname = 'configc' AND rolname = current_user`,
  );
  // Otherwise it would seem that there is nothing: neither tables nor, by the separation of customers, rows.
  if (schema !== undefined && !schema.may)
    throw new RunError(
      "StoreError",
      `The user ${schema.name} may not use the schema \`configc\`, which belongs to ${schema.owner}. Connect as that user, or have it run: GRANT ${pg.escapeIdentifier(schema.owner)} TO ${pg.escapeIdentifier(schema.name)}`,
      undefined,
    );
  const [table] = await ask<{ found: boolean }>(
    "SELECT to_regclass('configc.migrations') IS NOT NULL AS found",
  );
  if (!table?.found) return 0;
  const [row] = await ask<{ version: number | null }>(
    "SELECT max(version) AS version FROM configc.migrations",
  );
  return row?.version ?? 0;
}

/** @throws RunError `StoreError` unless the schema is the one of this version */
export async function checkSchema(database: Queries): Promise<void> {
  const version = await versionBy((sql) => database.query(sql));
  if (version > SCHEMA_VERSION) throw newerSchema(version);
  if (version < SCHEMA_VERSION)
    throw new RunError(
      "StoreError",
      version === 0
        ? "The database isn't prepared for configc. Run `configc-host migrate` once, with a user who may create schemas and roles."
        : `The database was prepared by an older version of configc (schema ${version}, this one needs ${SCHEMA_VERSION}). Run \`configc-host migrate\`.`,
      undefined,
    );
}

function newerSchema(version: number): RunError {
  return new RunError(
    "StoreError",
    `The database was prepared by a newer version of configc (schema ${version}, this one knows ${SCHEMA_VERSION}). Use that version, or another database.`,
    undefined,
  );
}
