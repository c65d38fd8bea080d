import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createFleetWorker } from "@configc/engine-dbos";
import { createHost, embeddedPlatform, type Host, type HostingOptions } from "@configc/host";
import { mostOf } from "@configc/host/internal";
import { describe, expect, onTestFinished, test } from "vitest";
import { askingApp } from "../../../test/support/asking-app.ts";
import { noPostgres } from "../../../test/support/postgres.ts";
import { fleetDatabase } from "./support/database.ts";

/** Seconds. */
const DAY = 86_400;
const PLACES = 8;
const DEAD = 60;
const CALM = 100;

/** A service that answers, or takes requests and never does, until it is let. */
async function service(answers: boolean) {
  let asked = 0;
  let alive = answers;
  const open = new Set<ServerResponse>();
  const server = createServer((_request, response) => {
    asked++;
    open.add(response);
    response.on("close", () => open.delete(response));
    if (alive) answer(response);
  });
  const answer = (response: ServerResponse): void =>
    void response.setHeader("content-type", "application/json").end('{"items": []}');
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    /** Requests that wait for an answer: each has a place. */
    open: () => open.size,
    /** Answers so many of those that wait. */
    answer(count: number) {
      for (const response of [...open].slice(0, count)) answer(response);
    },
    revive() {
      alive = true;
    },
  };
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
    const polled = { dead: new Set<string>(), calm: new Set<string>() };
    let failed = 0;
    const host = await open({
      apps: { dead: askingApp(dead.origin, DAY), calm: askingApp(calm.origin, DAY) },
      allowPrivateNetwork: true,
      // One try takes as long as hundreds of the other app's cycles.
      limits: { requestTime: 3_000 },
      schedule: { parallel: PLACES, interval: 1 },
      report: ({ app, installation, job, error }) => {
        if (error !== undefined && app === "dead") failed++;
        else if (job === "poll") polled[app as keyof typeof polled].add(installation);
      },
    });
    onTestFinished(() => host.close(0));
    // Those of the dead one are due first, and take what they may have.
    await install(host, "dead", DEAD);
    await host.start();
    await expect.poll(dead.asked, { timeout: 30_000 }).toBe(PLACES - PLACES / 4);
    await install(host, "calm", CALM);
    await expect.poll(() => polled.calm.size, { timeout: 90_000 }).toBe(CALM);
    await expect.poll(() => failed, { timeout: 30_000 }).toBeGreaterThanOrEqual(PLACES - PLACES / 4);
    // The first ones, and those who try it now and then. Without that each of its installations would have had its three tries.
    const asked = dead.asked();
    expect(asked).toBeLessThanOrEqual(2 * PLACES);
    expect(polled.dead.size).toBe(0);
    dead.revive();
    expect(await host.retry("dead")).toBeGreaterThan(0);
    await expect.poll(() => polled.dead.size, { timeout: 90_000 }).toBe(DEAD);
  }, 240_000);

  /** Counted, not timed: an app's rate is that of the places that it has while it could use all of them. */
  test("beside a dead service an app has all the places that it would have without it", async () => {
    const [dead, idle, calm] = await Promise.all([service(false), service(false), service(false)]);
    let failed = 0;
    const host = await open({
      apps: {
        dead: askingApp(dead.origin, DAY),
        idle: askingApp(idle.origin, DAY),
        calm: askingApp(calm.origin, DAY),
      },
      allowPrivateNetwork: true,
      limits: { requestTime: 6_000 },
      schedule: { parallel: 20, interval: 1 },
      report: ({ app, error }) => {
        if (error !== undefined && app === "dead") failed++;
      },
    });
    onTestFinished(() => host.close(0));
    // Some places are kept free for whoever comes next (E39): with three apps, none has more than these.
    const most = mostOf(20, 3);
    await install(host, "dead", 100);
    await host.start();
    await expect.poll(() => failed, { timeout: 60_000 }).toBeGreaterThanOrEqual(most);
    await install(host, "calm", 100);
    await expect.poll(calm.open, { timeout: 60_000 }).toBe(most);
    calm.revive();
    calm.answer(100);
    await expect.poll(calm.asked, { timeout: 60_000 }).toBeGreaterThanOrEqual(100);
    expect(dead.open()).toBeLessThanOrEqual(1);
  }, 240_000);

  test("beside a slow service an app has its whole part at once, on top of the places that the slow one holds, and no more", async () => {
    const [slow, calm] = await Promise.all([service(false), service(false)]);
    const host = await open({
      apps: { slow: askingApp(slow.origin, DAY), calm: askingApp(calm.origin, DAY) },
      allowPrivateNetwork: true,
      limits: { requestTime: 100_000 },
      schedule: { parallel: 20, interval: 1 },
    });
    onTestFinished(() => host.close(0));
    const most = mostOf(20, 2);
    await install(host, "slow", 200);
    await host.start();
    await expect.poll(slow.open, { timeout: 60_000 }).toBe(most);
    await install(host, "calm", 60);
    await expect.poll(calm.open, { timeout: 60_000 }).toBe(10);
    expect(slow.open()).toBe(most);
    // What the slow one holds beyond its part isn't filled again.
    for (let answered = 0; answered < most - 10; answered++) {
      const before = slow.open();
      slow.answer(1);
      await expect.poll(slow.open, { timeout: 60_000 }).toBeLessThan(before);
    }
    slow.revive();
    calm.revive();
    slow.answer(20);
    calm.answer(20);
    await expect.poll(slow.asked, { timeout: 60_000 }).toBe(200);
    await expect.poll(calm.asked, { timeout: 60_000 }).toBe(60);
  }, 240_000);
});
