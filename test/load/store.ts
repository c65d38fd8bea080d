import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate, type PostgresStore, postgresStore } from "@configc/engine-dbos";
import { sqliteStore } from "@configc/host";
import { createRuntime, type Delivery, type Effects, type Store } from "@configc/runtime";
import { Database } from "../../packages/engine-dbos/src/postgres/database.ts";
import { candidatesIn } from "../../packages/engine-dbos/src/worker/candidates.ts";
import { dueJobs } from "../../packages/host/src/scheduler/look.ts";
import { startPostgres } from "../support/postgres.ts";
import { loadApp } from "./app.ts";
import { cpuOf } from "./measure.ts";

/*
 * `node scripts/ts.mjs test/load/store.ts`: what operations of the store cost, on Postgres and on SQLite, and how long a look at what is due takes.
 * The tests' Postgres doesn't wait for the disk: what a commit waits for there has to be added.
 */

const server = await startPostgres();
const url = await server.createDatabase();
await migrate(url);
const postgres = await postgresStore({ url, connections: 16 });
const folder = mkdtempSync(join(tmpdir(), "configc-load-"));
const sqlite = await sqliteStore(join(folder, "state.db"));

const delivery = (installation: string, id: string): Delivery => ({
  id,
  app: "load",
  installation,
  intake: "items",
  origin: "polling",
  status: "waiting",
  input: { id, text: "x".repeat(200) },
  attempts: 0,
  receivedAt: 1,
});

type Work = (store: Store, n: number) => Promise<unknown>;

const operations: Readonly<Record<string, Work>> = {
  "read a row": (store, n) => store.transaction((t) => t.get("deliveries", `d${n % 500}`)),
  "list 50 rows": (store) =>
    store.transaction((t) =>
      t.list("deliveries", { installation: "listed", status: "waiting" }, { limit: 50 }),
    ),
  "read and replace a row": (store, n) =>
    store.transaction(async (t) => {
      const row = await t.get("deliveries", `d${n % 500}`);
      if (row !== undefined) await t.put("deliveries", { ...row, attempts: n });
    }),
  "commit 10 items and a state": (store, n) =>
    store.transaction(async (t) => {
      for (let item = 0; item < 10; item++) await t.put("deliveries", delivery(`i${n}`, `${n}/${item}`));
      await t.put("saved", { id: `workflow/i${n}`, scope: "workflow", values: { n } });
    }),
  "take and give back a lock": (store, n) => store.exclusive(`k${n}`, async () => undefined),
};

try {
  for (const store of [postgres, sqlite])
    await store.transaction(async (t) => {
      for (let n = 0; n < 500; n++) await t.put("deliveries", delivery("kept", `d${n}`));
      for (let n = 0; n < 50; n++) await t.put("deliveries", delivery("listed", `l${n}`));
    });
  console.log(
    "| operation | Postgres: a second, 1 and 16 at once | our CPU µs | its CPU µs | SQLite: a second | CPU µs |",
  );
  console.log("|---|---|---|---|---|---|");
  for (const [name, work] of Object.entries(operations)) {
    const one = await timed(postgres, work, 1, 400);
    const many = await timed(postgres, work, 16, 3_000);
    const local = await timed(sqlite, work, 16, 3_000);
    console.log(
      `| ${name} | ${one.rate}, ${many.rate} | ${many.ours} | ${many.its} | ${local.rate} | ${local.ours} |`,
    );
  }
  const limits = await timed(postgres, limited, 16, 2_000);
  console.log(
    `| take and give back a place of a limit | , ${limits.rate} | ${limits.ours} | ${limits.its} | | |`,
  );
  for (const installations of [1_000, 10_000]) await look(postgres, installations);
} finally {
  await postgres.close();
  await sqlite.close();
  rmSync(folder, { recursive: true });
  await server.stop();
}

async function limited(store: Store, n: number): Promise<void> {
  const { rateLimits } = store as PostgresStore;
  const signal = new AbortController().signal;
  const quota = { requests: 1_000, period: 0.001 };
  (await rateLimits.acquire(`q${n % 100}`, quota, { signal, longest: 1_000, onWait: () => undefined }))();
}

async function timed(store: Store, work: Work, parallel: number, times: number) {
  let next = 0;
  const line = async (most: number): Promise<void> => {
    while (next < most) await work(store, next++);
  };
  await Promise.all(Array.from({ length: parallel }, () => line(times / 4)));
  const [cpu, its, start, first] = [process.cpuUsage(), cpuOf(server.pid) ?? 0, performance.now(), next];
  await Promise.all(Array.from({ length: parallel }, () => line(times)));
  const [milliseconds, done] = [performance.now() - start, next - first];
  const { user, system } = process.cpuUsage(cpu);
  return {
    rate: Math.round((done / milliseconds) * 1_000),
    ours: Math.round((user + system) / done),
    its: Math.round((((cpuOf(server.pid) ?? 0) - its) * 1_000) / done),
  };
}

/** What the scheduler does every few seconds. */
async function look(store: Store, installations: number): Promise<void> {
  await store.transaction(async (t) => {
    for (let n = 0; n < installations; n++) {
      const id = `look ${installations} ${n}`;
      const common = { app: `look ${installations}`, createdAt: 1, changedAt: 1 } as const;
      await t.put("installations", {
        id,
        ...common,
        workflow: "forward",
        status: "active",
        settings: { customData: {} },
      });
      await t.put("polling", {
        id,
        installation: id,
        intake: "items",
        ready: true,
        state: {},
        cycle: 1,
        phase: "idle",
        requests: 1,
        results: 1,
        recent: [],
        allRequests: 1,
        done: false,
        failures: 0,
        startedAt: Date.now(),
      });
    }
  });
  const database = new Database({ url, connections: 1 });
  // It looks at the app alone.
  const runtime = createRuntime(loadApp("http://localhost"), {} as Effects, { store });
  const [cpu, its, start] = [process.cpuUsage(), cpuOf(server.pid) ?? 0, performance.now()];
  for await (const some of candidatesIn(database, store)(`look ${installations}`))
    dueJobs(some, runtime, Date.now());
  const { user, system } = process.cpuUsage(cpu);
  console.log(
    `A look at ${installations} installations of which none is due: ${Math.round(performance.now() - start)} ms, our CPU ${Math.round((user + system) / 1_000)} ms, the database's ${(cpuOf(server.pid) ?? 0) - its} ms`,
  );
  await database.close();
}
