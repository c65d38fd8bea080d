import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type App, compile } from "@configc/compiler";
import { createFleetWorker } from "@configc/engine-dbos";
import { createHost, embeddedPlatform, type Host, type HostingOptions } from "@configc/host";
import { describe, expect, onTestFinished, test } from "vitest";
import { noPostgres } from "../../../test/support/postgres.ts";
import { fleetDatabase } from "./support/database.ts";

const BUSY = 8;
/** A request in each period, and how many milliseconds one waits where it is. */
const PERIOD = 1;
const PATIENCE = 200;

/**
 * Answers everybody, and writes down who asked and when.
 *
 * @param later seconds after which those whose name begins with `busy` have to come again, the first time
 */
async function thirdParty(later?: number) {
  const asked: { readonly who: string; readonly at: number }[] = [];
  const server = createServer((request, response) => {
    const who = (request.url ?? "").slice(1);
    const isFirst = asked.every((one) => one.who !== who);
    asked.push({ who, at: performance.now() });
    if (later !== undefined && isFirst && who.startsWith("busy"))
      return response.writeHead(429, { "retry-after": `${later}` }).end();
    response.setHeader("content-type", "application/json").end('{"items": [{"email": "a@example.com"}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function polling(origin: string, limited: boolean, requests = 1): App {
  const quota = { requests: 1, period: PERIOD };
  const get = { "!http": { path: "/${custom_data.who.value}" } };
  const request = {
    "!pipe": [...Array.from({ length: requests }, () => get), { "!jq": "{results: .items, iterate: false}" }],
  };
  return compile(
    JSON.stringify({
      $version: "2",
      api: { base_url: origin, ...(limited ? { rate_limit: { app: { read: quota } } } : {}) },
      data_intake: [{ type: "polling", name: "items", request }],
      workflows: [
        {
          name: "items",
          label: "Items",
          type: "generic",
          data_intake: "items",
          setup: { schedule: { label: "S", description: "D", import_options: [], frequency: 1800 } },
          data_pipeline: { source: { "!jq": "." }, target: { "!resource": "PlatformContact" } },
        },
      ],
    }),
  ).app;
}

async function install({ store }: Host, app: string, who: string): Promise<void> {
  const settings = { customData: { who: { value: who } } };
  const row = {
    id: who,
    app,
    workflow: "items",
    status: "active",
    settings,
    createdAt: 1,
    changedAt: 1,
  } as const;
  await store.transaction((transaction) => transaction.put("installations", row));
}

const hosts: Readonly<Record<string, (options: HostingOptions) => Promise<Host>>> = {
  "a host of one process": (options) => createHost(options),
  "a worker of a fleet": async (options) =>
    createFleetWorker({
      ...options,
      database: await fleetDatabase(),
      key: new Uint8Array(32),
      effects: { platform: embeddedPlatform() },
      queueInterval: 50,
    }),
};

describe.skipIf(noPostgres !== undefined).each(Object.entries(hosts))("%s", (_name, open) => {
  test("many that wait for one app's rate limit leave the places to others, and go on in their turn", async () => {
    const { origin, asked } = await thirdParty();
    const done: string[] = [];
    const host = await open({
      apps: { busy: polling(origin, true), calm: polling(origin, false) },
      allowPrivateNetwork: true,
      limits: { patience: PATIENCE },
      schedule: { parallel: 2, interval: 1 },
      report: ({ installation, job, result, error }) => {
        if (error !== undefined) done.push(`${installation} failed: ${error}`);
        else if (job === "poll") done.push(`${installation} ${JSON.stringify(result)}`);
      },
    });
    onTestFinished(() => host.close(0));
    const busy = Array.from({ length: BUSY }, (_, number) => `busy${number}`);
    for (const who of busy) await install(host, "busy", who);
    await host.start();
    await expect.poll(() => asked.length, { timeout: 20_000 }).toBeGreaterThan(0);
    await install(host, "calm", "calm");
    await expect.poll(() => asked.map(({ who }) => who), { timeout: 20_000 }).toContain("calm");
    // With the places kept, it would have come after them.
    expect(asked.findIndex(({ who }) => who === "calm")).toBeLessThan(BUSY - 1);
    await expect.poll(() => done.length, { timeout: 90_000, interval: 100 }).toBe(BUSY + 1);
    expect(done.filter((text) => text.includes("failed: "))).toEqual([]);
    expect(asked.map(({ who }) => who).sort()).toEqual([...busy, "calm"]);
    const times = asked.filter(({ who }) => who !== "calm").map(({ at }) => at);
    for (const [index, at] of times.entries())
      if (index > 0) expect(at - times[index - 1]!).toBeGreaterThanOrEqual(PERIOD * 1_000 - 5);
  });
});

describe.skipIf(noPostgres !== undefined).each(Object.entries(hosts))("%s", (_name, open) => {
  test("those whom a service tells to come again later leave the places to others, and keep to it", async () => {
    const later = 4;
    const { origin, asked } = await thirdParty(later);
    const done: string[] = [];
    const host = await open({
      apps: { acme: polling(origin, false) },
      allowPrivateNetwork: true,
      limits: { patience: PATIENCE },
      schedule: { parallel: 2, interval: 1 },
      report: ({ installation, job, error }) => {
        if (error !== undefined || job === "poll") done.push(`${installation} ${error ?? "done"}`);
      },
    });
    onTestFinished(() => host.close(0));
    const busy = Array.from({ length: 3 }, (_, number) => `busy${number}`);
    for (const who of [...busy, "calm"]) await install(host, "acme", who);
    await host.start();
    await expect.poll(() => done.length, { timeout: 90_000, interval: 100 }).toBe(4);
    expect(done.sort()).toEqual([...busy.map((who) => `${who} done`), "calm done"]);
    const times = (who: string): number[] => asked.filter((one) => one.who === who).map(({ at }) => at);
    const [calm = 0] = times("calm");
    for (const who of busy) {
      const [first = 0, second = 0, ...more] = times(who);
      expect(more).toEqual([]);
      expect(second - first).toBeGreaterThanOrEqual(later * 1_000 - 5);
      // With the places kept, it would have come after two of them.
      expect(calm).toBeLessThan(second);
    }
  });
});

test("a step that has sent something waits where it is: it would send that again, and never come to its end", async () => {
  const { origin, asked } = await thirdParty();
  const done: string[] = [];
  const host = await createHost({
    apps: { busy: polling(origin, true, 3) },
    allowPrivateNetwork: true,
    limits: { patience: PATIENCE },
    report: ({ error }) => done.push(error === undefined ? "done" : String(error)),
  });
  onTestFinished(() => host.close(0));
  await install(host, "busy", "one");
  await host.start();
  await expect.poll(() => done, { timeout: 20_000 }).toEqual(["done"]);
  expect(asked).toHaveLength(3);
});

test("a runtime without an engine waits where it is", async () => {
  const { origin, asked } = await thirdParty();
  const host = await createHost({
    apps: { busy: polling(origin, true) },
    allowPrivateNetwork: true,
    limits: { patience: PATIENCE },
  });
  onTestFinished(() => host.close(0));
  for (const who of ["one", "two"]) await install(host, "busy", who);
  const runtime = host.runtime("busy")!;
  const polled = await Promise.all(["one", "two"].map((who) => runtime.poll(who)));
  expect(polled).toMatchObject([{ delivered: 1 }, { delivered: 1 }]);
  expect(asked).toHaveLength(2);
});
