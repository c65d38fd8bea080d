import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "@configc/compiler";
import type { Release } from "@configc/runtime";
import { RateLimiter } from "@configc/runtime/internal";
import { expect, onTestFinished, test } from "vitest";
import { createHost } from "../../src/host.ts";
import { type SqliteWindows, sqliteWindows } from "../../src/store/index.ts";
import { serve } from "../http/support.ts";

/** A clock that moves when somebody sleeps. */
class Time {
  wall = 1_800_000_000_000;
  #since = 0;
  readonly clock = {
    now: () => this.wall,
    monotonic: () => this.#since,
    sleep: async (milliseconds: number) => this.pass(milliseconds),
  };
  pass(milliseconds: number): void {
    this.wall += milliseconds;
    this.#since += milliseconds;
  }
  /** Of another process, or after a start of the machine. */
  anew(): void {
    this.#since = 0;
  }
}

const quota = { requests: 2, period: 60 };

/** Who asks, in one process after the other: none of them closes anything, as if it were killed. */
function processes(time: Time): () => Promise<(wait?: { total: number }) => Promise<Release>> {
  const folder = mkdtempSync(join(tmpdir(), "configc-windows-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return async () => {
    time.anew();
    const windows: SqliteWindows = await sqliteWindows(join(folder, "limits.db"), () => time.wall);
    onTestFinished(() => windows.close());
    const limiter = new RateLimiter(time.clock, windows);
    return (wait = { total: 0 }) =>
      limiter.acquire("key", quota, {
        signal: new AbortController().signal,
        longest: 30_000,
        onWait: (milliseconds) => void (wait.total += milliseconds),
      });
  };
}

test("what an earlier process sent counts for the rest of its period", async () => {
  const time = new Time();
  const begin = processes(time);
  const first = await begin();
  (await first())();
  time.pass(20_000);
  (await first())();
  time.pass(10_000);
  const second = await begin();
  const wait = { total: 0 };
  (await second(wait))();
  expect(wait.total).toBe(30_000);
  (await second(wait))();
  expect(wait.total).toBe(50_000);
});

test("a request that was under way at the end has ended when the next process begins", async () => {
  const time = new Time();
  const begin = processes(time);
  const first = await begin();
  await first();
  await first();
  time.pass(50_000);
  const second = await begin();
  const wait = { total: 0 };
  (await second(wait))();
  expect(wait.total).toBe(60_000);
});

test("a clock that is set back between processes makes nobody wait for longer than a period", async () => {
  const time = new Time();
  const begin = processes(time);
  const first = await begin();
  (await first())();
  (await first())();
  time.wall -= 86_400_000;
  const second = await begin();
  const wait = { total: 0 };
  (await second(wait))();
  expect(wait.total).toBe(60_000);
});

test("what counts no more is removed", async () => {
  const time = new Time();
  const folder = mkdtempSync(join(tmpdir(), "configc-windows-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const windows = await sqliteWindows(join(folder, "limits.db"), () => time.wall);
  onTestFinished(() => windows.close());
  for (let round = 0; round < 1_000; round++) {
    windows.began("key", 1).ended();
    time.pass(100);
  }
  expect(windows.ages("key").length).toBeLessThan(300);
});

test("a host that is started again keeps to the limit of the service", async () => {
  const directory = mkdtempSync(join(tmpdir(), "configc-windows-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const times: number[] = [];
  const base = await serve((request, response) => {
    times.push(performance.now());
    request.resume();
    response.writeHead(200, { "content-type": "application/json" }).end("1");
  });
  const { app } = compile(
    JSON.stringify({
      $version: "2",
      api: { base_url: base, rate_limit: { app: { read: { requests: 2, period: 2 } } } },
      workflows: [
        {
          name: "w",
          label: "W",
          type: "generic",
          setup: {},
          data_pipeline: { source: { "!http": { path: "/" } } },
        },
      ],
    }),
  );
  for (let run = 0; run < 2; run++) {
    const host = await createHost({
      apps: { app },
      directory,
      key: new Uint8Array(32),
      allowPrivateNetwork: true,
    });
    for (let request = 0; request < 2; request++)
      await host.runtime("app")?.run("/workflows/0/data_pipeline/source", { input: null });
    await host.close();
  }
  expect(times).toHaveLength(4);
  expect(times[2]! - times[0]!).toBeGreaterThanOrEqual(2_000);
});
