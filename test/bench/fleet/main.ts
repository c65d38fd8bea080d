// Items a second on a fleet, beside the embedded host: `node scripts/ts.mjs test/bench/fleet/main.ts [INSTALLATIONS]`.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { migrateFleet, postgresStore } from "@configc/engine-dbos";
import { startPostgres } from "../../support/postgres.ts";
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
    report: ready.then(async () => JSON.parse((await lines.next()).value) as Report),
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
      const slots = Array.from({ length: workers }, (_, slot) =>
        start({ ...common, database, slot: `s${slot}` }),
      );
      rates.push(tell(`a fleet of ${workers}`, await measure(slots)));
    }
    console.log(
      `platform ${latency} ms, two workers to one: ${((rates[1] ?? 0) / (rates[0] ?? 1)).toFixed(2)}×`,
    );
  }
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true });
}
