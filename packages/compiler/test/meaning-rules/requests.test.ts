import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What pipelines send: the same kind of mistake in other words, and what is right although it looks alike. */

describe("pipeline/made-without-choice", () => {
  const told = (built: string, made: string, changed: string, method = "POST"): string[] =>
    findings("pipeline/made-without-choice", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
          { "!jq": built },
          {
            "!switch": {
              jq: "if .id == null then 0 else 1 end",
              cases: [
                { "!http": { method, path: "/people", body: { person: made } } },
                {
                  "!http": {
                    method: "PATCH",
                    path: "/people/${piped_content.2.id}",
                    body: { person: changed },
                  },
                },
              ],
            },
          },
        ],
      },
    });
  const id = "id: (.people[0].id // null)";
  const whole = `{${id}, person: (\${piped_content.0} + {list: \${custom_data.list.value}})}`;
  const [raw, sent] = ["${piped_content.0}", "${piped_content.2.person}"];

  test.each([
    ["added", whole, raw, sent, true],
    [
      "without what is empty",
      `{${id}, person: ((\${piped_content.0} | with_entries(select(.value != null))) + {list: \${custom_data.list.value}})}`,
      raw,
      sent,
      true,
    ],
    [
      "with a variable",
      `\${piped_content.0} as $c | {${id}, person: ($c + {list: \${custom_data.list.value}})}`,
      raw,
      sent,
      true,
    ],
    [
      "by names",
      `\${piped_content.0} as $c | {${id}, person: {email: $c.email, list: \${custom_data.list.value}}}`,
      raw,
      sent,
      true,
    ],
    [
      "in two objects",
      `{${id}} + {person: (\${piped_content.0} + {list: \${custom_data.list.value}})}`,
      raw,
      sent,
      true,
    ],
    ["both built", whole, sent, sent, false],
    ["only a change lacks it", whole, sent, raw, false],
    ["nothing is chosen", `{${id}, person: (\${piped_content.0} + {source: "app"})}`, raw, sent, false],
  ])("%s", (_, built, made, changed, isTold) => {
    expect(told(built, made, changed)).toEqual(isTold ? [raw] : []);
  });
});

describe("http/first-page-only", () => {
  const told = (first: object, second: object): string[] =>
    findings("http/first-page-only", "outbound", {
      "/api/pagination": {
        style: { type: "page", page_number: { param: "page" } },
        parser: { total_pages: { "!jq": ".pages" } },
      },
      "/workflows/0/setup/select/form_fields/0/options": {
        "!pipe": [{ "!http": first }, { "!jq": "[.lists[] | {display: .name, value: .id}]" }],
      },
      "/workflows/0/setup/map/describe_target/options": {
        "!pipe": [{ "!http": second }, { "!jq": "[.lists[] | {title: .name, id: .id}]" }],
      },
    });

  test.each([
    ["left out", { path: "/lists" }, { path: "/lists", pagination: true }, 1],
    ["switched off", { path: "/lists", pagination: false }, { path: "/lists", pagination: true }, 1],
    ["with a method", { method: "GET", path: "/lists" }, { path: "/lists", pagination: true }, 1],
    ["with a slash less", { path: "lists" }, { path: "/lists", pagination: true }, 1],
    ["the other one", { path: "/lists", pagination: true }, { path: "/lists" }, 1],
    [
      "with params in another order",
      { path: "/lists", params: { a: 1, b: "x" } },
      { path: "/lists", params: { b: "x", a: 1 }, pagination: true },
      1,
    ],
    ["both", { path: "/lists", pagination: true }, { path: "/lists", pagination: true }, 0],
    ["neither", { path: "/lists" }, { path: "/lists" }, 0],
    ["another list", { path: "/plans" }, { path: "/lists", pagination: true }, 0],
    ["other params", { path: "/lists", params: { kind: "new" } }, { path: "/lists", pagination: true }, 0],
    ["a large page", { path: "/lists", params: { limit: 1000 } }, { path: "/lists", pagination: true }, 0],
  ])("%s", (_, first, second, count) => {
    expect(told(first, second)).toHaveLength(count);
  });
});

describe("pipeline/unbuilt-body", () => {
  const told = (built: string, made: unknown, changed: unknown, path = "/people"): string[] =>
    findings("pipeline/unbuilt-body", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": built },
          { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
          { "!jq": "{id: .people[0].id}" },
          {
            "!switch": {
              jq: "if .id == null then 0 else 1 end",
              cases: [
                { "!http": { method: "POST", path: "/people", body: made } },
                { "!http": { method: "PATCH", path: `${path}/\${piped_content.3.id}`, body: changed } },
              ],
            },
          },
        ],
      },
    });
  const wraps = "{person: {mail: .email, full: .name}}";

  test.each([
    ["wrapped", wraps, "${piped_content.1}", "${piped_content.0}", ["${piped_content.0}"]],
    [
      "renamed",
      "{mail: .email, full: .name}",
      "${piped_content.1}",
      "${piped_content.0}",
      ["${piped_content.0}"],
    ],
    [
      "in a member",
      "{mail: .email}",
      { person: "${piped_content.1}" },
      { person: "${piped_content.0}" },
      ["${piped_content.0}"],
    ],
    ["the other way round", wraps, "${piped_content.0}", "${piped_content.1}", ["${piped_content.0}"]],
    [
      "with more",
      "{mail: .email} + (if .name != null then {full: .name} else {} end)",
      "${piped_content.1}",
      "${piped_content.0}",
      ["${piped_content.0}"],
    ],
    [
      "by the expansion",
      "${piped_content.0} as $c | {person: {mail: $c.email, full: $c.name}}",
      "${piped_content.1}",
      "${piped_content.0}",
      ["${piped_content.0}"],
    ],
    [
      "all below a name",
      "{person: (. + {email: (.email | ascii_downcase), home: 7})}",
      "${piped_content.1}",
      "${piped_content.0}",
      ["${piped_content.0}"],
    ],
    [
      "a member that is built",
      "${piped_content.0} as $c | {kind: 1, person: {mail: $c.email, licence: {number: $c.licence_number}}}",
      "${piped_content.1.person}",
      "${piped_content.0}",
      ["${piped_content.0}"],
    ],
    [
      "a member that is as it came",
      "${piped_content.0} as $c | {kind: 1, person: {email: $c.email, name: $c.name}}",
      "${piped_content.1.person}",
      "${piped_content.0}",
      [],
    ],
    ["all beside a name", "{home: 7, email} + .", "${piped_content.1}", "${piped_content.0}", []],
    [
      "all below a name, in both",
      "{person: (. + {email: .email})}",
      "${piped_content.1}",
      "${piped_content.1}",
      [],
    ],
    // What is below a name is sent below it.
    [
      "all below a name, taken out again",
      "{person: (. + {email: .email})}",
      { person: "${piped_content.1.person}" },
      { person: "${piped_content.0}" },
      [],
    ],
    ["both built", wraps, "${piped_content.1}", "${piped_content.1}", []],
    ["only more is added", ". + {owner: 7}", "${piped_content.1}", "${piped_content.0}", []],
    ["names stay", "{email, name, owner: 7}", "${piped_content.1}", "${piped_content.0}", []],
    [
      "without what is empty",
      "with_entries(select(.value != null))",
      "${piped_content.1}",
      "${piped_content.0}",
      [],
    ],
  ])("%s", (_, built, made, changed, at) => {
    expect(told(built, made, changed)).toEqual(
      at.map((text) => (typeof made === "string" ? `${text}` : text)),
    );
  });

  test("records of another kind may have another form", () => {
    expect(told(wraps, "${piped_content.1}", "${piped_content.0}", "/notes")).toEqual([]);
  });
});

describe("pipeline/made-without-choice: parts of records, deeper bodies and GraphQL", () => {
  const told = (...steps: readonly object[]): string[] =>
    findings("pipeline/made-without-choice", "outbound", {
      "/workflows/0/data_pipeline/target": { "!pipe": steps },
    });
  const lookup = { "!http": { path: "/leads", params: { email: "${piped_content.0.person.email}" } } };
  const choose = (make: object, change: object): object => ({
    "!switch": { jq: "if ${piped_content.1.leads} == [] then 0 else 1 end", cases: [make, change] },
  });
  const http = (method: string, path: string, body: object | string): object => ({
    "!http": { method, path, body },
  });
  const id = "/leads/${piped_content.1.leads[0].id}";
  const part = { "!jq": "${piped_content.0.person} + {list_id: ${custom_data.list.value}}" };
  const bound = { "!jq": "${piped_content.0.person} as $p | $p + {list_id: ${custom_data.list.value}}" };
  const below = { "!jq": "{lead: (${piped_content.0.person} + {list_id: ${custom_data.list.value}})}" };
  const graphql = (query: string, input: string): object =>
    http("POST", "/graphql", { query, variables: { input } });
  const create = "mutation M($input: LeadInput!) { saved: createLead(input: $input) { id } }";
  const update = "mutation M($input: LeadInput!) { saved: updateLead(input: $input) { id } }";
  const plain = "${piped_content.0.person}";
  const made = "${piped_content.2}";

  test.each<{ steps: readonly object[] }>([
    {
      steps: [
        lookup,
        part,
        choose(http("POST", "/leads", { lead: plain }), http("PATCH", id, { lead: made })),
      ],
    },
    { steps: [lookup, bound, choose(http("POST", "/leads", plain), http("PUT", id, made))] },
    {
      steps: [
        lookup,
        below,
        choose(
          http("POST", "/leads", { lead: plain }),
          http("PATCH", id, { lead: "${piped_content.2.lead}" }),
        ),
      ],
    },
    {
      steps: [
        lookup,
        part,
        choose(
          http("POST", "/leads", { data: { type: "leads", attributes: plain } }),
          http("PATCH", id, { data: { type: "leads", attributes: made } }),
        ),
      ],
    },
    { steps: [lookup, part, choose(graphql(create, plain), graphql(update, made))] },
  ])("%j", ({ steps }) => {
    expect(told(...steps)).toEqual([plain]);
  });

  test.each<{ steps: readonly object[] }>([
    // What is there keeps what was chosen when it was made.
    {
      steps: [
        lookup,
        part,
        choose(http("POST", "/leads", { lead: made }), http("PATCH", id, { lead: plain })),
      ],
    },
    { steps: [lookup, part, choose(graphql(create, made), graphql(update, plain))] },
    // The choice is sent beside it.
    {
      steps: [
        lookup,
        part,
        choose(
          http("POST", "/leads", { lead: plain, list: "${custom_data.list.value}" }),
          http("PATCH", id, { lead: made }),
        ),
      ],
    },
    // Another part.
    {
      steps: [
        lookup,
        part,
        choose(
          http("POST", "/leads", { lead: "${piped_content.0.lead}" }),
          http("PATCH", id, { lead: made }),
        ),
      ],
    },
  ])("right: %j", ({ steps }) => {
    expect(told(...steps)).toEqual([]);
  });
});

describe("pipeline/already-set", () => {
  const lookup = { "!http": { path: "/bookings", params: { email: "${piped_content.0.email}" } } };
  const change = (method: string, body: object, below = ""): object => ({
    "!http": { method, path: `/bookings/\${piped_content.2.id}${below}`, body },
  });
  const told = (choose: string, ...cases: readonly object[]): string[] =>
    findings("pipeline/already-set", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          lookup,
          { "!jq": choose },
          {
            "!switch": { jq: "if .id == null then 0 else 1 end", cases: [{ "!print_c": "None." }, ...cases] },
          },
        ],
      },
    });
  const cancelled = '.status == "cancelled"';

  test.each<[string, string, object]>([
    [
      `{id: ([.b[] | select(${cancelled}) | .id] | first)}`,
      cancelled,
      change("PATCH", { status: "cancelled" }),
    ],
    [
      `{id: (first(.b[] | select(${cancelled})) | .id)}`,
      cancelled,
      change("PATCH", { data: { attributes: { status: "cancelled", why: "x y" } } }),
    ],
    [
      `(.b | map(select(.email == "a" and ${cancelled}))) as $all | {id: $all[0].id}`,
      cancelled,
      change("PUT", { status: "Cancelled" }),
    ],
    ["{id: ([.b[] | select(.is_active) | .id] | first)}", ".is_active", change("PATCH", { isActive: true })],
    [
      "{id: ([.b[] | select(.active == false) | .id] | first)}",
      ".active == false",
      change("PATCH", { active: false }),
    ],
    [`{id: ([.b[] | select(${cancelled}) | .id] | first)}`, cancelled, change("POST", {}, "/cancel")],
    ["{id: ([.b[] | select(.archived) | .id] | first)}", ".archived", change("POST", {}, "/archive")],
  ])("%s", (choose, marked, request) => {
    expect(told(choose, request)).toEqual([marked]);
  });

  test.each<[string, object]>([
    [
      '{id: ([.b[] | select(.status != "cancelled") | .id] | first)}',
      change("PATCH", { status: "cancelled" }),
    ],
    ["{id: ([.b[] | select(.archived | not) | .id] | first)}", change("POST", {}, "/archive")],
    ['{id: ([.b[] | select(.status == "open") | .id] | first)}', change("PATCH", { status: "cancelled" })],
    // Another member, of another record.
    ['{id: ([.b[] | select(.status == "open") | .id] | first)}', change("PATCH", { note: { kind: "open" } })],
    // What else is sent is what the change is for.
    [
      '{id: ([.b[] | select(.status == "open") | .id] | first)}',
      change("PATCH", { status: "open", amount: "${piped_content.0.amount}" }),
    ],
    // All of the record is sent.
    [
      '{id: ([.b[] | select(.status == "open") | .id] | first)}',
      change("PUT", { status: "open", a: 1, b: 2, c: 3 }),
    ],
    [
      '{old: ([.b[] | select(.status == "cancelled")] | length), id: .b[0].id}',
      change("PATCH", { status: "cancelled" }),
    ],
  ])("right: %s", (choose, request) => {
    expect(told(choose, request)).toEqual([]);
  });

  test("is right where a new record gets the same", () => {
    const choose = '{id: ([.b[] | select(.status == "open") | .id] | first)}';
    const make = { "!http": { method: "POST", path: "/bookings", body: { status: "open", note: "n" } } };
    expect(told(choose, change("PATCH", { status: "open", note: "n" }), make)).toEqual([]);
  });
});

describe("http/deletes-list", () => {
  const list = "/lists/${custom_data.list.value}/members";
  const told = (path: string, more: object = {}, get = list): number =>
    findings("http/deletes-list", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: get, params: { email: "${piped_content.0.email}" } } },
          { "!jq": "{id: .members[0].id}" },
          {
            "!switch": {
              jq: "if .id then 0 else 1 end",
              cases: [{ "!http": { method: "DELETE", path, ...more } }, { "!jq": "null" }],
            },
          },
        ],
      },
    }).length;
  test("a list that is read", () => {
    expect(told(list)).toBe(1);
    expect(told(`${list}/`)).toBe(1);
    expect(told("lists/$<custom_data.list.value>/members")).toBe(1);
    expect(told("/guests", {}, "/guests?state=open")).toBe(1);
  });
  test("what names an item, or is no list", () => {
    expect(told(`${list}/\${piped_content.2.id}`)).toBe(0);
    expect(told(list, { params: { email: "${piped_content.0.email}" } })).toBe(0);
    expect(told(list, { body: { ids: ["${piped_content.2.id}"] } })).toBe(0);
    expect(told(`${list}?email=\${piped_content.0.email}`)).toBe(0);
    // All of one record's.
    expect(told("/people/${piped_content.2.id}/tags", {}, "/people/${piped_content.0.id}/tags")).toBe(0);
    expect(told("/people/${piped_content.0.id}/tags", {}, "/people/${piped_content.0.id}/tags")).toBe(0);
    expect(told("/hold", {}, "/hold")).toBe(0);
    // Nothing says that it is a list.
    expect(told("/locks")).toBe(0);
  });
});

test.each([
  ["the last part of a text", '.self | split("/") | last', 0],
  ["a part of a text that is divided", '(.self / "/") as [$kind, $id] | $id', 0],
  ["the first one", '(.name | split("/"))[0]', 0],
  ["a text or null", 'if .ok then "own" else null end', 1],
])("http/empty-segment: %s", (_, id, count) => {
  const told = findings("http/empty-segment", "inbound-webhook", {
    "/data_intake/0/create": {
      "!pipe": [
        { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
        { "!jq": `{hook_id: (${id})}` },
        { "!save": { scope: "workflow" } },
      ],
    },
    "/data_intake/0/update": undefined,
    "/data_intake/0/delete": { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } },
  });
  expect(told).toHaveLength(count);
});
