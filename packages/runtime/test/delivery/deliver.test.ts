import type { Delivery } from "@configc/runtime";
import { describe, expect, test } from "vitest";
import { installation, installed, pollingConfig, type TestService } from "../support/installed.ts";
import { serve } from "../support/server.ts";

async function rows({ store }: TestService): Promise<readonly Delivery[]> {
  return await store.transaction((t) => t.list("deliveries", {}));
}

/** A workflow that sends each item to a service, which answers as the item says. */
async function sending(items: readonly object[], source: unknown = { "!jq": "." }) {
  const server = await serve(({ body }) => {
    const { status = 200 } = JSON.parse(body) as { status?: number };
    // 203 stands for a page that says 200.
    if (status === 203 && !fixed.has(status))
      return { status, raw: "<!doctype html><title>Back soon</title>" };
    return { status: fixed.has(status) ? 200 : status, json: { error: "no" } };
  });
  const fixed = new Set<number>();
  const config = {
    api: { base_url: server.origin },
    ...pollingConfig(
      { request: `{results: ${JSON.stringify(items)}, iterate: false}` },
      {
        workflow: {
          data_pipeline: {
            source,
            target: { "!http": { method: "POST", path: "/items", body: "${piped_content.0}" } },
          },
        },
      },
    ),
  };
  return { server, fixed, service: await installed({ config }) };
}

describe("D35 items that fail", () => {
  test("one that fails for its own reasons is kept, with input and trace, and the others go on", async () => {
    const { service, server, fixed } = await sending([{ id: 1 }, { id: 2, status: 422 }, { id: 3 }]);
    expect(await service.runtime.poll("i1")).toMatchObject({ delivered: 2, failed: 1, reason: "iterate" });
    const failed = (await rows(service)).find(({ status }) => status === "failed")!;
    expect(failed).toMatchObject({
      id: "i1/items/1/1/1/id-1",
      input: { id: 2, status: 422 },
      attempts: 1,
      failure: { kind: "HttpError", status: 422, pointer: "/workflows/0/data_pipeline/target" },
    });
    const events = failed.trace as unknown as { kind: string; data: { body?: string } }[];
    expect(events.map(({ kind }) => kind)).toEqual(["step", "end", "step", "request", "response", "end"]);
    expect(events[3]?.data.body).toBe('{"id":2,"status":422}');

    expect(await service.runtime.retry(failed.id)).toEqual({ delivered: 0, skipped: 0, failed: 1 });
    fixed.add(422);
    expect(await service.runtime.retry(failed.id)).toEqual({ delivered: 1, skipped: 0, failed: 0 });
    expect(server.received).toHaveLength(5);
    const row = (await rows(service))[1];
    expect(row?.status).toBe("delivered");
    for (const name of ["input", "trace", "failure"]) expect(row).not.toHaveProperty(name);
    await expect(service.runtime.retry(failed.id)).rejects.toMatchObject({ kind: "NotFound" });
  });

  test("a mistake of the data is one of the item's own; null skips", async () => {
    const { service } = await sending([{ id: 1 }, { id: "x" }, { id: null }], {
      "!jq": "if .id == null then null else {id: (.id + 1)} end",
    });
    expect(await service.runtime.poll("i1")).toMatchObject({ delivered: 1, failed: 1, skipped: 1 });
    expect((await rows(service)).map(({ status, failure }) => [status, failure?.kind])).toEqual([
      ["delivered", undefined],
      ["failed", "JqError"],
      ["skipped", undefined],
    ]);
  });

  test.each([
    ["a service that is down", 503],
    ["a web page (E74)", 203],
  ])("%s stops the line: those behind it wait", async (_, status) => {
    const { service, server, fixed } = await sending([{ id: 1 }, { id: 2, status }, { id: 3 }]);
    await expect(service.runtime.poll("i1")).rejects.toMatchObject({ status });
    expect((await rows(service)).map(({ status }) => status)).toEqual(["delivered", "waiting", "waiting"]);
    await expect(service.runtime.deliver("i1")).rejects.toMatchObject({ status });
    fixed.add(status);
    expect(await service.runtime.poll("i1")).toMatchObject({ delivered: 2, requests: 1 });
    expect(JSON.parse(server.received.at(-1)?.body ?? "")).toEqual({ id: 3 });
  });

  test.each([500, 203])(
    "D52 one that a service never takes (%s) doesn't hold up the others for ever",
    async (status) => {
      const { service } = await sending([{ id: 1, status }, { id: 2 }]);
      for (let tries = 0; tries < 4; tries++)
        await expect(service.runtime.poll("i1")).rejects.toMatchObject({ status });
      expect(await service.runtime.poll("i1")).toMatchObject({ failed: 1, delivered: 1 });
      expect((await rows(service))[0]).toMatchObject({ status: "failed", attempts: 5 });
    },
  );

  test("nor does one that the platform never takes; while it takes none, all of them wait", async () => {
    const results = '[{email: "bad@example.com"}, {email: "good@example.com"}]';
    const config = pollingConfig({ request: `{results: ${results}, iterate: false}` });
    const service = await installed({ config });
    const { upsert } = service.effects.platform;
    let down = true;
    Object.assign(service.effects.platform, {
      upsert: async (...[resource, item, options]: Parameters<typeof upsert>) => {
        if (down || item["email"] === "bad@example.com") throw new Error("It can't be kept.");
        return await upsert(resource, item, options);
      },
    });
    for (let tries = 0; tries < 6; tries++)
      await expect(service.runtime.poll("i1")).rejects.toMatchObject({ kind: "PlatformError" });
    expect((await rows(service)).map(({ status }) => status)).toEqual(["waiting", "waiting"]);
    down = false;
    expect(await service.runtime.poll("i1")).toMatchObject({ failed: 1, delivered: 1 });
    expect((await rows(service))[0]).toMatchObject({ status: "failed", failure: { kind: "PlatformError" } });
  });
});

test("D35, D52 a service that is down for long takes the blame, not the items", async () => {
  const { service, fixed } = await sending([{ id: 1, status: 500 }, { id: 2, status: 502 }, { id: 3 }]);
  for (let tries = 0; tries < 12; tries++)
    await expect(service.runtime.poll("i1")).rejects.toMatchObject({ kind: "HttpError" });
  expect((await rows(service)).map(({ status }) => status)).toEqual(["waiting", "waiting", "waiting"]);
  fixed.add(500).add(502);
  expect(await service.runtime.poll("i1")).toMatchObject({ delivered: 3, failed: 0 });
});

test("D33 each write of an item has a key of its own, and the same one when the item comes again", async () => {
  const sync = (name: string) => ({ "!resource": { action: `${name}.sync`, data: {} } });
  const source = { "!pipe": [sync("PlatformAccount"), { "!jq": "${piped_content.0}" }] };
  const target = {
    "!pipe": [
      { "!jq": "{email: .email}" },
      { "!resource": "PlatformContact" },
      { "!resource": "PlatformDeal" },
      sync("Platform"),
    ],
  };
  const request = '{results: [{email: "a@example.com"}], iterate: false}';
  const service = await installed({
    config: pollingConfig({ request }, { workflow: { data_pipeline: { source, target } } }),
  });
  const { platform } = service.effects;
  const { upsert } = platform;
  const keys: unknown[] = [];
  let down = true;
  Object.assign(service.effects.platform, {
    upsert: async (...given: Parameters<typeof upsert>) => {
      keys.push([given[0], given[2].key]);
      return await upsert(...given);
    },
    sync: async (...[name, _action, data, _signal, key]: Parameters<typeof platform.sync>) => {
      keys.push([name, key]);
      if (name === "Platform" && down) throw new Error("It is down.");
      return data;
    },
  });
  await expect(service.runtime.poll("i1")).rejects.toMatchObject({ kind: "PlatformError" });
  down = false;
  expect(await service.runtime.deliver("i1")).toMatchObject({ delivered: 1 });
  const once = [
    ["PlatformAccount", "i1/items/1/1/0/id-1/source"],
    ["PlatformContact", "i1/items/1/1/0/id-1"],
    ["PlatformDeal", "i1/items/1/1/0/id-1/2"],
    ["Platform", "i1/items/1/1/0/id-1/3"],
  ];
  expect(keys).toEqual([...once, ...once]);
});

describe("contacts for an outbound workflow", () => {
  const config = {
    workflows: [
      {
        name: "out",
        label: "Out",
        type: "automations",
        setup: {
          select: {
            label: "S",
            form_fields: [{ id: "text", label: "T", type: "textarea", personalize: "PlatformContact" }],
          },
          map: { label: "M", describe_source: { label: "S" }, describe_target: { label: "T" } },
        },
        data_pipeline: {
          source: { "!resource": "PlatformContact" },
          target: {
            "!pipe": [
              { "!jq": "{who: .mail, text: ${custom_data.text.value}}" },
              { "!save": { scope: "workflow" } },
            ],
          },
        },
      },
    ],
  };
  const settings = {
    customData: { text: { value: "Hello %FIRST_NAME%, %UNKNOWN%" } },
    mapping: { v: 1, entries: [{ source: { id: "email" }, target: { id: "mail" } }] },
  } as const;

  test("each is personalised and mapped; one event is delivered once", async () => {
    const service = await installed({ config, settings });
    const contact = { email: "ada@example.com", first_name: "Ada", age: 36 };
    expect(await service.runtime.send("i1", contact, { key: "event-1" })).toMatchObject({ delivered: 1 });
    expect(await service.runtime.send("i1", contact, { key: "event-1" })).toMatchObject({ delivered: 0 });
    expect(await service.store.transaction((t) => t.list("saved", {}))).toMatchObject([
      { values: { who: "ada@example.com", text: "Hello Ada, %UNKNOWN%" } },
    ]);
    expect(service.effects.logged).toMatchObject([{ message: expect.stringContaining("%UNKNOWN%") }]);
    expect(await service.runtime.send("i1", contact)).toMatchObject({ delivered: 1 });
  });

  test("an inbound workflow takes none", async () => {
    const service = await installed({ config: pollingConfig({ request: "{results: []}" }) });
    await expect(service.runtime.send("i1", {})).rejects.toMatchObject({ kind: "NotSupported" });
  });
});

test("settled deliveries are forgotten after a while; failed and waiting ones stay", async () => {
  const { service } = await sending([{ id: 1 }, { id: 2, status: 422 }, { id: 3 }]);
  await service.runtime.poll("i1");
  expect(await service.runtime.prune(service.effects.clock.now())).toBe(0);
  expect(await service.runtime.prune(service.effects.clock.now() + 1)).toBe(2);
  expect((await rows(service)).map(({ status }) => status)).toEqual(["failed"]);
  const now = service.effects.clock.now();
  expect(await service.runtime.prune(now + 1, now)).toBe(0);
  expect(await service.runtime.prune(0, now + 1)).toBe(1);
});

test("what one customer's items leave late holds up nobody else's", async () => {
  const { service } = await sending([]);
  const row = (id: string, installation: string, receivedAt: number, settledAt: number): Delivery => ({
    id,
    app: "app",
    installation,
    intake: "items",
    origin: "polling",
    status: "delivered",
    attempts: 1,
    receivedAt,
    settledAt,
  });
  await service.store.transaction(async (t) => {
    await t.put("installations", installation("i2", "import"));
    for (let n = 0; n < 450; n++) await t.put("deliveries", row(`late ${n}`, "i1", n, 10_000));
    for (let n = 0; n < 450; n++) await t.put("deliveries", row(`old ${n}`, "i2", 500 + n, 1_000));
  });
  expect(await service.runtime.prune(5_000)).toBe(450);
  expect((await rows(service)).every(({ id }) => id.startsWith("late"))).toBe(true);
});
