import { RunError } from "@configc/runtime";
import pg from "pg";
import type { Database } from "../postgres/database.ts";
import { storeError } from "../postgres/errors.ts";
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

/**
 * Makes the schema `configc` in a database what this version needs, in one transaction: to be called by a command of the operator's, once
 * for each version, by a user who may create schemas and roles. Two at once do it once.
 *
 * @throws RunError `StoreError` if a newer version wrote it, or the database can't be reached
 */
export async function migrate(url: string): Promise<Migrated> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 15_000,
    application_name: "configc migrate",
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("BEGIN");
    await client.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await client.query(`CREATE SCHEMA IF NOT EXISTS configc`);
    await client.query(
      `CREATE TABLE IF NOT EXISTS configc.migrations (version int PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())`,
    );
    const { rows } = await client.query<{ version: number }>(
      "SELECT coalesce(max(version), 0) AS version FROM configc.migrations",
    );
    const from = rows[0]?.version ?? 0;
    if (from > SCHEMA_VERSION) throw newerSchema(from);
    for (const [index, { name, sql }] of migrations.entries()) {
      if (index < from) continue;
      await client.query(sql);
      await client.query("INSERT INTO configc.migrations (version, name) VALUES ($1, $2)", [index + 1, name]);
    }
    await client.query("COMMIT");
    return { from, to: SCHEMA_VERSION };
  } catch (error) {
    throw storeError(error, "The database can't be migrated");
  } finally {
    // What wasn't committed is taken back by that.
    await client.end().catch(() => undefined);
  }
}

/** @throws RunError `StoreError` unless the schema is the one of this version */
export async function checkSchema(database: Database): Promise<void> {
  const [table] = await database.query<{ found: boolean }>(
    "SELECT to_regclass('configc.migrations') IS NOT NULL AS found",
  );
  const [row] = table?.found
    ? await database.query<{ version: number | null }>(
        "SELECT max(version) AS version FROM configc.migrations",
      )
    : [];
  const version = row?.version ?? 0;
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
