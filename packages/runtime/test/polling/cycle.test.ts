import {
  type Delivery,
  type Json,
  memoryStore,
  type PollingRecord,
  RunError,
  type Settings,
  type Store,
} from "@configc/runtime";
import { idOf } from "@configc/runtime/internal";
import { describe, expect, test } from "vitest";
import { installed, pollingConfig, type TestService } from "../support/installed.ts";
import { serve } from "../support/server.ts";

/** Item `n` of a source that counts. */
const counting = (size: number, until: number) =>
  `(\${polling_state}.n // 0) as $n | {results: [range($n; [$n + ${size}, ${until}] | min) | {email: "p\\(.)@example.com"}], iterate: ($n + ${size} < ${until}), polling_state: {n: ($n + ${size})}}`;

async function recordOf({ store }: TestService): Promise<PollingRecord | undefined> {
  return await store.transaction((t) => t.get("polling", idOf("i1", "items")));
}

async function deliveriesOf({ store }: TestService): Promise<readonly Delivery[]> {
  return await store.transaction((t) => t.list("deliveries", {}));
}

/** Fails the n-th call of a kind; counts from 1. */
function failing(store: Store, nth: () => number): Store {
  let calls = 0;
  return {
    ...store,
    transaction(work, options) {
      if (++calls === nth()) throw new RunError("StoreError", "The disk is full.", undefined);
      return store.transaction(work, options);
    },
    exclusive: (...args) => store.exclusive(...args),
    close: () => store.close(),
  };
}

describe("D33 a cycle from the store", () => {
  test("items are delivered, each under a key of its own, and the state is kept", async () => {
    const service = await installed({
      config: pollingConfig({ initial_setup: "{polling_state: {n: 2}}", request: counting(2, 6) }),
    });
    expect(await service.runtime.poll("i1")).toEqual({
      reason: "iterate",
      requests: 2,
      results: 4,
      done: false,
      delivered: 4,
      skipped: 0,
      failed: 0,
    });
    const rows = await deliveriesOf(service);
    expect(rows.map(({ id, status, input }) => [id, status, input])).toEqual(
      ["i1/items/1/1/0/id-1", "i1/items/1/1/1/id-1", "i1/items/1/2/0/id-2", "i1/items/1/2/1/id-2"].map(
        (id) => [id, "delivered", undefined],
      ),
    );
    expect(await recordOf(service)).toMatchObject({ state: { n: 6 }, cycle: 1, phase: "idle", ready: true });
  });

  test("`initial_setup` runs once, `pre_poll` and `post_poll` once in each cycle", async () => {
    const service = await installed({
      config: pollingConfig({
        initial_setup: "{polling_state: {setup: 1, pre: 0, post: 0}}",
        pre_poll: "{polling_state: (${polling_state} | .pre += 1)}",
        request: '{results: [{email: "a@example.com"}], iterate: false}',
        post_poll: "{polling_state: (${polling_state} | .post += 1)}",
      }),
    });
    await service.runtime.poll("i1");
    await service.restart().poll("i1");
    expect((await recordOf(service))?.state).toEqual({ setup: 1, pre: 2, post: 2 });
    await service.runtime.reset("i1");
    await service.runtime.poll("i1");
    expect(await recordOf(service)).toMatchObject({ state: { setup: 1, pre: 1, post: 1 }, cycle: 3 });
  });

  test("E22 it begins anew where the setup chooses something else, not for another mapping or a new login", async () => {
    const service = await installed({
      config: pollingConfig({
        initial_setup: "{polling_state: {n: 0}}",
        request:
          '{results: [{email: "a@example.com"}], iterate: false, polling_state: {n: (${polling_state.n} + 1)}}',
      }),
      settings: { accountId: "7", connection: "c1" },
    });
    const { runtime, store } = service;
    const changed = async (settings: Partial<Settings>): Promise<Json | undefined> => {
      await store.transaction(async (t) => {
        const row = (await t.get("installations", "i1"))!;
        const draft = { step: "ready", settings: { customData: {}, ...row.settings, ...settings } } as const;
        await t.put("installations", { ...row, draft });
      });
      await runtime.activate("i1");
      await runtime.poll("i1");
      return (await recordOf(service))?.state;
    };
    await runtime.poll("i1");
    const mapping = { v: 1, entries: [{ source: { id: "email" }, target: { id: "email" } }] } as const;
    expect(await changed({ mapping })).toEqual({ n: 2 });
    expect(await changed({ connection: "c2" })).toEqual({ n: 3 });
    expect(await changed({ customData: { form: { value: "b" } } })).toEqual({ n: 1 });
    expect(await changed({})).toEqual({ n: 2 });
    expect(await changed({ accountId: "8" })).toEqual({ n: 1 });
    expect(await store.transaction((t) => t.get("installations", "i1"))).not.toHaveProperty("pollsAnew");
  });

  test.each([
    ["iterate", { request: counting(1, 1) }, 1],
    ["empty", { request: "{results: [], iterate: true}" }, 1],
    ["repeat", { request: '{results: [{b: 1, email: "x@y.z"}], iterate: true}' }, 2],
    [
      "repeat",
      {
        request:
          '(${polling_state}.n // 0) as $n | {results: [if $n % 2 == 0 then {a: 1, email: "a@b.c"} else {email: "b@b.c"} end | if $n > 1 then to_entries | reverse | from_entries else . end], iterate: true, polling_state: {n: ($n + 1)}}',
      },
      3,
    ],
    [
      "repeat",
      {
        request:
          '(${polling_state}.n // 0) as $n | {results: [{email: "p\\($n % 3)@b.c"}], iterate: true, polling_state: {n: ($n + 1)}}',
      },
      4,
    ],
    ["max-requests", { request: counting(1, 1_000) }, 100],
    ["max-results", { request: counting(600, 100_000) }, 2],
  ])("it ends with %s", async (reason, commands, requests) => {
    const service = await installed({ config: pollingConfig(commands) });
    expect(await service.runtime.poll("i1")).toMatchObject({ reason, requests });
    expect(await recordOf(service)).toMatchObject({ reason, phase: "idle" });
  });

  test("the time of a cycle is one of its limits", async () => {
    const service = await installed({
      config: pollingConfig({ request: counting(1, 50) }),
      options: { limits: { time: 60_000 } },
    });
    const { effects } = service;
    const upsert = effects.platform.upsert.bind(effects.platform);
    Object.assign(effects.platform, {
      upsert: (...args: Parameters<typeof upsert>) => {
        effects.advance(25_000);
        return upsert(...args);
      },
    });
    expect(await service.runtime.poll("i1")).toMatchObject({ reason: "limit", requests: 3 });
    expect(await service.runtime.poll("i1")).toMatchObject({ reason: "limit", requests: 3 });
    expect((await recordOf(service))?.state).toEqual({ n: 6 });
  });

  test("a single import is done when nothing is left, not when a cycle was cut short", async () => {
    const service = await installed({
      config: pollingConfig(
        { request: counting(600, 1_500) },
        {
          workflow: {
            setup: { schedule: { label: "S", description: "D", import_options: [], frequency: 1800 } },
          },
        },
      ),
      settings: { importOption: "single" },
    });
    expect(await service.runtime.poll("i1")).toMatchObject({
      reason: "max-results",
      done: false,
      delivered: 1_200,
    });
    expect(await service.runtime.poll("i1")).toMatchObject({ reason: "iterate", done: true, delivered: 300 });
    expect(await service.runtime.poll("i1")).toMatchObject({ requests: 0, done: true, delivered: 0 });
  });

  test("one cycle at a time: the second waits for the first", async () => {
    let inside = 0;
    let most = 0;
    const server = await serve(async () => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 20));
      inside--;
      return { json: { items: [{ email: "a@example.com" }] } };
    });
    const config = {
      api: { base_url: server.origin },
      ...pollingConfig({
        request: { "!pipe": [{ "!http": { path: "/" } }, { "!jq": "{results: .items, iterate: false}" }] },
      }),
    };
    const service = await installed({ config });
    await Promise.all([service.runtime.poll("i1"), service.restart().poll("i1"), service.runtime.poll("i1")]);
    expect([most, server.received.length]).toEqual([1, 3]);
    expect((await recordOf(service))?.cycle).toBe(3);
  });

  test("what isn't active isn't polled", async () => {
    const service = await installed({ config: pollingConfig({ request: counting(1, 1) }), status: "paused" });
    await expect(service.runtime.poll("i1")).rejects.toMatchObject({
      kind: "DataError",
      message: expect.stringContaining("paused"),
    });
    await expect(service.runtime.poll("other")).rejects.toMatchObject({ kind: "NotFound" });
  });
});

describe("D33 a cycle that is interrupted", () => {
  test("a store that fails at any one call: nothing is lost, nothing is delivered twice", async () => {
    for (let nth = 1; ; nth++) {
      const base = memoryStore();
      let on = false;
      const store = failing(base, () => (on ? nth : 0));
      const service = await installed({
        config: pollingConfig({ pre_poll: "{}", request: counting(2, 5), post_poll: "{}" }),
        store,
      });
      const written: unknown[] = [];
      const upsert = service.effects.platform.upsert.bind(service.effects.platform);
      const seen = new Set<string>();
      Object.assign(service.effects.platform, {
        upsert: (...[resource, item, options]: Parameters<typeof upsert>) => {
          // A target that knows the keys, as the platform does.
          if (!seen.has(options.key ?? "")) written.push(item["email"]);
          seen.add(options.key ?? "");
          return upsert(resource, item, options);
        },
      });
      on = true;
      let failed = false;
      const poll = () =>
        service.runtime.poll("i1").catch((error: RunError) => {
          failed = true;
          expect(error.kind).toBe("StoreError");
          return undefined;
        });
      // Calls are counted from the installation on, which took one.
      let result = await poll();
      for (let again = 0; result === undefined && again < 3; again++) result = await poll();
      expect(result, `call ${nth}`).toMatchObject({ reason: "iterate" });
      expect(written, `call ${nth}`).toEqual([0, 1, 2, 3, 4].map((n) => `p${n}@example.com`));
      expect(await recordOf({ ...service, store: base })).toMatchObject({
        cycle: 1,
        requests: 3,
        failures: 0,
      });
      if (!failed) break;
      expect(nth).toBeLessThan(100);
    }
  });

  test("a cancelled one goes on after its last iteration, without `pre_poll`", async () => {
    const service = await installed({
      config: pollingConfig({
        pre_poll: "{polling_state: {pre: ((${polling_state}.pre // 0) + 1), n: 0}}",
        request:
          '${polling_state} as $s | {results: [{email: "p\\($s.n)@example.com"}], iterate: ($s.n < 3), polling_state: ($s | .n += 1)}',
      }),
    });
    const stop = new AbortController();
    const upsert = service.effects.platform.upsert.bind(service.effects.platform);
    let count = 0;
    Object.assign(service.effects.platform, {
      upsert: (...args: Parameters<typeof upsert>) => {
        if (++count === 2) stop.abort();
        return upsert(...args);
      },
    });
    await expect(service.runtime.poll("i1", { signal: stop.signal })).rejects.toMatchObject({
      kind: "Cancelled",
    });
    expect(await recordOf(service)).toMatchObject({ phase: "polling", requests: 2, failures: 0 });
    expect(await service.restart().poll("i1")).toMatchObject({ requests: 4, results: 4 });
    expect((await recordOf(service))?.state).toEqual({ pre: 1, n: 4 });
  });

  test("the surroundings' failure resumes, one of its own begins a new cycle with the committed state", async () => {
    let answers: number[] = [];
    const server = await serve(({ query }) => {
      const status = answers.shift() ?? 200;
      const n = Number(query.get("n"));
      return { status, json: { items: [{ email: `p${n}@example.com` }] } };
    });
    const config = {
      api: { base_url: server.origin },
      ...pollingConfig({
        pre_poll: "{polling_state: (${polling_state} | .pre += 1)}",
        request: {
          "!pipe": [
            { "!http": { path: "/", params: { n: "${polling_state.n | default:0}" } } },
            {
              "!jq":
                "${polling_state} as $s | {results: .items, iterate: (($s.n // 0) < 3), polling_state: ($s | .n += 1)}",
            },
          ],
        },
      }),
    };
    const service = await installed({ config });
    answers = [200, 200, 500, 500, 500];
    await expect(service.runtime.poll("i1")).rejects.toMatchObject({ kind: "HttpError", status: 500 });
    expect(await recordOf(service)).toMatchObject({
      phase: "polling",
      requests: 2,
      failures: 1,
      failure: { kind: "HttpError", status: 500 },
    });
    answers = [200, 404];
    await expect(service.runtime.poll("i1")).rejects.toMatchObject({ status: 404 });
    expect(await recordOf(service)).toMatchObject({
      phase: "idle",
      requests: 3,
      failures: 2,
      state: { pre: 1, n: 3 },
    });
    expect(await service.runtime.poll("i1")).toMatchObject({ requests: 1, results: 1 });
    const record = await recordOf(service);
    expect(record).toMatchObject({ cycle: 2, failures: 0, state: { pre: 2, n: 4 } });
    expect(record).not.toHaveProperty("failure");
    expect(await deliveriesOf(service)).toHaveLength(4);
  });
});
