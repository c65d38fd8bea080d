import { createFleetWorker, type FleetOptions, type FleetWorker } from "@configc/engine-dbos";
import { embeddedPlatform, type JobReport } from "@configc/host";
import type { Json, JsonObject } from "@configc/runtime";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { noPostgres } from "../../../test/support/postgres.ts";
import { pruneVersions } from "../src/worker/versions.ts";
import { gate } from "./engine/contract.ts";
import { fleetDatabase } from "./support/database.ts";
import { numbers } from "./support/numbers.ts";

interface Started {
  readonly worker: FleetWorker;
  readonly reports: JobReport[];
}

async function start(database: string, more: Partial<FleetOptions> = {}): Promise<Started> {
  const reports: JobReport[] = [];
  const worker = await createFleetWorker({
    database,
    slot: "one",
    apps: { acme: numbers("1") },
    key: new Uint8Array(32),
    effects: { platform: embeddedPlatform() },
    schedule: { interval: 3_600 },
    queueInterval: 20,
    report: (report) => reports.push(report),
    ...more,
  });
  await worker.store.transaction(async (transaction) => {
    if ((await transaction.get("installations", "n")) !== undefined) return;
    await transaction.put("installations", {
      id: "n",
      app: "acme",
      workflow: "numbers",
      status: "active",
      settings: { customData: {} },
      createdAt: 1,
      changedAt: 1,
    });
  });
  return { worker, reports };
}

/** A platform that stops at an item until it is let on. */
function stopping(at: number) {
  const delivered: JsonObject[] = [];
  const keys = new Set<string>();
  const reached = gate();
  const open = gate();
  const platform = {
    ...embeddedPlatform(),
    async upsert(_resource: string, item: JsonObject, { key = "" }: { key?: string }): Promise<Json> {
      if (delivered.length === at) {
        reached.open();
        await open.passed;
      }
      if (!keys.has(key)) delivered.push(item);
      keys.add(key);
      return {};
    },
  };
  return { effects: { platform }, delivered, reached: reached.passed, open: open.open };
}

/** A worker that has come to an item and waits there. */
async function atItem(at: number) {
  const { effects, delivered, reached, open } = stopping(at);
  const { worker } = await start(await fleetDatabase(), { effects });
  onTestFinished(() => worker.close(0));
  await worker.start();
  await reached;
  return { worker, delivered, open };
}

const emails = (items: readonly JsonObject[]): Json[] => items.map(({ email }) => email ?? null);
const all = Array.from({ length: 6 }, (_, n) => `p${n}@example.com`);

describe.skipIf(noPostgres !== undefined)("a worker of a fleet", () => {
  test("a run that is held ends before its next step, and goes on from there when it is released", async () => {
    const { worker, delivered, open } = await atItem(3);
    await worker.runs.hold("acme", "n");
    open();
    await worker.idle();
    expect(delivered).toHaveLength(4);
    worker.deliver("acme", "n");
    await worker.idle();
    expect(delivered).toHaveLength(4);
    const [held] = await worker.runs.list({ app: "acme", installation: "n", status: "cancelled" });
    await worker.runs.release("acme", "n");
    await worker.idle();
    expect(emails(delivered)).toEqual(all);
    expect(await worker.runs.inspect(held?.id ?? "")).toMatchObject({
      status: "done",
      output: { delivered: 6 },
    });
  });

  test("a run ends with the version of the app that it began with, the next one takes the new one", async () => {
    const database = await fleetDatabase();
    const { effects, delivered, reached, open } = stopping(3);
    const first = await start(database, { effects });
    await first.worker.start();
    await reached;
    setTimeout(open, 50);
    await first.worker.close();
    let now = Date.now();
    const clock = { now: () => now, sleep: async () => undefined };
    const second = await start(database, { effects: { ...effects, clock }, apps: { acme: numbers("2") } });
    await second.worker.start();
    await second.worker.idle();
    expect(emails(delivered)).toEqual(all);
    expect(new Set(delivered.map(({ version }) => version))).toEqual(new Set(["1"]));
    now += 1_800_000;
    await second.worker.close();
    const third = await start(database, { effects: { ...effects, clock }, apps: { acme: numbers("2") } });
    onTestFinished(() => third.worker.close(0));
    await third.worker.start();
    await third.worker.idle();
    expect(delivered.at(-1)).toMatchObject({ version: "2" });
  });

  test("runs that begin after another version was published begin with that, those under way end with theirs", async () => {
    const { effects, delivered, reached, open } = stopping(3);
    const database = await fleetDatabase();
    let now = Date.now();
    const clock = { now: () => now, sleep: async () => undefined };
    const { worker } = await start(database, {
      effects: { ...effects, clock },
      schedule: { interval: 1, parallel: 2 },
    });
    onTestFinished(() => worker.close(0));
    await worker.start();
    await reached;
    worker.publish("acme", numbers("2"));
    open();
    await worker.idle();
    expect(delivered.map(({ version }) => version)).toEqual(Array(6).fill("1"));
    now += 1_800_000;
    await expect.poll(() => delivered.length, { timeout: 30_000 }).toBeGreaterThan(6);
    await worker.idle();
    expect(new Set(delivered.slice(6).map(({ version }) => version))).toEqual(new Set(["2"]));
    const runs = await worker.runs.list({ status: "done" });
    expect(new Set(runs.map(({ version }) => version)).size).toBe(2);
  });

  test("a version is forgotten when nobody uses it and no run needs it; a run whose version is gone says so", async () => {
    const { effects, reached, open } = stopping(3);
    const database = await fleetDatabase();
    const { worker } = await start(database, { effects, schedule: { interval: 1, parallel: 2 } });
    const client = new pg.Client(database);
    await client.connect();
    onTestFinished(() => client.end());
    const kept = async (): Promise<number> => (await client.query("SELECT FROM configc.apps")).rows.length;
    await worker.start();
    await reached;
    const queries = {
      query: async (sql: string, values: readonly unknown[] = []) =>
        (await client.query(sql, [...values])).rows,
    };
    await client.query("UPDATE configc.apps SET used = now() - interval '8 days'");
    await client.query(
      "INSERT INTO configc.apps (version, name, app) VALUES ('newer', 'acme', '{}'), ('other', 'else', '{}')",
    );
    await client.query("UPDATE configc.apps SET used = now() - interval '9 days' WHERE name = 'else'");
    // The run that stands at its third item began with it.
    expect(await pruneVersions(queries as never, Date.now() - 7 * 86_400_000)).toBe(0);
    const running = (await worker.runs.list({ status: "running" }))[0]!;
    await worker.runs.cancel(running.id);
    open();
    await worker.idle();
    expect(await pruneVersions(queries as never, Date.now() - 7 * 86_400_000)).toBe(1);
    expect(await kept()).toBeGreaterThanOrEqual(2);

    // Another process that takes it up: this one still has the version in memory.
    await worker.close();
    const other = await start(database, { effects, apps: { acme: numbers("3") } });
    onTestFinished(() => other.worker.close(0));
    await other.worker.runs.resume(running.id);
    await other.worker.start();
    await expect
      .poll(() => other.reports.map(({ error }) => String(error)), { timeout: 30_000 })
      .toContainEqual(
        expect.stringMatching(
          /began with the version `[0-9a-f]{32}` of the app `acme`, which isn't kept any more/,
        ),
      );
    expect((await other.worker.runs.inspect(running.id)).error).toMatch(/the next run goes on from there/);
  });

  test("a run that is cancelled ends before its next step; the next one goes on from what was committed", async () => {
    const { worker, delivered, open } = await atItem(3);
    const [running] = await worker.runs.list({ status: "running" });
    await worker.runs.cancel(running?.id ?? "");
    open();
    await worker.idle();
    expect(delivered).toHaveLength(4);
    worker.deliver("acme", "n");
    await worker.idle();
    expect(await worker.runs.inspect(running?.id ?? "")).toMatchObject({ status: "cancelled" });
    await worker.runtime("acme")?.poll("n");
    expect(emails(delivered)).toEqual(all);
  });

  test("a process that only takes webhooks enqueues, and a worker does it", async () => {
    const database = await fleetDatabase();
    const server = await start(database, { works: false });
    server.worker.deliver("acme", "n");
    await expect.poll(() => server.worker.runs.list({ status: "waiting" })).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await server.worker.runs.list({ status: "waiting" })).toHaveLength(1);
    await server.worker.close(0);
    const { worker } = await start(database);
    onTestFinished(() => worker.close(0));
    await worker.idle();
    expect(await worker.runs.list({ status: "done" })).toHaveLength(1);
  });

  test("a copy of a run that failed takes it up before the step that failed", async () => {
    const database = await fleetDatabase();
    const delivered: JsonObject[] = [];
    let down = true;
    const platform = {
      ...embeddedPlatform(),
      async upsert(_resource: string, item: JsonObject): Promise<Json> {
        if (down && delivered.length === 3) throw new Error("The platform is down.");
        delivered.push(item);
        return {};
      },
    };
    const { worker } = await start(database, { effects: { platform } });
    onTestFinished(() => worker.close(0));
    await worker.start();
    await worker.idle();
    const [failed] = await worker.runs.list({ status: "failed" });
    const { steps } = await worker.runs.inspect(failed?.id ?? "");
    const step = steps.find(({ error }) => error !== undefined);
    expect(step?.error).toBe("PlatformError: The platform failed: The platform is down.");
    expect(step?.name).toMatch(/^deliver n\/numbers\/1\/2\/1\//);
    down = false;
    const copy = await worker.runs.fork(failed?.id ?? "", step?.number ?? 0);
    await worker.idle();
    expect(await worker.runs.inspect(copy)).toMatchObject({ status: "done" });
    expect(emails(delivered)).toEqual(all);
  });

  test("the runs of a worker that gives no sign any more are taken over", async () => {
    const database = await fleetDatabase();
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(
      "INSERT INTO configc.workers (slot, process, seen, since, about) VALUES ('dead', gen_random_uuid(), now() - interval '1 hour', now(), '')",
    );
    const taken: string[] = [];
    const { worker } = await start(database, { silence: 900, onTakeOver: (slot) => taken.push(slot) });
    onTestFinished(() => worker.close(0));
    await expect.poll(() => taken, { timeout: 40_000, interval: 200 }).toEqual(["dead"]);
    expect((await client.query("SELECT slot FROM configc.workers")).rows).toEqual([{ slot: "one" }]);
  });

  test("of two processes with one slot the last one stays; a process has one worker", async () => {
    const database = await fleetDatabase();
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    onTestFinished(() => client.end());
    let replaced = 0;
    const { worker } = await start(database, { silence: 900, onReplaced: () => replaced++ });
    onTestFinished(() => worker.close(0));
    await expect(start(database, { slot: "two" })).rejects.toThrow("one worker at a time");
    await client.query("UPDATE configc.workers SET process = gen_random_uuid() WHERE slot = 'one'");
    await expect.poll(() => replaced, { timeout: 20_000 }).toBe(1);
  });
});
