import { embeddedPlatform, itemsInMemory } from "@configc/host";
import { describe, expect, test } from "vitest";
import { connect, type Standing, startService } from "./service.ts";

/** A platform in memory that can be looked at. */
export function contacts() {
  const items = itemsInMemory();
  return {
    effects: { platform: embeddedPlatform({ items }) },
    all: () => items.list("Contact").map(({ fields }) => fields),
  };
}

const HALF_HOUR = 1_800_000;

/** A recorded step takes much longer than the rest of what a test does: a fleet is tried with less. */
const scales = {
  embedded: { people: 2_500, limits: {}, cycles: [11, 11, 3] },
  fleet: { people: 200, limits: { pollingResults: 50 }, cycles: [1, 1] },
} as const;
/** What a service does from the first setup to the last delivery, however it is run. */
export function endToEnd(standing: Standing): void {
  describe(`end to end, ${standing}`, () => {
    test("people come in over several cycles, then only those that change", async () => {
      const { effects, all } = contacts();
      const { people, limits, cycles } = scales[standing];
      const service = await startService({ people }, { effects, limits, standing });
      await service.install("poll", "import-people");
      const cycle = async (): Promise<unknown> => {
        await service.host.start();
        await service.host.idle();
        await service.restart();
        service.advance(HALF_HOUR);
        return service.reports.at(-1)?.result;
      };
      const ended = cycles.map((requests, index) => ({
        reason: index < cycles.length - 1 ? "max-results" : "iterate",
        requests,
        delivered: requests * 100,
      }));
      for (const one of ended) expect(await cycle()).toMatchObject(one);
      expect(all()).toHaveLength(people);
      const email = `person${people}@example.com`;
      expect(all().at(-1)).toMatchObject({ email, first_name: `Person ${people}` });

      service.api.requiresToken = false;
      await fetch(`${service.api.origin}/people/7`, { method: "PUT", body: '{"name": "Grace"}' });
      service.api.requiresToken = true;
      expect(await cycle()).toMatchObject({ reason: "iterate", requests: 1, delivered: 1 });
      expect(all()[6]).toMatchObject({ first_name: "Grace" });
      expect(await cycle()).toMatchObject({ reason: "empty", delivered: 0 });
      expect(service.reports.filter(({ error }) => error !== undefined)).toEqual([]);
    });

    test("a webhook is registered, history comes in before what it brings, and a pause ends it", async () => {
      const { effects, all } = contacts();
      const service = await startService({ people: 150 }, { effects, standing });
      const { api } = service;
      await service.install("hook", "receive-people");
      expect(await api.hooks.emit("person.created", { email: "early@example.com", name: "E" })).toEqual([
        200,
      ]);
      await service.host.idle();
      expect(all()).toEqual([]);
      await service.host.start();
      await service.host.idle();
      expect(all()).toHaveLength(151);
      expect(all().at(-1)).toMatchObject({ email: "early@example.com" });

      expect(await api.hooks.emit("person.created", { email: "new@example.com", name: "N" })).toEqual([200]);
      await service.host.idle();
      expect(all().at(-1)).toMatchObject({ email: "new@example.com" });
      const [{ url } = { url: "" }] = [...api.hooks.registered.values()];
      const runtime = service.host.runtime("people")!;
      await runtime.pause("hook");
      expect(api.hooks.registered.size).toBe(0);
      expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(410);
      await runtime.activate("hook");
      expect([...api.hooks.registered.values()][0]?.url).not.toBe(url);
      await service.host.start();
      await service.host.idle();
      expect(all()).toHaveLength(152);
    });

    test("contacts go out: created once, then changed", async () => {
      const service = await startService({ people: 3 }, { standing });
      const { people } = service.api;
      await service.install("out", "send-people", {
        mapping: {
          v: 1,
          entries: [
            { source: { id: "email" }, target: { id: "email" } },
            { source: { id: "first_name" }, target: { id: "name" } },
          ],
        },
        customData: { note: { value: "Dear %FIRST_NAME%" } },
      });
      const runtime = service.host.runtime("people")!;
      const ada = { email: "ada@example.com", first_name: "Ada", phone: "1" };
      expect(await runtime.send("out", ada)).toMatchObject({ delivered: 1 });
      expect(await runtime.send("out", { ...ada, first_name: "Ada L." })).toMatchObject({ delivered: 1 });
      await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          runtime.send("out", { email: `p${n}@example.com`, first_name: `P${n}` }),
        ),
      );
      expect(people.all).toHaveLength(3 + 1 + 20);
      expect(people.all[3]).toMatchObject({ email: "ada@example.com", name: "Ada L.", note: "Dear Ada L." });
      expect(people.all[3]).not.toHaveProperty("phone");
    });

    // A fleet counts by the clock of its database, which doesn't run ahead; on a busy machine, too, five requests take less.
    const seconds = standing === "fleet" ? 3 : 60;
    test.each([
      ["declared: none is refused", { user: { read: { requests: 4, period: seconds } } }, 0],
      ["found out: refused requests are made again", undefined, 1],
    ])("a quota that is %s", async (_name, rateLimit, refusals) => {
      const { effects, all } = contacts();
      const config = rateLimit === undefined ? {} : { rateLimit };
      const service = await startService({ people: 900 }, { effects, config, inMemory: true, standing });
      service.api.quota = { requests: 4, period: seconds * 1_000, retryAfter: "seconds" };
      await service.install("poll", "import-people");
      expect(await service.host.runtime("people")!.poll("poll")).toMatchObject({
        requests: 9,
        delivered: 900,
      });
      expect(all()).toHaveLength(900);
      const refused = service.api.requests.length - 9;
      expect([Math.min(refused, 1), refused <= 4]).toEqual([refusals, true]);
    });

    test("100 runs at once on an expired token that rotates: one refresh, kept sealed before it is used", async () => {
      const service = await startService({}, { standing });
      await service.install("out", "send-people");
      const tokens = service.api.oauth.issue();
      await connect(service.host, { ...tokens, expires_at: 1 });
      const runtime = service.host.runtime("people")!;
      const node = "/workflows/0/setup/connect/describe_connection";
      const outputs = await Promise.all(
        Array.from({ length: 100 }, () => runtime.run(node, { connection: "c1" })),
      );
      expect(new Set(outputs.map((output) => JSON.stringify(output))).size).toBe(1);
      expect([service.api.oauth.refreshes, service.api.oauth.reused]).toEqual([1, false]);
      expect(await service.host.effects.credentials.read("c1")).not.toMatchObject({
        refresh_token: tokens.refresh_token,
      });
      await service.restart();
      expect(await service.host.runtime("people")!.run(node, { connection: "c1" })).toMatchObject({
        account_id: "c-1",
      });
      expect(service.api.oauth.refreshes).toBe(1);
    });
  });
}
