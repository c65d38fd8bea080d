import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrateFleet } from "@configc/engine-dbos";
import pg from "pg";
import { startPostgres } from "../support/postgres.ts";
import { handOver } from "../support/postgres-binaries.ts";
import { SmallDisk } from "../support/small-disk.ts";
import type { AnyFault } from "./fault.ts";
import { play } from "./play.ts";

/** Megabytes: what a fleet of some installations keeps needs three of them. */
const DISK = 16;

/** On a server of its own, for faults end it or fill it up. */
export async function playOn(fault: AnyFault): Promise<void> {
  if ("play" in fault) return await fault.play();
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), "configc-disk-"));
  let disk: SmallDisk | undefined;
  try {
    const database = await postgres.createDatabase();
    await migrateFleet(database);
    if (fault.disk !== undefined) {
      disk = SmallDisk.mount(folder, DISK);
      await handOver(folder);
      await moveTo(database, fault.disk, folder);
    }
    await play(fault, { postgres, database, ...(disk === undefined ? {} : { disk }) });
  } finally {
    await postgres.stop();
    disk?.unmount();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Has all tables and indexes of a schema lie on another disk. */
async function moveTo(database: string, schema: string, folder: string): Promise<void> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    await client.query(`CREATE TABLESPACE small LOCATION '${folder}'`);
    const { rows } = await client.query<{ sql: string }>(
      `SELECT format('ALTER %s %I.%I SET TABLESPACE small', CASE relkind WHEN 'i' THEN 'INDEX' ELSE 'TABLE' END, nspname, relname) AS sql
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE nspname = $1 AND relkind IN ('r', 'i')`,
      [schema],
    );
    for (const { sql } of rows) await client.query(sql);
  } finally {
    await client.end();
  }
}
