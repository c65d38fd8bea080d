import { compile, declarationsOf, type PayloadSample, type Sample } from "@configc/compiler";
import {
  becauseOf,
  maskPayload,
  maskSample,
  readSamples,
  sampleContent,
  sampleFileName,
} from "@configc/compiler/internal";
import { type Json, printType } from "@configc/jq";
import { describe, expect, test } from "vitest";
import { flowOf } from "../../src/flow/flow.ts";
import { learnedType } from "../../src/samples/learned-type.ts";
import { misspellingOf, nearName } from "../../src/samples/misspelling.ts";
import { shapeOf } from "../../src/samples/shape.ts";

const typeOf = (...bodies: Json[]): string => printType(learnedType(shapeOf(bodies)));

describe("types of what was seen", () => {
  test.each<[string, Json[], string]>([
    ["kinds, not values", [{ a: 1, b: "x", c: true }], "{a: number, b: string, c: boolean, …}"],
    ["absent in some", [[{ a: 1 }, { a: 1, b: "x" }]], "{a: number, b?: string, …}[]"],
    ["null in some", [{ a: null }, { a: "x" }], "{a: string | null, …}"],
    ["only null: nothing is known", [{ a: null }, { a: null }], "{a: unknown, …}"],
    ["an empty list: nothing of its items", [{ a: [] }], "{a: unknown[], …}"],
    ["several kinds", [{ a: 1 }, { a: "1" }], "{a: number | string, …}"],
    ["names that are data", [{ "17": { n: 1 }, "18": { n: 2 } }], "{[string]: {n: number, …}}"],
    [
      "names of the prototype",
      [JSON.parse('{"__proto__": 1, "constructor": "x"}') as Json],
      "{__proto__: number, constructor: string, …}",
    ],
  ])("%s", (_, bodies, expected) => {
    expect(typeOf(...bodies)).toBe(expected);
  });

  test("20,000 levels", () => {
    const deep = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`) as Json;
    expect(typeOf(deep)).toMatch(/\[\]$/);
    expect(maskSample(sample("GET", "/x", deep)).body).toBeInstanceOf(Array);
  });
});

function sample(method: string, url: string, body: Json, status = 200): Sample {
  return { name: `${method} ${url}`, method, url, status, body };
}

/** The type of the response to an `!http`. */
function responseTo(http: object, samples: readonly Sample[], base = "https://api.example.com/v2"): string {
  const text = JSON.stringify({
    api: { base_url: base },
    workflows: [{ setup: { connect: { describe_connection: { "!http": http } } } }],
  });
  const { model } = compile(text, { samples: { responses: samples } });
  return printType(flowOf(model).output(model.commands[0]));
}

describe("which samples belong to a request", () => {
  const one = (url: string, method = "GET") => [sample(method, url, { a: 1 })];
  const found = /^\{a: number/;
  test.each<[string, object, readonly Sample[], boolean]>([
    ["a path", { path: "/items" }, one("/items"), true],
    ["another", { path: "/items" }, one("/item"), false],
    ["a longer one", { path: "/items" }, one("/items/1"), false],
    ["another method", { path: "/items", method: "POST" }, one("/items"), false],
    ["a method in lower case", { path: "/items", method: "post" }, one("/items", "POST"), true],
    ["a URL", { path: "/items" }, one("https://api.example.com/v2/items?page=2"), true],
    ["without the path of the base", { path: "/items" }, one("https://api.example.com/items"), false],
    ["of another server", { path: "/items" }, one("http://127.0.0.1:8080/items"), true],
    ["an id", { path: "/items/${data.workflow.id}/tags" }, one("/items/17/tags"), true],
    ["no id", { path: "/items/${data.workflow.id}" }, one("/items"), false],
    ["an id with a suffix", { path: "/items/${data.workflow.id}.json" }, one("/items/17.json"), true],
    ["an absolute URL", { url: "https://files.example.com/a" }, one("https://files.example.com/a"), true],
    ["of another host", { url: "https://files.example.com/a" }, one("https://api.example.com/a"), false],
    ["whatever address", { url: "${data.workflow.next}" }, one("/items"), false],
    [
      "another fixed parameter",
      { path: "/events", params: { type: "paid" } },
      one("/events?type=sent"),
      false,
    ],
    ["the same parameter", { path: "/events?type=paid" }, one("/events?type=paid"), true],
    ["another number", { path: "/events", params: { limit: 50 } }, one("/events?limit=2"), true],
    ["a failed one", { path: "/items" }, [sample("GET", "/items", { a: 1 }, 404)], false],
  ])("%s", (_, http, samples, expected) => {
    expect(found.test(responseTo(http, samples))).toBe(expected);
  });

  test("a sample belongs to the path that says most of it", () => {
    const text = JSON.stringify({
      api: { base_url: "https://api.example.com" },
      data_intake: [
        {
          type: "webhook",
          create: {
            "!pipe": [
              { "!http": { path: "/lists/all" } },
              { "!http": { path: "/lists/${piped_content.1.id}" } },
            ],
          },
        },
      ],
    });
    const samples = [sample("GET", "/lists/all", { id: 1 }), sample("GET", "/lists/1", { name: "x" })];
    const { model } = compile(text, { samples: { responses: samples } });
    const [, all, single] = model.commands;
    expect(printType(flowOf(model).output(all))).toMatch(/^\{id: number/);
    expect(printType(flowOf(model).output(single))).toMatch(/^\{name: string/);
  });
});

test("D20: an object has a hidden body, anything else is the body", () => {
  expect(responseTo({ path: "/x" }, [sample("GET", "/x", { a: 1 })])).toBe(
    "{a: number, body?: {a: number, …}, …}",
  );
  expect(responseTo({ path: "/x" }, [sample("GET", "/x", [{ a: 1 }])])).toBe("{body: {a: number, …}[]}");
  expect(responseTo({ path: "/x" }, [sample("GET", "/x", { body: 1 })])).toBe("{body: number, …}");
  expect(responseTo({ path: "/x" }, [sample("GET", "/x", null)])).toBe("{…}");
});

test.each<[string, string | undefined]>([
  ["titel", "title"],
  ["tite", "title"],
  ["titlle", "title"],
  ["firstName", "first_name"],
  ["Title", "title"],
  ["last_name", undefined],
  ["updated_at", undefined],
  ["line2", undefined],
  ["ids", undefined],
  ["title", undefined],
  ["txt", "text"],
  ["end", undefined],
  ["tittel", undefined],
])("a slip: %s", (name, expected) => {
  expect(misspellingOf(name, ["id", "title", "first_name", "created_at", "line1", "text", "send"])).toBe(
    expected,
  );
});

test.each<[string, string | undefined]>([
  ["tittel", "title"],
  ["costumer_id", "customer_id"],
  ["costumerId", "customer_id"],
  ["updated_at", undefined],
  ["min_price", undefined],
  ["line2", undefined],
  ["headline", undefined],
  ["customers_name", undefined],
])("a name that may be meant: %s", (name, expected) => {
  const names = ["title", "customer_id", "created_at", "max_price", "line1"];
  expect(nearName(name, names)).toBe(expected);
});

describe("sample files", () => {
  test("one exchange, a list, a recording", () => {
    const exchange = { request: { path: "items" }, response: { body: { a: 1 } } };
    const expected = { method: "GET", url: "/items", status: 200, body: { a: 1 } };
    expect(readSamples("a.json", exchange)).toMatchObject({ samples: [{ name: "a.json", ...expected }] });
    const failure = { request: { url: "https://x.example" }, failure: { kind: "network", message: "no" } };
    expect(readSamples("a.json", { version: 1, http: [exchange, failure, exchange] })).toEqual({
      samples: [
        { name: "a.json (1)", ...expected },
        { name: "a.json (3)", ...expected },
      ],
      payloads: [],
    });
  });

  test("deliveries of webhooks, by themselves and among exchanges", () => {
    const delivery = { webhook: "order.created", numbered: true, payload: { id: 1 } };
    expect(readSamples("a.json", delivery)).toEqual({
      samples: [],
      payloads: [{ name: "a.json", ...delivery }],
    });
    const exchange = { request: { path: "/x" }, response: { body: 1 } };
    expect(readSamples("a.json", [exchange, { webhook: "order.created", payload: null }])).toMatchObject({
      samples: [{ name: "a.json (1)" }],
      payloads: [{ name: "a.json (2)", payload: null }],
    });
  });

  test.each<[string, unknown, string]>([
    ["no name of a webhook", { webhook: 1, payload: {} }, "the name of an intake"],
    ["a number instead of whether there is one", { webhook: "x", payload: {}, numbered: 7 }, "`numbered`"],
    ["no payload", { webhook: "order.created" }, "no `payload`"],
    ["a text", "x", "expected {request"],
    ["no request", { response: {} }, "expected {request"],
    ["no address", { request: {}, response: {} }, "no `url` or `path`"],
    ["no response", { request: { path: "/x" } }, "its `response` isn't an object"],
    ["one of several", [{ request: { path: "/x" } }, 1], "sample 1: its `response`"],
  ])("%s", (_, content, expected) => {
    const read = readSamples("a.json", content);
    expect("problem" in read && read.problem).toContain(expected);
  });

  test("what is written is read again", () => {
    const given = sample("GET", "https://api.example.com/v1/items/17?page=2", { a: [1] });
    const names = new Set(["get-v1-items-17.json"]);
    const name = sampleFileName(given, (each) => names.has(each));
    expect(name).toBe("get-v1-items-17-2.json");
    expect(readSamples(name, JSON.parse(sampleContent(given)))).toEqual({
      samples: [{ ...given, name }],
      payloads: [],
    });
  });
});

test("a payload that is written is read again, under a name that tells its webhook", () => {
  const given: PayloadSample = { name: "", webhook: "Order.created/v2", payload: [{ a: 1 }] };
  const name = sampleFileName(given, () => false);
  expect(name).toBe("webhook-order-created-v2.json");
  expect(readSamples(name, JSON.parse(sampleContent(given)))).toEqual({
    samples: [],
    payloads: [{ ...given, name }],
  });
});

const uuid = "00000000-0000-4000-8000-000000000000";

describe("masking", () => {
  const body = {
    id: 123_456_789,
    name: "Ada Lovelace",
    email: "ada@lovelace.example",
    phone: "+44 20 7946 0018",
    note: "likes engines",
    api_key: "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
    status: "active",
    currency: "GBP",
    created: "1843-10-08T10:00:00Z",
    url: "https://lovelace.example/ada?token=abc",
    total: 12.5,
    deleted_at: null,
    paid: true,
    tags: ["engines"],
    address: { street: "12 St James's Square", geo: { lat: 51.5, code: "SW1Y" } },
    custom: { "ada@lovelace.example": "Ada said so", "+44 20 7946 0018": true },
    // What is personal or secret may stand under any name, and look like a word.
    nick: "adal",
    surname: "byron",
    created_by: "babbage",
    attendees: ["charles"],
    born: "1815-12-10",
    pin: 4711,
    salary: 45_678,
    coordinates: [51.5072, -0.1275],
    misc: "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    diagnosis: "measles",
    seen_from: "203.0.113.42",
    mac: "00:1B:44:11:3A:B7",
    jwt: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3",
    account_type: "Dr. No",
    topic: "Byron",
    event_kind: "AugustaByron",
    by_iban: { DE89370400440532013000: 1 },
    by_token: { "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjg": 1, sk_live_4eC39HqLyjWDarjtT1zdp7dc: 2 },
    by_page: { "https://lovelace.example/ada?token=abc": 1 },
  };
  const masked = maskSample(sample("GET", "/people/ada@lovelace.example?q=Ada+Lovelace&page=2", body));
  const text = JSON.stringify({ ...masked, name: "" });

  test.each([
    "Ada",
    "Lovelace",
    "lovelace",
    "7946",
    "likes",
    "sk_live",
    "123456789",
    "James",
    "51.5",
    "SW1Y",
    "abc",
    "adal",
    "byron",
    "babbage",
    "charles",
    "1815",
    "4711",
    "45678",
    "51.",
    "ghp_",
    "measles",
    "203",
    "1B:",
    "eyJ",
    "Dr. No",
    "Byron",
    "3704",
  ])("no %s is left", (secret) => {
    expect(text).not.toContain(secret);
  });

  test("payloads are masked alike", () => {
    const { payload } = maskPayload({ name: "", webhook: "x", payload: body });
    expect(payload).toEqual(masked.body);
  });

  test("kinds, null and names stay, and what is harmless", () => {
    const custom = { "person-1@example.com": "x", "+2": true };
    const dictionaries = {
      by_iban: { DE1: 1 },
      by_token: { "key-1": 1, "key-2": 2 },
      by_page: { "https://example.com/1": 1 },
    };
    expect(typeOf(masked.body)).toBe(typeOf({ ...body, custom, ...dictionaries }));
    expect(masked.body).toMatchObject({
      status: "active",
      currency: "GBP",
      total: 12.5,
      created: "2000-01-01T00:00:00Z",
    });
    expect(masked.url).toBe("/people/person@example.com?page=2");
  });

  test.each([
    ["/people/ada/likes?kind=book", "/people/text/likes?kind=book"],
    ["/people/4711/likes", "/people/1/likes"],
    ["/v1/people/8f14e45f-ceea-467a-9575-6f1d3b2c9a10/likes?q=ada", `/v1/people/${uuid}/likes`],
    ["/files/ada.pdf", "/files/text.pdf"],
    ["/bases/appAbc123def45678/rows", "/bases/appAbc123def45678/rows"],
    ["/nobody/asks/Ada%20Lovelace/0044207946001", "/nobody/asks/text/1"],
  ])("%s is kept as %s: what the config writes stays", (url, kept) => {
    const { model } = compile(
      `{"api": {"base_url": "https://api.example.com/v1"}, "workflows": [{"data_pipeline": {"target": {"!pipe": [
        {"!http": {"path": "/people/\${piped_content.0.id}/likes", "params": {"kind": "book"}}},
        {"!http": {"path": "/files/\${piped_content.0.id}.pdf"}},
        {"!http": {"path": "/bases/appAbc123def45678/rows"}}]}}}]}`,
    );
    expect(maskSample(sample("GET", url, null), model).url).toBe(kept);
  });
});

test("a host that the config leaves to the customer isn't kept, and the sample is found nevertheless", () => {
  const text = JSON.stringify({
    api: { base_url: "https://${subdomain}.example.com/v1" },
    workflows: [{ setup: { connect: { describe_connection: { "!http": { path: "/me" } } } } }],
  });
  const masked = maskSample(
    sample("GET", "https://lovelace.example.com/v1/me", { a: 1 }),
    compile(text).model,
  );
  expect(masked.url).toBe("https://example.com/v1/me");
  const { model } = compile(text, { samples: { responses: [masked] } });
  expect(printType(flowOf(model).output(model.commands[0]))).toMatch(/^\{a: number/);
});

test("programs of any size are read without overflowing the stack", () => {
  const samples = { responses: [sample("GET", "/a", { item: { title: "x" } })] };
  for (const program of [
    `${".item | ".repeat(3_000)}.titel`,
    `.item as $a | ${"$a as $a | ".repeat(3_000)}$a.titel`,
    `${"(".repeat(400)}.item${")".repeat(400)}.titel`,
    `[${".item.titel, ".repeat(500)}1]`,
  ]) {
    const config = {
      workflows: [
        {
          setup: {
            connect: { describe_connection: { "!pipe": [{ "!http": { path: "/a" } }, { "!jq": program }] } },
          },
        },
      ],
    };
    const { diagnostics, model } = compile(JSON.stringify(config), { samples });
    for (const diagnostic of diagnostics) expect(becauseOf(model, diagnostic)).toBeInstanceOf(Array);
    expect(declarationsOf({ model })).toContain("export interface");
  }
});

describe("samples that the config has no use for", () => {
  const text = `{"api": {"base_url": "https://api.example.com/v1"}, "data_intake": [{"type": "webhook", "name": "paid"}],
    "workflows": [{"data_pipeline": {"source": {"!http": {"path": "/orders/\${piped_content.0.id}"}}}}]}`;
  const responses = [
    sample("GET", "/v1/orders/1", {}),
    sample("POST", "/v1/orders/1", {}),
    sample("GET", "/v1/items", {}),
  ];
  const payloads = [
    { name: "paid.json", webhook: "paid", payload: {} },
    { name: "sent.json", webhook: "sent", payload: {} },
  ];
  const told = (config: string, own: readonly string[]) =>
    compile(config, { samples: { responses, payloads, own } })
      .diagnostics.filter(({ finding }) => finding.rule.id === "unused/sample")
      .map(({ severity, finding: { args } }) => [severity, args]);
  const own = [...responses, ...payloads].map(({ name }) => name);

  test("are told of in one finding for each kind", () => {
    expect(told(text, own)).toEqual([
      [
        "info",
        { kind: "response", samples: [expect.stringContaining("POST"), expect.stringContaining("/items")] },
      ],
      ["info", { kind: "payload", samples: ["`sent.json` (`sent`)"] }],
    ]);
  });

  test("aren't where they may be meant for another config", () => {
    expect(told(text, [])).toEqual([]);
  });

  test("aren't where a request may be any", () => {
    const any = text.replace('"path": "/orders/', '"url": "');
    expect(told(any, ["paid.json", ...responses.map(({ name }) => name)])).toEqual([]);
  });
});
