// Items a second on a fleet, beside the embedded host, and what stories of runs cost: `node scripts/ts.mjs test/bench/fleet/main.ts [INSTALLATIONS]`.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { migrateFleet, postgresStore } from "@configc/engine-dbos";
import pg from "pg";
import { startPostgres } from "../../support/postgres.ts";
import { median } from "../processes.ts";
import { ITEMS } from "./app.ts";
import type { WorkerArguments } from "./bench-worker.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const [installations = 24] = process.argv.slice(2).map(Number);
const { status, stderr } = spawnSync(
  process.execPath,
  ["scripts/ts.mjs", "test/bench/fleet/bench-worker.ts"],
  {
    cwd: root,
    encoding: "utf8",
  },
);
if (status !== 0) throw new Error(stderr);

/** Of what is compared by turns. */
const ROUNDS = 3;

interface Report {
  readonly milliseconds: number;
  readonly cpu: number;
}

interface Worker {
  readonly ready: Promise<unknown>;
  go(): void;
  readonly report: Promise<Report>;
}

function start(given: WorkerArguments): Worker {
  const child = spawn(
    process.execPath,
    [`${root}node_modules/.cache/configc/bench-worker.mjs`, JSON.stringify(given)],
    { cwd: root, stdio: ["pipe", "pipe", "ignore"] },
  );
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ready = lines.next();
  return {
    ready,
    go: () => void child.stdin.write("go\n"),
    report: ready.then(async () => {
      const report = JSON.parse((await lines.next()).value) as Report;
      // One that takes its time to end would be in the way of the next measurement.
      child.kill();
      return report;
    }),
  };
}

async function measure(workers: readonly Worker[]): Promise<{ seconds: number; cpu: number }> {
  await Promise.all(workers.map(({ ready }) => ready));
  for (const worker of workers) worker.go();
  const reports = await Promise.all(workers.map(({ report }) => report));
  return {
    seconds: Math.max(...reports.map(({ milliseconds }) => milliseconds)) / 1_000,
    cpu: reports.reduce((sum, { cpu }) => sum + cpu, 0),
  };
}

const postgres = await startPostgres();
const folder = mkdtempSync(join(tmpdir(), "configc-bench-"));
try {
  for (const latency of [0, 100]) {
    const count = latency === 0 ? installations : 2 * installations;
    const common = { latency, parallel: 8, installations: count, slot: "one" };
    const items = count * ITEMS;
    const tell = (what: string, { seconds, cpu }: { seconds: number; cpu: number }): number => {
      const rate = items / seconds;
      console.log(
        `platform ${latency} ms, ${what}: ${items} items in ${seconds.toFixed(1)} s, ${rate.toFixed(0)} items/s, ${(cpu / items).toFixed(2)} ms CPU an item`,
      );
      return rate;
    };
    tell("embedded on SQLite", await measure([start({ ...common, directory: join(folder, `${latency}`) })]));
    const rates: number[] = [];
    for (const workers of [1, 2]) {
      const database = await installed(count);
      const slots = Array.from({ length: workers }, (_, slot) =>
        start({ ...common, database, slot: `s${slot}` }),
      );
      rates.push(tell(`a fleet of ${workers}`, await measure(slots)));
    }
    console.log(
      `platform ${latency} ms, two workers to one: ${((rates[1] ?? 0) / (rates[0] ?? 1)).toFixed(2)}×`,
    );
  }
  await tellStories();
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true });
}

/** A database of a fleet with so many installations that are due. */
async function installed(count: number): Promise<string> {
  const database = await postgres.createDatabase();
  await migrateFleet(database);
  const store = await postgresStore({ url: database });
  await store.transaction(async (transaction) => {
    for (let number = 0; number < count; number++)
      await transaction.put("installations", {
        id: `i${number}`,
        app: "bench",
        workflow: "numbers",
        status: "active",
        settings: { customData: {} },
        createdAt: 1,
        changedAt: 1,
      });
  });
  await store.close();
  return database;
}

/** One worker with and without stories of its runs, by turns. */
async function tellStories(): Promise<void> {
  const cpu: Record<"all" | "none", number[]> = { all: [], none: [] };
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round++)
    for (const stories of ["none", "all"] as const) {
      const database = await installed(installations);
      const given = { latency: 0, parallel: 8, installations, slot: "one", database, stories };
      const measured = await measure([start(given)]);
      cpu[stories].push(measured.cpu / (installations * ITEMS));
      if (stories === "none") continue;
      const client = new pg.Client(database);
      await client.connect();
      const { rows } = await client.query<{ bytes: number }>(
        "SELECT pg_total_relation_size('configc.stories')::int AS bytes",
      );
      bytes = (rows[0]?.bytes ?? 0) / installations;
      await client.end();
    }
  const ratio = median(cpu.all) / median(cpu.none);
  console.log(
    `stories of all runs: ${median(cpu.all).toFixed(2)} ms CPU an item, ${median(cpu.none).toFixed(2)} without (${ratio.toFixed(2)}×); ${(bytes / 1_000).toFixed(1)} kB for each cycle of ${ITEMS} items`,
  );
}
