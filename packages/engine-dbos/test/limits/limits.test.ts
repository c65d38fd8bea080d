import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { gate, noPostgres, openStore, preparedDatabase, rawClient } from "../store/support.ts";
import type { LimitsWorker } from "./limits-worker.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const never = new AbortController().signal;
const quota = (requests: number, period: number) => ({ requests, period });
const quick = { signal: never, longest: 60_000, onWait: () => undefined };

/** A third party that writes down when requests arrive. */
async function thirdParty(answer: () => number): Promise<{ url: string; arrivals: number[] }> {
  const arrivals: number[] = [];
  const server = createServer((_, response) => {
    arrivals.push(performance.now());
    setTimeout(() => response.end("{}"), answer());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrivals };
}

/** The most arrivals in any sliding window. */
function busiest(arrivals: readonly number[], period: number): number {
  let most = 0;
  let first = 0;
  for (const [last, at] of arrivals.entries()) {
    while (arrivals[first]! <= at - period) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

describe.skipIf(noPostgres !== undefined)(`request limits over all workers ${noPostgres ?? ""}`, () => {
  const database = preparedDatabase();

  test("four processes: never too many in any window, near the quota, one of them killed", async () => {
    const bundled = spawnSync(
      process.execPath,
      ["scripts/ts.mjs", fileURLToPath(new URL("limits-worker.ts", import.meta.url))],
      {
        cwd: root,
        encoding: "utf8",
      },
    );
    expect(bundled.stderr).toBe("");
    const { url: server, arrivals } = await thirdParty(() => 2 + Math.random() * 30);
    const given: LimitsWorker = {
      url: database.url,
      server,
      requests: 20,
      period: 0.5,
      parallel: 8,
      lasts: 3_000,
    };
    const workers: ChildProcess[] = [1, 2, 3, 4].map(() =>
      spawn(
        process.execPath,
        [`${root}node_modules/.cache/configc/limits-worker.mjs`, JSON.stringify(given)],
        {
          cwd: root,
          stdio: ["ignore", "ignore", "inherit"],
        },
      ),
    );
    const ended = workers.map((worker) => once(worker, "exit"));
    while (arrivals.length < 50 && workers[1]?.exitCode === null) await sleep(20);
    workers[0]?.kill("SIGKILL");
    await Promise.all(ended);
    expect(busiest(arrivals, 500)).toBeLessThanOrEqual(20);
    // A place is used again a period after its request's end, and those of the killed worker's are gone for a while. The first requests
    // find all places free; and a machine that is busy comes near the quota now and then only.
    expect(busiest(arrivals.slice(20), 1_000)).toBeGreaterThan(40 * 0.6);
  });

  test("turns are taken in the order of asking, over processes", async () => {
    const stores = await Promise.all([1, 2, 3].map(() => openStore(database.url)));
    const client = await rawClient(database.url);
    const queued = async (): Promise<number> => {
      const { rows } = await client.query<{ n: number }>(
        "SELECT (SELECT count(*) FROM configc.limit_places WHERE key = 'order')::int + (SELECT count(*) FROM configc.limit_waiters WHERE key = 'order')::int AS n",
      );
      return rows[0]?.n ?? 0;
    };
    const first = gate();
    const done: number[] = [];
    const all: Promise<void>[] = [];
    for (let turn = 0; turn < 9; turn++) {
      const { rateLimits } = stores[turn % 3]!;
      const line = async (): Promise<void> => {
        const release = await rateLimits.acquire("order", quota(1, 0.05), quick);
        if (turn === 0) await first.passed;
        done.push(turn);
        release();
      };
      all.push(line());
      // Of each process one stands in line, the others behind it.
      if (turn <= stores.length) await expect.poll(queued).toBe(turn + 1);
    }
    first.open();
    await Promise.all(all);
    expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("a request has its place until a period after its end, and who waits is told then", async () => {
    const [one, two] = [await openStore(database.url), await openStore(database.url)];
    const release = await one.rateLimits.acquire("end", quota(1, 0.2), quick);
    const waits: number[] = [];
    const next = two.rateLimits.acquire("end", quota(1, 0.2), {
      ...quick,
      longest: 60_000,
      onWait: (ms) => waits.push(ms),
    });
    await sleep(300);
    const ended = performance.now();
    release();
    (await next)();
    const passed = performance.now() - ended;
    expect(passed).toBeGreaterThanOrEqual(199);
    // Before it would have looked again by itself.
    expect(passed).toBeLessThan(1_500);
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThan(400);
  });

  test("who gives up waiting leaves the line, and a place that was given to him", async () => {
    const store = await openStore(database.url);
    const client = await rawClient(database.url);
    const waiting = async (): Promise<number | null> =>
      (await client.query("SELECT FROM configc.limit_waiters WHERE key = 'given up'")).rowCount;
    const first = await store.rateLimits.acquire("given up", quota(1, 3), quick);
    const stop = new AbortController();
    const given = store.rateLimits.acquire("given up", quota(1, 3), { ...quick, signal: stop.signal });
    await expect.poll(waiting).toBe(1);
    first();
    // It has the place then, but the time hasn't come.
    await expect.poll(waiting).toBe(0);
    stop.abort(new Error("enough"));
    await expect(given).rejects.toThrow("enough");
    const began = performance.now();
    await store.rateLimits.acquire("given up", quota(1, 3), quick);
    // Else it would be the other's for as long as his request may take.
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  test("the place of a worker that died is free when its request is certainly over, and a period later", async () => {
    const store = await openStore(database.url);
    const client = await rawClient(database.url);
    await store.rateLimits.acquire("died", quota(1, 1), { ...quick, longest: 30_000 });
    const { rows } = await client.query<{ left: number }>(
      "SELECT extract(epoch FROM free_at - clock_timestamp())::float8 AS left FROM configc.limit_places WHERE key = 'died'",
    );
    expect(rows[0]?.left).toBeGreaterThan(30 + 1);
    await client.query("UPDATE configc.limit_places SET free_at = clock_timestamp() WHERE key = 'died'");
    (await store.rateLimits.acquire("died", quota(1, 1), quick))();
  });

  test("those who died while they waited hold the others up for seconds, not for ever", async () => {
    const store = await openStore(database.url);
    const client = await rawClient(database.url);
    const release = await store.rateLimits.acquire("dead line", quota(1, 0.05), quick);
    await client.query(
      "INSERT INTO configc.limit_waiters (key, token) VALUES ('dead line', gen_random_uuid())",
    );
    release();
    await expect
      .poll(() => client.query("SELECT FROM configc.limit_waiters WHERE key = 'dead line'"))
      .toMatchObject({ rowCount: 0 });
    await client.query(
      "UPDATE configc.limit_places SET free_at = clock_timestamp() + interval '300 ms' WHERE key = 'dead line' AND holder IS NOT NULL",
    );
    const began = performance.now();
    (await store.rateLimits.acquire("dead line", quota(1, 0.05), quick))();
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  test("quotas of other keys don't count, and one that changes counts from then on", async () => {
    const { rateLimits } = await openStore(database.url);
    const held = gate();
    const hold = async (key: string, requests: number) => {
      const release = await rateLimits.acquire(key, quota(requests, 10), quick);
      void held.passed.then(release);
    };
    await Promise.all([hold("a", 2), hold("a", 2), hold("b", 2), hold("a", 3)]);
    const late = rateLimits.acquire("a", quota(3, 10), { ...quick, signal: AbortSignal.timeout(200) });
    await expect(late).rejects.toThrow(/timeout/);
    held.open();
  });

  test("a server's clock that is set back a day holds nobody up for longer than a request and its period", async () => {
    const { rateLimits } = await openStore(database.url);
    const client = await rawClient(database.url);
    const ask = async (key: string): Promise<number | null> => {
      const sql = "SELECT configc.limit_acquire($1, 1, gen_random_uuid(), 3000) AS wait";
      const [row] = (await client.query<{ wait: number | null }>(sql, [key])).rows;
      return row?.wait ?? null;
    };
    // A place that is free again soon, and one whose worker died: both as they are after the clock was set back.
    (await rateLimits.acquire("ended", quota(1, 1), quick))();
    await rateLimits.acquire("dead", quota(1, 1), quick);
    const held = "SELECT FROM configc.limit_places WHERE key = 'ended' AND holder IS NOT NULL";
    await expect.poll(() => client.query(held)).toMatchObject({ rowCount: 0 });
    await client.query(
      "UPDATE configc.limit_places SET free_at = free_at + interval '1 day', starts = starts + interval '1 day' WHERE key IN ('ended', 'dead')",
    );
    const wait = await ask("ended");
    expect(wait).toBeGreaterThan(1_000);
    expect(wait).toBeLessThanOrEqual(3_000);
    expect(await ask("dead")).toBeNull();
    const free =
      "SELECT extract(epoch FROM free_at - clock_timestamp()) * 1000 AS left FROM configc.limit_places WHERE key = 'dead'";
    expect(Number((await client.query<{ left: string }>(free)).rows[0]?.left)).toBeLessThanOrEqual(6_000);
  });

  test("what nobody has used for a day is forgotten, and only that", async () => {
    const { rateLimits } = await openStore(database.url);
    const client = await rawClient(database.url);
    for (const key of ["old", "new"]) (await rateLimits.acquire(key, quota(2, 1), quick))();
    const held = "SELECT FROM configc.limit_places WHERE key IN ('old', 'new') AND holder IS NOT NULL";
    await expect.poll(() => client.query(held)).toMatchObject({ rowCount: 0 });
    await client.query(
      "UPDATE configc.limit_places SET free_at = clock_timestamp() - interval '25 hours' WHERE key = 'old'",
    );
    await client.query("SELECT configc.limit_clean()");
    const { rows } = await client.query("SELECT key FROM configc.limit_windows WHERE key IN ('old', 'new')");
    expect(rows).toEqual([{ key: "new" }]);
  });
});
