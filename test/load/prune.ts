import { setTimeout as sleep } from "node:timers/promises";
import { createFleetWorker, type FleetWorker, migrateFleet } from "@configc/engine-dbos";
import pg from "pg";
import { numbersApp } from "../support/numbers-app.ts";
import { startPostgres } from "../support/postgres.ts";

/*
 * `node scripts/ts.mjs test/load/prune.ts RUNS ITEMS [CYCLES] [TIMES]`: copies of a real run with its steps, and of a real item, as old as what is forgotten; then all of them are forgotten, beside a worker with
 * 20 cycles a second (or none). Says what that took, what the cycles had of it, how much room is left, and whether as many new ones take the room of those that are gone.
 */
const [runs = 1_250_000, items = 1_000_000, beside = 20, times = 2] = process.argv.slice(2).map(Number);
const PERIOD = 10;
const INSTALLATIONS = beside * PERIOD;
const DAY = 86_400_000;
const JOURNAL = ["workflow_status", "workflow_input", "workflow_output", "operation_outputs"];

const server = await startPostgres();
const database = await server.createDatabase();
await migrateFleet(database);
const client = new pg.Client(database);
await client.connect();

interface Row {
  readonly id: string;
  readonly row: string;
}
let template: Row | undefined;
let fills = 0;

let [cycles, failed] = [0, 0];
let late: number[] = [];
const open = (): Promise<FleetWorker> =>
  createFleetWorker({
    database,
    apps: { load: numbersApp({ items: 1, page: 1, frequency: PERIOD, version: "1" }) },
    key: new Uint8Array(32),
    effects: { platform: { fields: async () => null, upsert: async () => null, sync: async () => null } },
    schedule: { parallel: 16, interval: 2, retentionDays: 3_650 },
    runDays: 3_650,
    observe: {
      due() {},
      async run(run, work) {
        if (run.late !== undefined) late.push(run.late);
        return await work(undefined);
      },
    },
    report: ({ job, error }) => {
      if (error !== undefined) failed++;
      else if (job === "poll") cycles++;
    },
  });

try {
  await install(1);
  const first = await open();
  await first.start();
  while (cycles < 2) await sleep(100);
  await first.close();
  await fill();
  await install(INSTALLATIONS);
  for (let time = 1; time <= times; time++) {
    await forget();
    await fill();
  }
} finally {
  await client.end();
  await server.stop();
}

/** Forgets all that is old, as a worker does. */
async function forget(): Promise<void> {
  const worker = await open();
  if (beside > 0) {
    await worker.start();
    await sleep(20_000);
    await told("before", async () => await sleep(60_000));
  }
  const gone = await told("runs are forgotten", async () => await worker.runs.prune(Date.now() - DAY));
  const forgotten = await told("items are forgotten", async () =>
    worker.runtime("load")?.prune(Date.now() - 7 * DAY, Date.now() - 30 * DAY),
  );
  console.log(`${gone} runs and ${forgotten} items are gone`);
  await sizes("after");
  await told("vacuum", async () => void (await client.query("VACUUM")));
  await sizes("after vacuum");
  await worker.close();
}

async function install(installations: number): Promise<void> {
  await client.query(
    `INSERT INTO configc.installations (id, by_app, by_status, by_workflow, row)
    SELECT 'i' || n, 'load', 'active', 'numbers', json_build_object('id', 'i' || n, 'app', 'load', 'workflow', 'numbers', 'status', 'active',
      'settings', json_build_object('customData', json_build_object()), 'createdAt', 1, 'changedAt', 1)
    FROM generate_series(1, $1::int) n ON CONFLICT DO NOTHING`,
    [installations],
  );
}

/** Does something, and tells every half a minute what the cycles have of it. */
async function told<R>(what: string, work: () => Promise<R>): Promise<R> {
  const begun = performance.now();
  let last = begun;
  [cycles, failed, late] = [0, 0, []];
  const line = (): void => {
    const seconds = (performance.now() - last) / 1_000;
    last = performance.now();
    late.sort((a, b) => a - b);
    const at = (part: number): string => ((late[Math.floor(late.length * part)] ?? 0) / 1_000).toFixed(1);
    console.log(
      `${what}, ${((performance.now() - begun) / 1_000).toFixed(0)} s: ${(cycles / seconds).toFixed(1)} cycles a second, ${failed} failed, late ${at(0.5)} s (99 %: ${at(0.99)} s)`,
    );
    [cycles, failed, late] = [0, 0, []];
  };
  const timer = setInterval(line, 30_000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    line();
  }
}

async function columnsOf(schema: string, table: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ column_name: string }>(
    `SELECT column_name FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2
      AND is_identity = 'NO' AND is_generated = 'NEVER' AND column_default IS NULL OR table_schema = $1 AND table_name = $2 AND column_name LIKE '%_at%'
    ORDER BY ordinal_position`,
    [schema, table],
  );
  return rows.map(({ column_name }) => column_name);
}

/** Copies of what a real cycle has left. */
async function fill(): Promise<void> {
  const { rows } = await client.query<{ id: string; steps: number }>(
    `SELECT workflow_uuid AS id, count(*)::int AS steps FROM dbos.operation_outputs JOIN dbos.workflow_status s USING (workflow_uuid) WHERE workflow_uuid LIKE 'poll load/i1 %' AND s.status = 'SUCCESS' GROUP BY 1 ORDER BY 1 LIMIT 1`,
  );
  const [run] = rows;
  if (run === undefined) throw new Error("There is no run to copy.");
  const begun = performance.now();
  await client.query("SET synchronous_commit = off");
  for (const table of JOURNAL) {
    const columns = await columnsOf("dbos", table);
    const values = columns.map((name) => {
      if (name === "workflow_uuid") return `'poll load/old${fills} ' || n`;
      return /_at(_epoch_ms)?$/.test(name) ? `${name} - ${3 * DAY}` : name;
    });
    for (let from = 0; from < runs; from += 50_000)
      await client.query(
        `INSERT INTO dbos.${table} (${columns.join(", ")}) SELECT ${values.join(", ")} FROM dbos.${table}, generate_series($2::int, $3::int) n WHERE workflow_uuid = $1`,
        [run.id, from + 1, Math.min(runs, from + 50_000)],
      );
  }
  // What is old came first, so it stands in front.
  template ??= (await client.query<Row>("DELETE FROM configc.deliveries RETURNING *")).rows[0];
  if (template === undefined) throw new Error("There is no item to copy.");
  const { id, row } = template;
  await client.query(
    `INSERT INTO configc.deliveries (id, row, by_installation, by_status, by_origin, by_app)
    SELECT $4 || n, replace($2, $3, $4 || n), 'i1', 'delivered', 'polling', 'load' FROM generate_series(1, $1::int) n`,
    [
      items,
      row.replaceAll(/"(receivedAt|settledAt)":\d+/g, `"$1":${Date.now() - 30 * DAY}`),
      id,
      `old ${++fills} `,
    ],
  );
  await client.query("ANALYZE");
  const { rows: all } = await client.query<{ mb: string }>(
    "SELECT round(sum(pg_database_size(datname)) / 1e6) AS mb FROM pg_database WHERE datname = current_database()",
  );
  console.log(
    `${all[0]?.mb} MB: ${runs} runs with ${run.steps} steps each, ${items} items: written in ${((performance.now() - begun) / 1_000).toFixed(0)} s`,
  );
  await sizes("full");
}

async function sizes(when: string): Promise<void> {
  const { rows } = await client.query<{ name: string; size: string; dead: string; live: string }>(
    `SELECT schemaname || '.' || relname AS name, pg_total_relation_size(relid) AS size, n_dead_tup AS dead, n_live_tup AS live
    FROM pg_stat_user_tables WHERE pg_total_relation_size(relid) > 20000000 ORDER BY 2 DESC`,
  );
  const each = rows.map(
    ({ name, size, dead, live }) =>
      `${name} ${(Number(size) / 1e6).toFixed(0)} MB (${live} rows, ${dead} dead)`,
  );
  console.log(`${when}: ${each.join(", ")}`);
}
