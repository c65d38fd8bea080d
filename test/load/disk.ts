import { compile } from "@configc/compiler";
import { createFleetWorker, migrateFleet } from "@configc/engine-dbos";
import { embeddedPlatform } from "@configc/host";
import pg from "pg";
import { startPostgres } from "../support/postgres.ts";

/*
 * `node scripts/ts.mjs test/load/disk.ts INSTALLATIONS SECONDS ITEMS`: what cycles leave in the database, and what they write to its log. Each installation polls
 * every two seconds, and gets so many items each time. What is left is measured after `VACUUM`, and after `VACUUM FULL` without the room that is free again; twice: at the end, and when what isn't needed had its time to go.
 */
const [installations = 100, seconds = 30, items = 0] = process.argv.slice(2).map(Number);

const app = compile(
  JSON.stringify({
    $version: "2",
    data_intake: [
      {
        type: "polling",
        name: "numbers",
        request: {
          "!jq": `(\${polling_state}.n // 0) as $n | {results: [range($n; $n + ${items}) | {email: "p\\(.)@example.com"}], iterate: false, polling_state: {n: ($n + ${items})}}`,
        },
      },
    ],
    workflows: [
      {
        name: "numbers",
        label: "Numbers",
        type: "generic",
        data_intake: "numbers",
        setup: { schedule: { label: "S", description: "D", import_options: [], frequency: 2 } },
        data_pipeline: { source: { "!jq": "." }, target: { "!resource": "PlatformContact" } },
      },
    ],
  }),
).app;

const server = await startPostgres();
const database = await server.createDatabase();
await migrateFleet(database);
const client = new pg.Client(database);
await client.connect();

async function sizes(full: boolean): Promise<Readonly<Record<string, number>>> {
  await client.query(full ? "VACUUM FULL" : "VACUUM");
  const { rows } = await client.query<{ name: string; size: string }>(
    `SELECT n.nspname || '.' || c.relname AS name, pg_total_relation_size(c.oid) AS size
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname IN ('configc', 'dbos') AND c.relkind = 'r'`,
  );
  return Object.fromEntries(rows.map(({ name, size }) => [name, Number(size)]));
}

async function log(): Promise<number> {
  const { rows } = await client.query<{ at: string }>(
    "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS at",
  );
  return Number(rows[0]?.at ?? 0);
}

try {
  let counted = 0;
  const worker = await createFleetWorker({
    database,
    apps: { load: app },
    key: new Uint8Array(32),
    effects: { platform: embeddedPlatform() },
    schedule: { interval: 2, parallel: 16 },
    report: ({ job, error }) => {
      if (error !== undefined) throw error;
      if (job === "poll") counted++;
    },
  });
  await worker.store.transaction(async (transaction) => {
    for (let n = 0; n < installations; n++)
      await transaction.put("installations", {
        id: `installation-${n}`,
        app: "load",
        workflow: "numbers",
        status: "active",
        settings: { customData: {} },
        createdAt: 1,
        changedAt: 1,
      });
  });
  // The first cycle of each makes what is there once.
  await worker.start();
  while (counted < installations) await new Promise((resolve) => setTimeout(resolve, 100));
  const [before, logged, from] = [await sizes(true), await log(), counted];
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const written = (await log()) - logged;
  const cycles = counted - from;
  await client.query(
    "UPDATE configc.installations SET by_status = 'paused', row = replace(row, '\"active\"', '\"paused\"')",
  );
  await worker.idle();
  const report = async (when: string): Promise<void> => {
    const asIs = Object.values(await sizes(false)).reduce((sum, size) => sum + size, 0);
    const grown = Math.round((asIs - Object.values(before).reduce((sum, size) => sum + size, 0)) / cycles);
    const after = await sizes(true);
    const left = Object.entries(after)
      .map(([name, size]) => [name, (size - (before[name] ?? 0)) / cycles] as const)
      .filter(([, each]) => Math.abs(each) > 20)
      .sort(([, a], [, b]) => b - a);
    const sum = left.reduce((all, [, each]) => all + each, 0);
    console.log(
      `${when}: ${Math.round(sum)} bytes a cycle, ${grown} with the room that is free again (${left.map(([name, each]) => `${name} ${Math.round(each)}`).join(", ")})`,
    );
  };
  console.log(`${cycles} cycles with ${items} items each; log ${Math.round(written / cycles)} bytes a cycle`);
  await report("at once");
  await new Promise((resolve) => setTimeout(resolve, 75_000));
  await report("75 s later");
  await worker.close();
} finally {
  await client.end();
  await server.stop();
}
