import { type Delivery, memoryStore, RunError } from "@configc/runtime";
import { describe, expect, test } from "vitest";
import { installation, installed, type TestService } from "../support/installed.ts";
import {
  create,
  inScope,
  remove,
  type ThirdParty,
  thirdParty,
  webhookConfig,
} from "../support/third-party.ts";

type Made = TestService & { party: ThirdParty; hook: string };

async function service(intake: object = {}, workflow: object = {}): Promise<Made> {
  const party = await thirdParty();
  const made = await installed({ config: webhookConfig(party.origin, intake, workflow), status: "paused" });
  await made.runtime.activate("i1");
  const [hook] = await made.store.transaction((t) => t.list("hooks", { state: "active" }));
  return { ...made, party, hook: hook!.id };
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly hook?: string;
}

function send({ runtime, hook }: Made, body: unknown, sent: Sent = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return runtime.receive({
    hook,
    method: "POST",
    ...sent,
    headers: { "content-type": "application/json", ...sent.headers },
    body: new TextEncoder().encode(text),
  });
}

async function rows({ store }: TestService): Promise<readonly Delivery[]> {
  return await store.transaction((t) => t.list("deliveries", {}));
}

const inputs = async (made: TestService) => (await rows(made)).map(({ input }) => input);

describe("D31 what is received", () => {
  test("it is kept before the answer, and delivered after it", async () => {
    const made = await service();
    expect(await send(made, { email: "a@example.com" })).toMatchObject({
      status: 200,
      installations: ["i1"],
    });
    expect(await rows(made)).toMatchObject([
      { installation: "i1", origin: "webhook", status: "waiting", input: { email: "a@example.com" } },
    ]);
    expect(await made.runtime.deliver("i1")).toEqual({ delivered: 1, skipped: 0, failed: 0 });
    const [row] = await rows(made);
    expect(row).toMatchObject({ status: "delivered", attempts: 1 });
    expect(row).not.toHaveProperty("input");
  });

  test.each<[string, unknown, Sent, unknown]>([
    ["JSON", { a: 1 }, {}, { a: 1 }],
    ["an array is one item", [1, 2], {}, [1, 2]],
    [
      "a form",
      "a=1&b=x%20y&a=2",
      { headers: { "content-type": "application/x-www-form-urlencoded" } },
      { a: ["1", "2"], b: "x y" },
    ],
    ["JSON without a type", '{"a": 1}', { headers: { "content-type": "" } }, { a: 1 }],
    ["names of prototypes", '{"__proto__": 1}', {}, JSON.parse('{"__proto__": 1}')],
  ])("%s", async (_name, body, sent, input) => {
    const made = await service();
    expect((await send(made, body, sent)).status).toBe(200);
    expect(JSON.stringify(await inputs(made))).toBe(JSON.stringify([input]));
  });

  test.each<[string, unknown, Sent, number]>([
    ["no JSON", "{", {}, 400],
    ["nothing", "", {}, 400],
    ["a GET", "", { method: "GET" }, 405],
    ["an unknown URL", {}, { hook: "guessed" }, 404],
  ])("%s is refused", async (_name, body, sent, status) => {
    const made = await service();
    expect((await send(made, body, sent)).status).toBe(status);
    expect(await rows(made)).toEqual([]);
  });

  test.each<[string, string]>([
    ["20,000 levels", `${"[".repeat(20_000)}${"]".repeat(20_000)}`],
    ["lone surrogates", '{"email": "\\ud800@example.com"}'],
    ["numbers that no double keeps", '{"email": "n@example.com", "n": 123456789012345678901234567890}'],
    ["a long text", JSON.stringify({ email: "x".repeat(1_000_000) })],
  ])("%s do no harm: the payload is kept, and delivered or failed", async (_name, body) => {
    const made = await service();
    expect((await send(made, body)).status).toBe(200);
    const { delivered, failed } = await made.runtime.deliver("i1");
    expect(delivered + failed).toBe(1);
    expect(await send(made, { email: "after@example.com" })).toMatchObject({ status: 200 });
    expect(await made.runtime.deliver("i1")).toMatchObject({ delivered: 1 });
  });

  test("a store that fails keeps nothing: the third party may call again", async () => {
    const made = await service();
    const store = memoryStore();
    Object.assign(store, {
      transaction: () => {
        throw new RunError("StoreError", "The disk is full.", undefined);
      },
    });
    await expect(send({ ...made, runtime: made.restart({ store }) }, {})).rejects.toMatchObject({
      kind: "StoreError",
    });
  });
});

describe("D31 deliveries that come again", () => {
  test("one with a number is kept once, whenever it comes", async () => {
    const made = await service();
    const numbered = { headers: { "x-acme-delivery": "7" } };
    await send(made, { email: "a@example.com" }, numbered);
    await made.runtime.deliver("i1");
    expect((await send(made, { email: "a@example.com" }, numbered)).status).toBe(200);
    expect(await rows(made)).toHaveLength(1);
    await send(made, { email: "a@example.com" }, { headers: { "x-acme-delivery": "8" } });
    expect(await rows(made)).toHaveLength(2);
  });

  test("without a number the same text is the same while the first waits, and another event afterwards", async () => {
    const made = await service();
    await send(made, { id: 5 });
    await send(made, { id: 5 });
    expect(await rows(made)).toHaveLength(1);
    await made.runtime.deliver("i1");
    await send(made, { id: 5 });
    expect(await rows(made)).toHaveLength(2);
  });

  test("the old and the new URL of a registration bring an event once", async () => {
    const made = await service();
    const { store, runtime } = made;
    await send(made, { email: "a@example.com" });
    await runtime.deliver("i1");
    await store.transaction(async (t) => {
      const row = (await t.get("installations", "i1"))!;
      await t.put("installations", { ...row, draft: { step: "ready", settings: row.settings! } });
    });
    await runtime.activate("i1");
    const [hook] = await store.transaction((t) => t.list("hooks", { state: "active" }));
    expect(hook?.id).not.toBe(made.hook);
    await send(made, { email: "a@example.com" }, { hook: hook!.id });
    expect(await rows(made)).toHaveLength(1);
  });
});

describe("D26 verification", () => {
  const challenge = {
    verification: {
      "!switch": {
        jq: 'if .query.challenge then 0 elif .headers["x-token"] == "right" then 1 else 2 end',
        cases: [
          {
            "!pipe": [
              { "!jq": ".query.challenge" },
              {
                "!respond": {
                  code: 202,
                  headers: { "x-hook": "${piped_content.1}" },
                  body: { challenge: "${piped_content.1}" },
                },
              },
            ],
          },
          { "!respond": { process_payload: true, code: 201 } },
          { "!error": "the signature is wrong" },
        ],
      },
    },
  };

  test("a challenge is answered and nothing is kept, whatever the method", async () => {
    const made = await service({
      verification: {
        "!pipe": [
          { "!jq": ".query.challenge" },
          {
            "!respond": {
              code: 202,
              headers: { "x-hook": "yes" },
              body: { challenge: "${piped_content.1}" },
            },
          },
        ],
      },
    });
    expect(await send(made, "", { method: "GET", query: "challenge=abc" })).toEqual({
      status: 202,
      headers: { "content-type": "application/json", "x-hook": "yes" },
      body: '{"challenge":"abc"}',
      installations: [],
    });
    expect(await rows(made)).toEqual([]);
  });

  test("a payload is handed on with `process_payload`, and refused by `!error`", async () => {
    const made = await service(challenge);
    expect(await send(made, { email: "a@b.c" }, { headers: { "x-token": "right" } })).toMatchObject({
      status: 201,
      installations: ["i1"],
    });
    expect(await send(made, { email: "x@b.c" })).toMatchObject({
      status: 403,
      body: expect.stringContaining("the signature is wrong"),
    });
    expect(await rows(made)).toHaveLength(1);
  });

  test("a mistake of the app refuses, and is told to those who run it, not to the caller", async () => {
    const made = await service({ verification: { "!jq": ".body.a.b" } });
    expect(await send(made, { a: "secret" })).toMatchObject({
      status: 403,
      body: "The request can't be verified.",
    });
    expect(made.effects.logged).toMatchObject([
      { pointer: "/data_intake/0/verification", message: expect.stringContaining("index") },
    ]);
  });

  test.each(["", "\ufeff"])("signatures are made of the bytes as they came, behind %j", async (mark) => {
    const signed = {
      verification: {
        "!pipe": [
          { "!jq": '{value_to_encrypt: .raw_body, given: .headers["x-signature"]}' },
          { "!sha": { algorithm: "sha256", secret: "s3cret" } },
          {
            "!switch": {
              jq: "if .hash == ${piped_content.1.given} then 0 else 1 end",
              cases: [{ "!jq": "null" }, { "!error": "wrong signature" }],
            },
          },
        ],
      },
    };
    const made = await service(signed);
    const body = `${mark}{ "email":"a@b.c",\n"z": 1.0 }`;
    const key = await crypto.subtle.importKey(
      "raw",
      new TextEncoder().encode("s3cret"),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["sign"],
    );
    const mac = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(body));
    const hex = Buffer.from(mac).toString("hex");
    expect((await send(made, body, { headers: { "x-signature": hex } })).status).toBe(200);
    expect((await send(made, `${body} `, { headers: { "x-signature": hex } })).status).toBe(403);
    expect(await rows(made)).toHaveLength(1);
  });

  test("the third party may ask before it has answered `create`", async () => {
    const party = await thirdParty();
    const made = await installed({ config: webhookConfig(party.origin, challenge), status: "paused" });
    let asked: Promise<{ status: number }> | undefined;
    party.before = ({ body }) => {
      const { url } = JSON.parse(body) as { url: string };
      asked = made.runtime.receive({
        hook: url.split("/").at(-1)!,
        method: "GET",
        headers: {},
        query: "challenge=1",
        body: new Uint8Array(),
      });
      return undefined;
    };
    await made.runtime.activate("i1");
    expect(await asked).toMatchObject({ status: 202 });
  });
});

describe("D31 routing; D47: a published app without `resource_id` goes on", () => {
  const scoped = (scope: string, parts: object) =>
    inScope(scope, { scope, create, delete: remove, ...parts });

  async function several(scope: string, parts: object): Promise<Made> {
    const party = await thirdParty();
    const made = await installed({
      config: webhookConfig(party.origin, scoped(scope, parts)),
      status: "removed",
    });
    await made.store.transaction(async (t) => {
      for (const id of ["a", "b"])
        await t.put("connections", { id, app: "app", auth: "acme", accountId: id });
      for (const [id, connection, resourceId] of [
        ["a1", "a", "1"],
        ["a2", "a", "2"],
        ["b1", "b", "1"],
      ] as const)
        await t.put(
          "installations",
          installation(id, "receive", {
            status: "paused",
            settings: { customData: {}, connection, accountId: connection, resourceId },
          }),
        );
    });
    for (const id of ["a1", "a2", "b1"]) await made.runtime.activate(id);
    const [hook] = await made.store.transaction((t) => t.list("hooks", { state: "active" }));
    return { ...made, party, hook: hook!.id };
  }
  const ids = { account_id: { "!jq": ".account" }, resource_id: { "!jq": ".form" } };

  test.each<[string, object, unknown, readonly string[]]>([
    ["connection", { resource_id: ids.resource_id }, { form: 2 }, ["a2"]],
    ["connection", {}, { form: 2 }, ["a1", "a2"]],
    ["connection", ids, { account: "b", form: 1 }, []],
    ["application", ids, { account: "b", form: "1" }, ["b1"]],
    ["application", { account_id: ids.account_id }, { account: "a" }, ["a1", "a2"]],
    ["application", ids, { account: "c", form: 1 }, []],
    ["application", ids, { form: 1 }, []],
    ["application", { resource_id: ids.resource_id }, { form: 1 }, []],
    ["application", { account_id: { "!jq": 'error("what is this?")' } }, {}, []],
  ])("%s by %j of %j", async (scope, parts, payload, installations) => {
    const made = await several(scope, parts);
    const answer = await send(made, payload);
    expect(answer).toMatchObject({ status: installations.length > 0 ? 200 : 422, installations });
    const kept = await rows(made);
    expect(kept.map(({ installation: id }) => id)).toEqual(
      installations.length > 0 ? installations : [undefined],
    );
    if (installations.length === 0)
      expect(kept[0]).toMatchObject({
        status: "unroutable",
        input: payload,
        failure: { message: answer.body },
      });
  });
});

describe("D34 historical sync", () => {
  test("the webhook's deliveries wait for the import", async () => {
    const made = await service({}, { historical_data_intake: "history" });
    await send(made, { email: "new@example.com" });
    const emails: unknown[] = [];
    const upsert = made.effects.platform.upsert.bind(made.effects.platform);
    Object.assign(made.effects.platform, {
      upsert: (...args: Parameters<typeof upsert>) => {
        emails.push(args[1]["email"]);
        return upsert(...args);
      },
    });
    expect(await made.runtime.deliver("i1")).toEqual({ delivered: 0, skipped: 0, failed: 0 });
    expect(await made.runtime.poll("i1")).toEqual({
      reason: "iterate",
      requests: 3,
      results: 3,
      done: true,
      delivered: 4,
      skipped: 0,
      failed: 0,
    });
    expect(emails).toEqual(["old0@example.com", "old1@example.com", "old2@example.com", "new@example.com"]);
    expect((await rows(made)).map(({ origin }) => origin)).toEqual([
      "webhook",
      "historical",
      "historical",
      "historical",
    ]);
    await send(made, { email: "newer@example.com" });
    expect(await made.runtime.deliver("i1")).toMatchObject({ delivered: 1 });
    expect(await made.runtime.poll("i1")).toMatchObject({ requests: 3, delivered: 0, done: true });
  });

  test.each<[string, string, object]>([
    [
      "more than 1,000 results end a cycle, not the import",
      '{results: [range($n; $n + 400) | {email: "p\\(.)@example.com"}], iterate: ($n < 1600), polling_state: {n: ($n + 400)}}',
      { reason: "iterate", requests: 5, results: 2_000 },
    ],
    [
      "100 requests in all",
      '{results: [{email: "p\\($n)@example.com"}], iterate: true, polling_state: {n: ($n + 1)}}',
      { reason: "max-requests", requests: 100, results: 100 },
    ],
  ])("%s", async (_name, request, gives) => {
    const party = await thirdParty();
    const config = webhookConfig(party.origin, {}, { historical_data_intake: "history" }) as {
      data_intake: { request?: object }[];
    };
    config.data_intake[1]!.request = { "!jq": `(\${polling_state}.n // 0) as $n | ${request}` };
    const made = await installed({ config, status: "paused" });
    await made.runtime.activate("i1");
    expect(await made.runtime.poll("i1")).toMatchObject({ ...gives, done: true });
  });

  test("an import that fails again and again is given up: what webhooks bring goes on", async () => {
    const party = await thirdParty();
    const config = webhookConfig(party.origin, {}, { historical_data_intake: "history" }) as {
      data_intake: { request?: object }[];
    };
    config.data_intake[1]!.request = { "!error": "no history" };
    const base = await installed({ config, status: "paused" });
    await base.runtime.activate("i1");
    const [hook] = await base.store.transaction((t) => t.list("hooks", { state: "active" }));
    const made = { ...base, party, hook: hook!.id };
    await send(made, { email: "a@example.com" });
    for (let tries = 0; tries < 5; tries++)
      await expect(made.runtime.poll("i1")).rejects.toMatchObject({ kind: "AppError" });
    expect(await made.runtime.poll("i1")).toMatchObject({ delivered: 1, done: true, reason: "limit" });
  });
});
