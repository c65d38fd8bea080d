import type { Delivery } from "@configc/runtime";
import { describe, expect, test } from "vitest";
import { installed, type TestService } from "../support/installed.ts";
import { thirdParty, webhookConfig } from "../support/third-party.ts";

/** D51: a delivery that is sent again is known by its sender's number, whatever the sender, and no other is taken for it. */

type Headers = Readonly<Record<string, string>>;
interface Sent {
  readonly headers?: Headers;
  readonly body?: unknown;
}
type Made = TestService & { readonly hook: string };

async function service(intake: object = {}): Promise<Made> {
  const party = await thirdParty();
  const made = await installed({ config: webhookConfig(party.origin, intake), status: "paused" });
  await made.runtime.activate("i1");
  const [hook] = await made.store.transaction((t) => t.list("hooks", { state: "active" }));
  return { ...made, hook: hook?.id ?? "" };
}

async function send({ runtime, hook }: Made, { headers = {}, body = {} }: Sent): Promise<number> {
  const { status } = await runtime.receive({
    hook,
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: new TextEncoder().encode(JSON.stringify(body)),
  });
  return status;
}

async function kept(made: TestService): Promise<readonly Delivery[]> {
  return await made.store.transaction((t) => t.list("deliveries", {}));
}

const payload = { email: "a@example.com" };

/** A sender's way: what it sends as number N, at a later try if `again`. */
const senders: readonly [string, (number: string, again?: boolean) => Sent][] = [
  ["svix-id", "svix-id"],
  ["Standard Webhooks", "webhook-id", { "webhook-timestamp": "1" }],
  ["ce-id and ce-source", "ce-id", { "ce-source": "/shop" }],
  ["ce-id", "ce-id"],
  ["i-twilio-idempotency-token", "i-twilio-idempotency-token"],
  ["x-amz-sns-message-id", "x-amz-sns-message-id"],
  ["x-gitlab-event-uuid", "x-gitlab-event-uuid"],
  ["idempotency-key of GitLab", "idempotency-key", { "x-gitlab-event": "Push Hook" }],
  ["x-github-delivery", "x-github-delivery"],
  ["x-atlassian-webhook-identifier", "x-atlassian-webhook-identifier"],
  ["x-shopify-event-id", "x-shopify-event-id", { "x-shopify-topic": "orders/paid" }],
  ["x-shopify-webhook-id", "x-shopify-webhook-id"],
  ["x-zendesk-webhook-invocation-id", "x-zendesk-webhook-invocation-id", { "x-zendesk-webhook-id": "1" }],
  ["x-request-uuid of Bitbucket", "x-request-uuid", { "x-event-key": "repo:push", "x-hook-uuid": "1" }],
  ["x-contentful-idempotency-key", "x-contentful-idempotency-key"],
  ["x-pandadoc-webhook-event-id", "x-pandadoc-webhook-event-id"],
  ["x-razorpay-event-id, of an unknown sender", "x-razorpay-event-id"],
  ["x-wc-webhook-delivery-id, of an unknown sender", "x-wc-webhook-delivery-id", { "x-wc-webhook-id": "1" }],
].map(([name, header, more]) => [
  name as string,
  (number: string) => ({ headers: { ...(more as Headers), [header as string]: number }, body: payload }),
]);

const bodies: readonly [string, (number: string, again?: boolean) => Sent][] = [
  [
    "CloudEvents in the body",
    (id, again) => ({
      headers: { "content-type": "application/cloudevents+json" },
      body: { specversion: "1.0", type: "t", source: "/s", id, ...(again ? { sentat: "later" } : {}) },
    }),
  ],
  [
    "CloudEvents in a list",
    (id) => ({
      headers: { "content-type": "application/cloudevents-batch+json" },
      body: [1, 2].map((n) => ({ specversion: "1.0", type: "t", source: `/s${n}`, id })),
    }),
  ],
  ["Stripe", (id, again) => ({ body: { object: "event", type: "t", id, pending_webhooks: again ? 1 : 2 } })],
  [
    "Slack",
    (event_id, again) => ({
      headers: again ? { "x-slack-retry-num": "1" } : {},
      body: { type: "event_callback", team_id: "T", event_id },
    }),
  ],
  ["Square", (event_id) => ({ body: { merchant_id: "M", type: "t", event_id, data: payload } })],
  ["PayPal", (id) => ({ body: { event_type: "T", resource_type: "sale", resource: payload, id } })],
  [
    "Intercom",
    (id, again) => ({
      body: { type: "notification_event", topic: "t", id, delivery_attempts: again ? 2 : 1 },
    }),
  ],
  ["Zendesk", (id) => ({ body: { zendesk_event_version: "2022-11-06", type: "t", id } })],
  [
    "SendGrid",
    (id) => ({ body: [1, 2].map((n) => ({ event: "open", timestamp: 5, sg_event_id: `${id}-${n}` })) }),
  ],
];

describe.each([...senders, ...bodies])("%s", (_name, sent) => {
  test("six events at once with equal payloads are six; a number that comes again is one", async () => {
    const made = await service();
    const numbers = ["n1", "n2", "n3", "n4", "n5", "n6"];
    const statuses = await Promise.all(numbers.map((number) => send(made, sent(number))));
    expect(statuses).toEqual(numbers.map(() => 200));
    expect(await kept(made)).toHaveLength(6);
    await Promise.all(numbers.map((number) => send(made, sent(number, true))));
    expect(await kept(made)).toHaveLength(6);
    expect(await made.runtime.deliver("i1")).toMatchObject({ delivered: expect.any(Number) });
    for (const number of numbers) await send(made, sent(number, true));
    expect(await kept(made)).toHaveLength(6);
  });
});

describe("what counts as the same", () => {
  const twice: [string, Sent, Sent, number][] = [
    [
      "a number that names one event, though its payload has another time of sending",
      { headers: { "svix-id": "1" }, body: { sent: 1 } },
      { headers: { "svix-id": "1" }, body: { sent: 2 } },
      1,
    ],
    [
      "not a number that several events may share, with another payload: webhooks of GitLab that set off one another",
      { headers: { "x-gitlab-event-uuid": "1" }, body: { n: 1 } },
      { headers: { "x-gitlab-event-uuid": "1" }, body: { n: 2 } },
      2,
    ],
    [
      "not one event of two topics",
      { headers: { "x-shopify-event-id": "1", "x-shopify-topic": "orders/paid" }, body: payload },
      { headers: { "x-shopify-event-id": "1", "x-shopify-topic": "orders/updated" }, body: payload },
      2,
    ],
    [
      "not the same id of another source",
      { headers: { "ce-id": "1", "ce-source": "/a" }, body: payload },
      { headers: { "ce-id": "1", "ce-source": "/b" }, body: payload },
      2,
    ],
    [
      "not an equal number in another sender's header",
      { headers: { "svix-id": "1" }, body: payload },
      { headers: { "x-amz-sns-message-id": "1" }, body: payload },
      2,
    ],
    [
      "not an equal number in a header that somebody made up",
      { headers: { "svix-id": "1" }, body: payload },
      { headers: { "x-svix-event-id": "1" }, body: payload },
      2,
    ],
    [
      "a number whose request got another header on its way",
      { headers: { "svix-id": "1" }, body: payload },
      { headers: { "svix-id": "1", "idempotency-key": "made up", "x-proxy-event-id": "7" }, body: payload },
      1,
    ],
    [
      "values that only together look like others",
      { headers: { "ce-source": "a", "ce-id": "b,c" }, body: payload },
      { headers: { "ce-source": "a,b", "ce-id": "c" }, body: payload },
      2,
    ],
  ];
  test.each(twice)("%s", async (_name, first, second, count) => {
    const made = await service();
    await send(made, first);
    await send(made, second);
    expect(await kept(made)).toHaveLength(count);
  });

  test.each([
    "x-gitlab-webhook-uuid",
    "x-hook-uuid",
    "x-zendesk-webhook-id",
    "x-wc-webhook-id",
    "x-slack-retry-num",
    "x-goog-channel-id",
    "constructor",
    "__proto__",
  ])(
    "`%s` names no delivery: without a number equal payloads are two events once the first has gone",
    async (header) => {
      const made = await service();
      const sent = { headers: { [header]: "the same" }, body: payload };
      await send(made, sent);
      await made.runtime.deliver("i1");
      await send(made, sent);
      expect(await kept(made)).toHaveLength(2);
    },
  );

  test("an empty number is none", async () => {
    const made = await service();
    for (const n of [1, 2]) await send(made, { headers: { "svix-id": "" }, body: { n } });
    expect(await kept(made)).toHaveLength(2);
  });
});

describe("webhook.delivery_id", () => {
  const byBody = { delivery_id: { "!jq": ".body.no" } };

  test("its number counts, whatever else the payload and the headers say", async () => {
    const made = await service(byBody);
    await send(made, { headers: { "svix-id": "1" }, body: { no: 7, sent: 1 } });
    await send(made, { headers: { "svix-id": "2" }, body: { no: 7, sent: 2 } });
    await send(made, { headers: { "svix-id": "2" }, body: { no: "8", sent: 2 } });
    expect((await kept(made)).map(({ input }) => input)).toEqual([
      { no: 7, sent: 1 },
      { no: "8", sent: 2 },
    ]);
  });

  test("it takes headers in lower case, the query and the body", async () => {
    const made = await service({
      delivery_id: { "!jq": '"\\(.headers["x-acme-message"]) \\(.query.part) \\(.body.n) \\(keys)"' },
    });
    const request = { hook: made.hook, method: "POST", headers: { "x-acme-message": "m" }, query: "part=2" };
    const body = new TextEncoder().encode('{"n": 1}');
    for (let tries = 0; tries < 2; tries++) await made.runtime.receive({ ...request, body });
    await made.runtime.receive({ ...request, body, query: "part=3" });
    expect(await kept(made)).toHaveLength(2);
    expect(made.effects.logged).toEqual([]);
  });

  test.each<[string, object, string | undefined]>([
    ["null", { "!jq": "null" }, undefined],
    ["an empty text", { "!jq": '""' }, undefined],
    ["an object", { "!jq": "{id: .body.missing}" }, "`delivery_id` must give a string or a number."],
    ["true", { "!jq": "true" }, "`delivery_id` must give a string or a number."],
    ["a failure", { "!jq": 'error("broken")' }, "broken"],
  ])("%s falls back to what senders usually give", async (_name, delivery_id, logged) => {
    const made = await service({ delivery_id });
    for (const number of ["1", "2", "1"])
      expect(await send(made, { headers: { "svix-id": number }, body: payload })).toBe(200);
    expect(await kept(made)).toHaveLength(2);
    const expected = logged === undefined ? [] : [1, 2, 3].map(() => expect.stringContaining(logged));
    expect(made.effects.logged.map(({ message }) => message)).toEqual(expected);
  });

  test("it isn't asked for what `verification` refuses, and suppresses nothing", async () => {
    const made = await service({
      ...byBody,
      verification: {
        "!switch": {
          jq: 'if .headers["x-token"] == "right" then 0 else 1 end',
          cases: [{ "!respond": { process_payload: true } }, { "!error": "no" }],
        },
      },
    });
    expect(await send(made, { body: { no: 1, from: "a stranger" } })).toBe(403);
    expect(await send(made, { headers: { "x-token": "right" }, body: { no: 1 } })).toBe(200);
    expect((await kept(made)).map(({ input }) => input)).toEqual([{ no: 1 }]);
  });

  test("an equal number of another intake's registration is another delivery", async () => {
    const [one, other] = [await service(byBody), await service(byBody)];
    for (const made of [one, other]) {
      await send(made, { body: { no: 1 } });
      expect(await kept(made)).toHaveLength(1);
    }
  });
});

test("deliveries of one moment arrive in the order in which they came", async () => {
  const made = await service();
  const numbers = Array.from({ length: 30 }, (_, n) => n);
  for (const n of numbers)
    await send(made, { headers: { "svix-id": `${n * 7919}` }, body: { email: `p${n}@example.com` } });
  const arrived: unknown[] = [];
  const upsert = made.effects.platform.upsert.bind(made.effects.platform);
  Object.assign(made.effects.platform, {
    upsert: (...args: Parameters<typeof upsert>) => {
      arrived.push(args[1]["email"]);
      return upsert(...args);
    },
  });
  await made.runtime.deliver("i1");
  expect(arrived).toEqual(numbers.map((n) => `p${n}@example.com`));
});
