import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { migrateFleet, postgresStore } from "@configc/engine-dbos";
import pg from "pg";
import type { Postgres } from "../support/postgres.ts";
import type { LoadWorker } from "./load-worker.ts";
import { type Seen, thirdParty } from "./third-party.ts";

export interface Load {
  readonly workers: number;
  /** Installations that one worker works for at once. */
  readonly parallel: number;
  readonly installations: number;
  /** Of each. */
  readonly items: number;
  /** Milliseconds of each answer of the third party. */
  readonly answer: number;
}

export interface Measured {
  readonly load: Load;
  /** Seconds from the start to the last item. */
  readonly seconds: number;
  readonly itemsPerSecond: number;
  /** Milliseconds: from the fetching of an installation's items to the arrival of the last one. */
  readonly cycle: { readonly p50: number; readonly p99: number };
  /** CPU milliseconds of all workers, for each item. */
  readonly workerCpu: number;
  /** CPU milliseconds of Postgres for each item; undefined where the system doesn't tell. */
  readonly databaseCpu: number | undefined;
  /** Of the database, for each item. */
  readonly transactions: number;
  readonly rollbacks: number;
  /** Bytes of the log, for each item. */
  readonly log: number;
  readonly doubles: number;
  readonly failures: number;
  /** Bytes of the largest worker. */
  readonly memory: number;
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Has a fleet do all that is due for a number of installations at once. */
export async function measure(server: Postgres, load: Load): Promise<Measured> {
  const { workers, parallel, installations, items, answer } = load;
  const database = await server.createDatabase();
  await migrateFleet(database);
  await install(database, installations);
  const third = await thirdParty(items, answer);
  const processes: ChildProcess[] = [];
  const client = new pg.Client(database);
  await client.connect();
  try {
    for (let n = 1; n <= workers; n++)
      processes.push(begin({ database, thirdParty: third.url, slot: `w${n}`, parallel }));
    await Promise.all(processes.map((child) => once(child.stdout!, "data")));
    const before = await databaseNow(client, server.pid);
    const start = performance.now();
    for (const child of processes) child.stdin?.write("start\n");
    const all = installations * items;
    for (const patience = start + 600_000; third.arrived() < all; await sleep(50))
      if (performance.now() > patience) throw new Error(`Only ${third.arrived()} of ${all} items arrived.`);
    const seconds = (performance.now() - start) / 1_000;
    const told = await Promise.all(processes.map(end));
    const after = await databaseNow(client, server.pid);
    const cycles = [...third.seen.values()]
      .map(({ fetched, last }: Seen) => last - fetched)
      .sort((a, b) => a - b);
    return {
      load,
      seconds,
      itemsPerSecond: all / seconds,
      cycle: { p50: cycles[cycles.length >> 1] ?? 0, p99: cycles[Math.floor(cycles.length * 0.99)] ?? 0 },
      workerCpu: told.reduce((sum, { cpu }) => sum + cpu, 0) / all,
      databaseCpu:
        after.cpu === undefined || before.cpu === undefined ? undefined : (after.cpu - before.cpu) / all,
      transactions: (after.commits - before.commits) / all,
      rollbacks: (after.rollbacks - before.rollbacks) / all,
      log: (after.log - before.log) / all,
      doubles: third.doubles(),
      failures: told.reduce((sum, { failures }) => sum + failures, 0),
      memory: Math.max(...told.map(({ memory }) => memory)),
    };
  } finally {
    for (const child of processes) if (child.exitCode === null) child.kill("SIGKILL");
    await client.end();
    third.close();
  }
}

/** Bundles the worker, so that each of its processes begins at once. */
export function bundleLoadWorker(): void {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/ts.mjs", "test/load/load-worker.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The worker can't be bundled: ${stderr}`);
}

function begin(given: LoadWorker): ChildProcess {
  const bundle = `${root}node_modules/.cache/configc/load-worker.mjs`;
  return spawn(process.execPath, [bundle, JSON.stringify(given)], {
    cwd: root,
    stdio: ["pipe", "pipe", "inherit"],
  });
}

interface Told {
  readonly cpu: number;
  readonly failures: number;
  readonly memory: number;
}

async function end(child: ChildProcess): Promise<Told> {
  const said = once(child.stdout!, "data");
  child.stdin?.write("end\n");
  const [text] = (await said) as [Buffer];
  await once(child, "exit");
  return JSON.parse(String(text)) as Told;
}

async function install(database: string, installations: number): Promise<void> {
  const store = await postgresStore({ url: database });
  await store.transaction(async (transaction) => {
    for (let n = 0; n < installations; n++)
      await transaction.put("installations", {
        id: `i${n}`,
        app: "load",
        workflow: "forward",
        status: "active",
        settings: { customData: { id: { value: `i${n}` } } },
        createdAt: 1,
        changedAt: 1,
      });
  });
  await store.close();
}

async function databaseNow(client: pg.Client, pid: number) {
  // What connections counted is told a second later at the latest.
  await sleep(1_100);
  const { rows } = await client.query<{ commits: string; rollbacks: string; log: string }>(
    `SELECT xact_commit AS commits, xact_rollback AS rollbacks, pg_current_wal_lsn() - '0/0'::pg_lsn AS log
    FROM pg_stat_database WHERE datname = current_database()`,
  );
  const [row] = rows;
  return {
    commits: Number(row?.commits),
    rollbacks: Number(row?.rollbacks),
    log: Number(row?.log),
    cpu: cpuOf(pid),
  };
}

/** CPU milliseconds of a process, its children and those that have ended; on Linux. */
export function cpuOf(pid: number): number | undefined {
  try {
    let ticks = 0;
    for (const name of readdirSync("/proc")) {
      if (!/^\d+$/.test(name)) continue;
      // The name of the program, in brackets, may hold anything.
      const fields = statOf(name)?.split(") ")[1]?.split(" ");
      if (fields === undefined) continue;
      if (Number(fields[1]) === pid) ticks += Number(fields[11]) + Number(fields[12]);
      if (Number(name) === pid) ticks += fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    }
    // A hundredth of a second, whatever the kernel counts in.
    return ticks * 10;
  } catch {
    return undefined;
  }
}

function statOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
