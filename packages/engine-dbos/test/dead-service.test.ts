import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type App, compile } from "@configc/compiler";
import { createFleetWorker } from "@configc/engine-dbos";
import { createHost, embeddedPlatform, type Host, type HostingOptions } from "@configc/host";
import { describe, expect, onTestFinished, test } from "vitest";
import { noPostgres } from "../../../test/support/postgres.ts";
import { fleetDatabase } from "./support/database.ts";

const PLACES = 8;
const DEAD = 60;
const CALM = 100;

/** A service that answers, or takes requests and never does, until it is let. */
async function service(answers: boolean) {
  let asked = 0;
  let alive = answers;
  const open: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    asked++;
    if (!alive) return void open.push(response);
    response.setHeader("content-type", "application/json").end('{"items": []}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    revive() {
      alive = true;
    },
  };
}

function polling(origin: string): App {
  const request = { "!pipe": [{ "!http": { path: "/" } }, { "!jq": "{results: .items, iterate: false}" }] };
  return compile(
    JSON.stringify({
      $version: "2",
      api: { base_url: origin },
      data_intake: [{ type: "polling", name: "items", request }],
      workflows: [
        {
          name: "items",
          label: "Items",
          type: "generic",
          data_intake: "items",
          setup: { schedule: { label: "S", description: "D", import_options: [], frequency: 86400 } },
          data_pipeline: { source: { "!jq": "." }, target: { "!resource": "PlatformContact" } },
        },
      ],
    }),
  ).app;
}

async function install({ store }: Host, app: string, number: number): Promise<void> {
  await store.transaction(async (transaction) => {
    for (let n = 0; n < number; n++)
      await transaction.put("installations", {
        id: `${app}${n}`,
        app,
        workflow: "items",
        status: "active",
        settings: { customData: {} },
        createdAt: 1,
        changedAt: 1,
      });
  });
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
  test("a service that never answers has few places for a while and then none; when it is tried again, all go on", async () => {
    const dead = await service(false);
    const calm = await service(true);
    const done = { dead: 0, calm: 0 };
    let failed = 0;
    const host = await open({
      apps: { dead: polling(dead.origin), calm: polling(calm.origin) },
      allowPrivateNetwork: true,
      // One try takes as long as hundreds of the other app's cycles.
      limits: { requestTime: 3_000 },
      schedule: { parallel: PLACES, interval: 1 },
      report: ({ app, job, error }) => {
        if (error !== undefined && app === "dead") failed++;
        else if (job === "poll") done[app as keyof typeof done]++;
      },
    });
    onTestFinished(() => host.close(0));
    // Those of the dead one are due first, and take what they may have.
    await install(host, "dead", DEAD);
    await host.start();
    await expect.poll(dead.asked, { timeout: 30_000 }).toBe(PLACES - PLACES / 4);
    await install(host, "calm", CALM);
    await expect.poll(() => done.calm, { timeout: 90_000 }).toBe(CALM);
    await expect.poll(() => failed, { timeout: 30_000 }).toBeGreaterThanOrEqual(PLACES - PLACES / 4);
    // The first ones, and those who try it now and then. Without that each of its installations would have had its three tries.
    const asked = dead.asked();
    expect(asked).toBeLessThanOrEqual(2 * PLACES);
    expect(done.dead).toBe(0);
    dead.revive();
    expect(await host.retry("dead")).toBeGreaterThan(0);
    await expect.poll(() => done.dead, { timeout: 90_000 }).toBe(DEAD);
  }, 240_000);
});
