import { createFleetWorker, migrateFleet } from "@configc/engine-dbos";
import { embeddedPlatform } from "@configc/host";
import pg from "pg";
import { numbersApp } from "../support/numbers-app.ts";
import { startPostgres } from "../support/postgres.ts";
import { cpuOf } from "./measure.ts";

/*
 * `node scripts/ts.mjs test/load/drain.ts INSTALLATIONS PARTS [UNTIL]`: all of so many installations are due at once, and one worker does them, or the first ones of them, with an item each and 16 at once. Says
 * for each part of them how many cycles it did a second and what CPU a cycle took: what waits mustn't make the first ones slower or dearer than the last ones, before which
 * hardly any wait. CPU says more than the rate where the machine has other things to do, and what is counted doesn't depend on it at all: statements that the worker sends,
 * and pages and rows that Postgres looks at.
 */
const [installations = 10_000, parts = 10, until = installations] = process.argv.slice(2).map(Number);

let statements = 0;
const { query } = pg.Client.prototype;
// Every statement, the engine's too, goes through the one library.
pg.Client.prototype.query = function (this: pg.Client, ...args: Parameters<typeof query>) {
  statements++;
  return query.apply(this, args);
} as typeof query;

const server = await startPostgres();
const database = await server.createDatabase();
await migrateFleet(database);
const client = new pg.Client(database);
await client.connect();
try {
  await client.query(
    `INSERT INTO configc.installations (id, by_app, by_status, by_workflow, row)
    SELECT 'i' || n, 'load', 'active', 'numbers', json_build_object('id', 'i' || n, 'app', 'load', 'workflow', 'numbers', 'status', 'active',
      'settings', json_build_object('customData', json_build_object()), 'createdAt', 1, 'changedAt', 1)
    FROM generate_series(1, $1::int) n`,
    [installations],
  );
  await client.query("ANALYZE");
  const part = Math.floor(until / parts);
  let done = 0;
  let failed = 0;
  const now = async () => {
    const { user, system } = process.cpuUsage();
    const { rows } = await client.query<{ pages: string; tuples: string }>(
      `SELECT blks_hit + blks_read AS pages, tup_returned AS tuples FROM pg_stat_database WHERE datname = current_database()`,
    );
    return {
      at: performance.now(),
      worker: (user + system) / 1_000,
      postgres: cpuOf(server.pid) ?? 0,
      statements,
      pages: Number(rows[0]?.pages),
      rows: Number(rows[0]?.tuples),
    };
  };
  let over = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  let last = await now();
  const rates: number[] = [];
  const costs: number[] = [];
  const measure = async (at: number): Promise<void> => {
    const next = await now();
    const before = last;
    const [seconds, worker, postgres] = [
      (next.at - before.at) / 1_000,
      next.worker - before.worker,
      next.postgres - before.postgres,
    ];
    last = next;
    rates.push(part / seconds);
    costs.push((worker + postgres) / part);
    const each = [worker, postgres].map((cpu) => (cpu / part).toFixed(1)).join(" + ");
    const counted = (["statements", "pages", "rows"] as const)
      .map((what) => `${((next[what] - before[what]) / part).toFixed(0)} ${what}`)
      .join(", ");
    console.log(
      `${installations - at} left: ${(part / seconds).toFixed(1)} cycles a second, CPU ${each} ms a cycle (worker + Postgres), ${counted}`,
    );
  };
  const worker = await createFleetWorker({
    database,
    apps: { load: numbersApp({ items: 1, page: 1, frequency: 86_400, version: "1" }) },
    key: new Uint8Array(32),
    effects: { platform: embeddedPlatform() },
    schedule: { parallel: 16, interval: 30 },
    report: ({ job, error }) => {
      if (error !== undefined) failed++;
      if (job !== "poll") return;
      if (++done % part === 0) void measure(done);
      if (done === until) over();
    },
  });
  await worker.start();
  last = await now();
  await ended;
  const half = Math.floor(rates.length / 2);
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const ratio = mean(rates.slice(0, half)) / mean(rates.slice(-half));
  const cost = mean(costs.slice(0, half)) / mean(costs.slice(-half));
  console.log(
    `${until} of ${installations} done, ${failed} failed; first half to second half: ${ratio.toFixed(2)} of the rate, ${cost.toFixed(2)} of the CPU a cycle`,
  );
  await worker.close(0);
} finally {
  await client.end();
  await server.stop();
}
