import { compile } from "@configc/compiler";
import { createRuntime, type Json } from "@configc/runtime";
import { describe, expect, test } from "vitest";
import { testEffects } from "../../packages/runtime/test/support/effects.ts";
import { installed, pollingConfig } from "../../packages/runtime/test/support/installed.ts";
import { serve } from "../../packages/runtime/test/support/server.ts";
import {
  create,
  inScope,
  remove,
  thirdParty,
  webhookConfig,
} from "../../packages/runtime/test/support/third-party.ts";

/** The tables of intakes and limits at run time, row by row: see `rows-commands.test.ts`. */
const bytes = (value: Json): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const hookOf = (url: string | undefined): string => url?.split("/").at(-1) ?? "";

test("document.data_intake webhook.type webhook.name webhook.create webhook.delete workflow.data_intake service.1 service.3 state.webhook endpoints.receiver events.1: registered, used, removed", async () => {
  const party = await thirdParty();
  const { runtime, effects } = await installed({
    config: webhookConfig(party.origin, {}),
    status: "paused",
  });
  await runtime.activate("i1");
  const [url] = [...party.hooks.values()];
  expect(url).toMatch(/^https:\/\/hooks\.example\.com\/.+/);
  const body = bytes({ email: "a@example.com" });
  const answer = await runtime.receive({
    hook: hookOf(url),
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  expect([answer.status, answer.installations]).toEqual([200, ["i1"]]);
  expect(await runtime.deliver("i1")).toMatchObject({ delivered: 1 });
  await runtime.remove("i1");
  expect(party.hooks.size).toBe(0);
  expect(party.received.map(({ method }) => method)).toEqual(["POST", "DELETE"]);
  expect(effects.logged).toEqual([]);
});

test("webhook.scope webhook.account_id webhook.resource_id D28: one for all, each payload to its own", async () => {
  const party = await thirdParty();
  const ids = { account_id: { "!jq": ".account" }, resource_id: { "!jq": ".list" } };
  const shared = inScope("application", { create, delete: remove });
  const { runtime } = await installed({
    config: webhookConfig(party.origin, { scope: "application", ...shared, ...ids }),
    settings: { accountId: "7", resourceId: "l" },
    status: "paused",
  });
  await runtime.activate("i1");
  const [url] = [...party.hooks.values()];
  const send = (payload: Json) =>
    runtime.receive({ hook: hookOf(url), method: "POST", headers: {}, body: bytes(payload) });
  expect((await send({ account: 7, list: "l" })).installations).toEqual(["i1"]);
  expect(await send({ account: 8, list: "l" })).toMatchObject({ status: 422, installations: [] });
});

test("webhook.verification: the app answers the caller itself", async () => {
  const party = await thirdParty();
  const verification = {
    "!switch": {
      jq: 'if .method == "GET" then 0 else 1 end',
      cases: [{ "!respond": { body: "${piped_content.0.query.challenge}" } }, { "!jq": "." }],
    },
  };
  const challenged = { "!pipe": [verification] };
  const { runtime } = await installed({
    config: webhookConfig(party.origin, { verification: challenged }),
    status: "paused",
  });
  await runtime.activate("i1");
  const hook = hookOf([...party.hooks.values()][0]);
  const answer = await runtime.receive({
    hook,
    method: "GET",
    headers: {},
    query: "challenge=x1",
    body: new Uint8Array(),
  });
  expect(answer).toMatchObject({ status: 200, body: "x1", installations: [] });
});

/** The lifecycle: what each command writes into the state says in which order they ran. */
const note = (name: string, more = "") =>
  `{polling_state: ((\${polling_state}) + {order: ((\${polling_state}.order // "") + "${name} ")${more}})}`;

test("polling.type polling.name polling.initial_setup polling.pre_poll polling.request polling.post_poll state.initial_setup state.pre_poll state.request state.post_poll polling_state.1 polling_state.2 polling.results polling.iterate polling.polling_state events.2", async () => {
  const { runtime, store } = await installed({
    config: pollingConfig({
      initial_setup: note("setup", ", page: 1"),
      pre_poll: note("pre"),
      request: `(\${polling_state}) as $s | {results: [{email: "\\($s.page)@example.com"}], iterate: ($s.page < 2)} + ${note("request", ", page: (${polling_state}.page + 1)")}`,
      post_poll: '{polling_state: {order: (${polling_state}.order + "post"), page: 1}}',
    }),
  });
  expect(await runtime.poll("i1")).toMatchObject({
    reason: "iterate",
    requests: 2,
    results: 2,
    delivered: 2,
  });
  const state = async () =>
    (await store.transaction((transaction) => transaction.list("polling", {})))[0]?.state;
  // The last one replaced the whole state: what it didn't give is gone.
  expect(await state()).toEqual({ order: "setup pre request request post", page: 1 });
  await runtime.poll("i1");
  expect((await state())?.["order"]).toBe("setup pre request request postpre request request post");
  await runtime.reset("i1");
  await runtime.poll("i1");
  expect((await state())?.["order"]).toBe("setup pre request request post");
});

/** Each exit condition of the table. */
const page = (results: string, iterate: string) =>
  `(\${polling_state}.n // 0) as $n | {results: ${results}, iterate: ${iterate}, polling_state: {n: ($n + 1)}}`;
const person = '{email: "\\($n)@example.com"}';
const ends: readonly (readonly [rows: string, request: string, result: object])[] = [
  [
    "limit.exit-conditions: iterate is false",
    page(`[${person}]`, "$n < 1"),
    { reason: "iterate", requests: 2, results: 2 },
  ],
  [
    "limit.exit-conditions: an empty list",
    page(`(if $n < 1 then [${person}] else [] end)`, "true"),
    { reason: "empty", requests: 2, results: 1 },
  ],
  ["limit.exit-conditions: no list", page("null", "true"), { reason: "empty", requests: 1, results: 0 }],
  [
    "limit.exit-conditions: the same as before",
    page('[{email: "same@example.com"}]', "true"),
    { reason: "repeat", requests: 2, results: 1 },
  ],
  [
    "limit.polling-requests",
    page(`[${person}]`, "true"),
    { reason: "max-requests", requests: 100, results: 100 },
  ],
  [
    "limit.polling-results",
    page('[range(600) | {email: "\\(.)-\\($n)@example.com"}]', "true"),
    { reason: "max-results", requests: 2, results: 1200 },
  ],
];

describe("the end of a cycle", () => {
  test.each(ends)("%s", async (_rows, request, result) => {
    const { runtime } = await installed({ config: pollingConfig({ request }, { target: { "!jq": "." } }) });
    expect(await runtime.poll("i1")).toMatchObject(result);
  });
});

test("historical.1 historical.2 historical.3 historical.5 workflow.historical_data_intake limit.historical: the webhook first, then the past, then what waited", async () => {
  const party = await thirdParty();
  const config = webhookConfig(
    party.origin,
    {},
    {
      historical_data_intake: "history",
      data_pipeline: { source: { "!jq": "." }, target: { "!print_c": "${piped_content.0.email}" } },
    },
  );
  const { runtime, effects } = await installed({ config, status: "paused" });
  await runtime.activate("i1");
  const hook = hookOf([...party.hooks.values()][0]);
  await runtime.receive({ hook, method: "POST", headers: {}, body: bytes({ email: "new@example.com" }) });
  await runtime.deliver("i1");
  expect(effects.logged).toEqual([]);
  expect(await runtime.poll("i1")).toMatchObject({ done: true, results: 3, reason: "iterate" });
  await runtime.deliver("i1");
  expect(effects.logged.map(({ message }) => message)).toEqual([
    "old0@example.com",
    "old1@example.com",
    "old2@example.com",
    "new@example.com",
  ]);
});

test("rate_limit.user rate_limit.app rate_limit.read rate_limit.write rate_limit.requests rate_limit.period api.rate_limit limit.rate_limit limit.quota: reads and writes, each user's or all pooled", async () => {
  const { origin } = await serve(() => ({ json: {} }));
  const get = { "!http": { path: "/" } };
  const post = { "!http": { method: "POST", path: "/", body: {} } };
  const waits = async (
    scope: string,
    quota: object,
    command: object,
    connections: string[],
  ): Promise<number> => {
    const config = {
      $version: "2",
      api: { base_url: origin, rate_limit: { [scope]: quota } },
      workflows: [{ name: "w", label: "W", type: "generic", data_pipeline: { source: command } }],
    };
    const effects = testEffects(
      Object.fromEntries(connections.map((name) => [name, { access_token: name }])),
    );
    const runtime = createRuntime(compile(JSON.stringify(config)).app, effects);
    for (const connection of connections)
      await runtime.run("workflows.w.data_pipeline.source", { connection });
    return effects.waits.reduce((sum, wait) => sum + wait, 0);
  };
  const read = { read: { requests: 2, period: 10 } };
  const pipe = (...steps: object[]) => ({ "!pipe": steps });
  expect(await waits("user", read, pipe(get, get), ["a"])).toBe(0);
  expect(await waits("user", read, pipe(get, get, get), ["a"])).toBe(10_000);
  expect(await waits("user", read, pipe(get, post, get, post), ["a"])).toBe(0);
  expect(await waits("user", { write: { requests: 1, period: 5 } }, pipe(post, get, post), ["a"])).toBe(
    5_000,
  );
  expect(await waits("user", read, pipe(get, get), ["a", "b"])).toBe(0);
  expect(await waits("app", read, pipe(get, get), ["a", "b"])).toBe(10_000);
});

test("D42 polling.frequency polling.import_option document.objects: they are the intake's own where the app has objects", () => {
  const intake = {
    type: "polling",
    name: "items",
    request: { "!jq": "." },
    frequency: 60,
    import_option: "single",
  };
  const { app } = compile(
    JSON.stringify({ $version: "2", data_intake: [intake], workflows: [], objects: [{ name: "orders" }] }),
  );
  expect(app.intakes[0]).toMatchObject({ frequency: 60, importOption: "single" });
});
