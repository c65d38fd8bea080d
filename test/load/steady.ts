import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { migrateFleet } from "@configc/engine-dbos";
import pg from "pg";
import { startPostgres } from "../support/postgres.ts";
import { cpuOf } from "./measure.ts";
import type { SteadyCount, SteadyWorker } from "./steady-worker.ts";

/*
 * `node scripts/ts.mjs test/load/steady.ts --installations 10000 --period 180 [--overdue 0] [--seconds 60] [--parts 1] [--workers 2] [--parallel 16]`: workers do what is due for
 * installations whose cycles are spread evenly over their period, an item in each; `--overdue 1` has all of them due at once, as after an outage that was longer than the
 * period, `--overdue 0.1` a tenth of them. Says for each part of the time what was done a second, how late it began, and what it cost.
 */
const { values } = parseArgs({
  options: {
    installations: { type: "string", default: "10000" },
    period: { type: "string", default: "180" },
    overdue: { type: "string", default: "0" },
    warm: { type: "string", default: "15" },
    seconds: { type: "string", default: "60" },
    parts: { type: "string", default: "1" },
    workers: { type: "string", default: "2" },
    parallel: { type: "string", default: "16" },
    interval: { type: "string", default: "5" },
  },
});
const [installations, period, seconds, parts] = [
  Number(values.installations),
  Number(values.period),
  Number(values.seconds),
  Number(values.parts),
];

const script = fileURLToPath(new URL("../../scripts/ts.mjs", import.meta.url));
const server = await startPostgres();
const database = await server.createDatabase();
await migrateFleet(database);
const client = new pg.Client(database);
await client.connect();
const workers: ChildProcess[] = [];
try {
  await install();
  for (let n = 0; n < Number(values.workers); n++) {
    const given: SteadyWorker = {
      database,
      slot: `w${n}`,
      parallel: Number(values.parallel),
      period,
      interval: Number(values.interval),
    };
    const child = fork(script, ["test/load/steady-worker.ts", JSON.stringify(given)]);
    workers.push(child);
    await once(child, "message");
  }
  await sleep(Number(values.warm) * 1_000);
  let last = await now();
  for (let part = 0; part < parts; part++) {
    await sleep((seconds / parts) * 1_000);
    const next = await now();
    console.log(line(last, next));
    last = next;
  }
} finally {
  for (const child of workers) child.kill("SIGKILL");
  await client.end();
  await server.stop();
}

interface Now {
  readonly at: number;
  readonly counts: readonly SteadyCount[];
  readonly postgres: number;
  readonly pages: number;
  readonly waiting: number;
}

async function now(): Promise<Now> {
  const counts = await Promise.all(
    workers.map(async (child) => {
      const answer = once(child, "message");
      child.send("count");
      return ((await answer) as [SteadyCount])[0];
    }),
  );
  const { rows } = await client.query<{ pages: string; waiting: string }>(
    `SELECT blks_hit + blks_read AS pages, (SELECT count(*) FROM configc.backlog) AS waiting
    FROM pg_stat_database WHERE datname = current_database()`,
  );
  return {
    at: performance.now(),
    counts,
    postgres: cpuOf(server.pid) ?? 0,
    pages: Number(rows[0]?.pages),
    waiting: Number(rows[0]?.waiting),
  };
}

function line(last: Now, next: Now): string {
  const took = (next.at - last.at) / 1_000;
  const sum = (what: "cycles" | "failed" | "cpu"): number =>
    next.counts.reduce((all, count) => all + count[what], 0);
  const cycles = sum("cycles");
  const late = next.counts.flatMap((count) => count.late).sort((a, b) => a - b);
  const at = (part: number): string => ((late[Math.floor(late.length * part)] ?? 0) / 1_000).toFixed(1);
  const each = [sum("cpu"), next.postgres - last.postgres]
    .map((cpu) => (cpu / cycles).toFixed(1))
    .join(" + ");
  const memory = Math.max(...next.counts.map((count) => count.memory)) / 1e6;
  return `${installations} installations, ${took.toFixed(0)} s: ${(cycles / took).toFixed(1)} cycles a second of ${(installations / period).toFixed(1)} that come due, ${sum("failed")} failed, late ${at(0.5)} s (99 %: ${at(0.99)} s), CPU ${each} ms a cycle (workers + Postgres), ${((next.pages - last.pages) / cycles).toFixed(0)} pages, ${next.waiting} wait, ${memory.toFixed(0)} MB`;
}

/** Each had a cycle once; the next one is due at its place in the period, or was long ago. */
async function install(): Promise<void> {
  await client.query(
    `INSERT INTO configc.installations (id, by_app, by_status, by_workflow, row)
    SELECT 'i' || n, 'load', 'active', 'numbers', json_build_object('id', 'i' || n, 'app', 'load', 'workflow', 'numbers', 'status', 'active',
      'settings', json_build_object('customData', json_build_object()), 'createdAt', 1, 'changedAt', 1)
    FROM generate_series(1, $1::int) n`,
    [installations],
  );
  await client.query(
    `INSERT INTO configc.polling (id, by_installation, row)
    SELECT 'i' || n || '/numbers', 'i' || n, json_build_object('id', 'i' || n || '/numbers', 'installation', 'i' || n, 'intake', 'numbers', 'ready', true, 'state', json_build_object('n', 1),
      'cycle', 1, 'phase', 'idle', 'requests', 1, 'results', 1, 'recent', json_build_array(), 'allRequests', 1, 'done', false, 'failures', 0,
      'startedAt', $4::bigint - CASE WHEN n % 1000 < $3::float8 * 1000 THEN $2::float8 * 2000 ELSE ($2::float8 * 1000 * n / $1::int) END)
    FROM generate_series(1, $1::int) n`,
    [installations, period, Number(values.overdue), Date.now() + 5_000],
  );
  await client.query("ANALYZE");
}
