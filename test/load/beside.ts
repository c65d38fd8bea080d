import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { migrateFleet } from "@configc/engine-dbos";
import pg from "pg";
import { startPostgres } from "../support/postgres.ts";
import type { BesideCount, BesideWorker } from "./beside-worker.ts";

/*
 * `node scripts/ts.mjs test/load/beside.ts [--rounds 3] [--seconds 60] [--installations 60] [--period 10] [--answer 2000] [--slow 20000] [--sick 200] [--workers 2] [--parallel 16]`: what an app does a second
 * alone, beside an app whose service never answers, and beside one whose service is slow. By turns in one run, so that what else the machine does falls on all alike; each turn begins with the moment at which the other app
 * does, so it holds the time in which nobody knows yet that its service is dead. `--period 1` asks for as much as the app can get, so that it waits for places all the time.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "60" },
    installations: { type: "string", default: "60" },
    period: { type: "string", default: "10" },
    answer: { type: "string", default: "2000" },
    slow: { type: "string", default: "20000" },
    sick: { type: "string", default: "200" },
    workers: { type: "string", default: "2" },
    parallel: { type: "string", default: "16" },
  },
});
const given = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
const { rounds = 3, seconds = 60, installations = 60, period = 10, answer = 2_000, slow = 20_000 } = given;
const { sick = 200, workers = 2, parallel = 16 } = given;

/** A service that answers after so many milliseconds, or never. */
async function service(takes: number) {
  let milliseconds = takes;
  const open = new Set<ServerResponse>();
  const reply = (response: ServerResponse): void => {
    if (open.delete(response)) response.setHeader("content-type", "application/json").end('{"items": []}');
  };
  const server = createServer((_request, response) => {
    open.add(response);
    response.on("close", () => open.delete(response));
    if (Number.isFinite(milliseconds)) setTimeout(() => reply(response), milliseconds);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take(next: number) {
      milliseconds = next;
      if (next === 0) for (const response of [...open]) reply(response);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const script = fileURLToPath(new URL("../../scripts/ts.mjs", import.meta.url));
const [well, other] = await Promise.all([service(answer), service(0)]);
const server = await startPostgres();
const database = await server.createDatabase();
await migrateFleet(database);
const client = new pg.Client(database);
await client.connect();
const watcher = new pg.Client(database);
await watcher.connect();
const children: ChildProcess[] = [];
try {
  await install("well", installations);
  await install("other", sick);
  await work("other", false);
  const apps = {
    well: { origin: well.origin, period },
    other: { origin: other.origin, period: 10 },
  };
  for (let n = 0; n < workers; n++) {
    const worker: BesideWorker = { database, slot: `w${n}`, parallel, apps };
    const child = fork(script, ["test/load/beside-worker.ts", JSON.stringify(worker)]);
    children.push(child);
    await once(child, "message");
  }
  await sleep(15_000);
  const rates: Record<string, number[]> = { alone: [], dead: [], slow: [] };
  for (let round = 1; round <= rounds; round++)
    for (const [name, takes] of [
      ["alone", undefined],
      ["dead", Number.POSITIVE_INFINITY],
      ["alone", undefined],
      ["slow", slow],
    ] as const) {
      await count();
      if (takes !== undefined) {
        other.take(takes);
        await work("other", true);
      }
      const parts: number[] = [];
      const looking = lookOn();
      let [done, asked, failed] = [0, 0, 0];
      for (let part = 0; part < 4; part++) {
        await sleep((seconds / 4) * 1_000);
        const counted = await count();
        parts.push(counted.well.done / (seconds / 4));
        done += counted.well.done;
        asked += counted.other.done;
        failed += counted.other.failed;
      }
      rates[name]?.push(done / seconds);
      console.log(
        `${name}: ${(done / seconds).toFixed(2)} cycles a second (${parts.map((rate) => rate.toFixed(1)).join(", ")}); of the other app ${asked} done, ${failed} failed`,
      );
      console.log(`  ${await looking.end()}`);
      if (takes !== undefined) await end();
    }
  const mean = (name: string): number =>
    (rates[name] ?? []).reduce((sum, rate) => sum + rate, 0) / (rates[name]?.length ?? 1);
  console.log(
    `alone ${mean("alone").toFixed(2)} cycles a second; beside a dead service ${(mean("dead") / mean("alone")).toFixed(2)} of that, beside a slow one ${(mean("slow") / mean("alone")).toFixed(2)}`,
  );
} finally {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all([client.end(), watcher.end()]);
  await server.stop();
  well.close();
  other.close();
}

async function count(): Promise<Record<"well" | "other", { done: number; failed: number }>> {
  const all = { well: { done: 0, failed: 0 }, other: { done: 0, failed: 0 } };
  for (const child of children) {
    const told = once(child, "message");
    child.send("count");
    const [counted] = (await told) as [BesideCount];
    for (const app of ["well", "other"] as const) {
      all[app].done += counted[app]?.done ?? 0;
      all[app].failed += counted[app]?.failed ?? 0;
    }
  }
  return all;
}

/** Where the first app's installations are, looked at five times a second: how many of them on average wait for their turn, wait for a worker, and run. */
function lookOn(): { end(): Promise<string> } {
  const sums = { turn: 0, worker: 0, running: 0, top: 0, other: 0 };
  let [looks, goes] = [0, true];
  const over = (async () => {
    while (goes) {
      const { rows } = await watcher.query<typeof sums>(`
        SELECT (SELECT count(*)::int FROM configc.backlog WHERE share = 'well' AND starts IS NULL) AS turn,
          count(*) FILTER (WHERE well AND status = 'ENQUEUED')::int AS worker, count(*) FILTER (WHERE well AND status = 'PENDING')::int AS running,
          count(*) FILTER (WHERE well AND queue_name LIKE '% on top')::int AS top, count(*) FILTER (WHERE NOT well)::int AS other
        FROM (
          SELECT *, starts_with(queue_partition_key, 'well') AS well FROM dbos.workflow_status
          WHERE status IN ('ENQUEUED', 'PENDING') AND queue_partition_key IS NOT NULL
        ) AS jobs`);
      for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += rows[0]?.[key] ?? 0;
      looks++;
      await sleep(200);
    }
  })();
  return {
    async end() {
      goes = false;
      await over;
      const mean = (key: keyof typeof sums): string => (sums[key] / looks).toFixed(1);
      return `of ${installations} installations ${mean("turn")} wait for their turn, ${mean("worker")} for a worker, ${mean("running")} run (${mean("top")} on top of the places); the other app has ${mean("other")} in the engine`;
    },
  };
}

/** The other app ends: what it has under way is answered, and nobody remembers that its service was dead. */
async function end(): Promise<void> {
  await work("other", false);
  other.take(0);
  await client.query("DELETE FROM configc.backlog WHERE share = 'other'; DELETE FROM configc.circuits");
  await sleep(10_000);
}

async function install(app: string, number: number): Promise<void> {
  await client.query(
    `INSERT INTO configc.installations (id, by_app, by_status, by_workflow, row)
    SELECT $1 || n, $1, 'active', 'items', json_build_object('id', $1 || n, 'app', $1::text, 'workflow', 'items', 'status', 'active',
      'settings', json_build_object('customData', json_build_object()), 'createdAt', 1, 'changedAt', 1)
    FROM generate_series(1, $2::int) n`,
    [app, number],
  );
}

/** Whether an app's installations are polled; if so, all are due at once. */
async function work(app: string, works: boolean): Promise<void> {
  const [from, to] = works ? ["paused", "active"] : ["active", "paused"];
  await client.query("DELETE FROM configc.polling WHERE by_installation LIKE $1 || '%'", [app]);
  await client.query(
    "UPDATE configc.installations SET by_status = $3, row = replace(row, $2, $3) WHERE by_app = $1",
    [app, from, to],
  );
}
