import { readFileSync } from "node:fs";
import { commandTypes, compile, type Sample } from "@configc/compiler";
import { becauseOf, findNode } from "@configc/compiler/internal";
import { describe, expect, test } from "vitest";
import { setAt } from "../rule-examples.ts";

/** Where types come from: the way back from a finding, or from what a command gives. */

const templates = new URL("../../../cli/templates/", import.meta.url);
const sample = (url: string, body: Sample["body"], name = url): Sample => ({
  name,
  method: "GET",
  url,
  status: 200,
  body,
});
const forms = [
  sample("/forms", { items: [{ id: 1, title: "A", count: 2 }] }),
  sample("/forms", {
    items: [
      { id: 2, title: null, count: 3 },
      { id: 3, count: 1 },
    ],
  }),
];

function compiled(
  template: string,
  changes: Readonly<Record<string, unknown>>,
  samples: readonly Sample[] = [],
) {
  let text = readFileSync(new URL(`${template}.app.json`, templates), "utf8");
  for (const [pointer, value] of Object.entries(changes)) text = setAt(text, pointer, JSON.stringify(value));
  return compile(text, { uri: "test.app.json", samples: { responses: samples } });
}

/** The trails of a command's output. */
function trails(
  template: string,
  path: string,
  changes: Readonly<Record<string, unknown>>,
  samples?: readonly Sample[],
) {
  const { model } = compiled(template, changes, samples);
  const found = findNode(model, path);
  return "node" in found ? commandTypes(model, found.node)[0]?.because : found;
}

const options = "/workflows/0/setup/select/form_fields/0/options";
const http = { "!http": { path: "/forms" } };

describe("what a command gives", () => {
  test.each<[string, string, string, Record<string, unknown>, readonly string[]]>([
    [
      "a response",
      "inbound-webhook",
      options,
      { [options]: { "!pipe": [http, { "!jq": "[.items[] | {display: .title, value: .id}]" }] } },
      [
        ".[].display: string | null <- .items[].title <- GET /forms <- 2 samples: in 2 of 3, null in 1",
        ".[].value: number <- .items[].id <- GET /forms <- 2 samples",
      ],
    ],
    [
      "the case of a `!switch` that gives something",
      "inbound-webhook",
      options,
      {
        [options]: {
          "!pipe": [
            http,
            {
              "!switch": {
                jq: "if .items == null then 0 else 1 end",
                cases: [{ "!error": "No forms" }, { "!jq": "." }],
              },
            },
            { "!jq": '[.items[] | {display: (.title // ""), value: .id}]' },
          ],
        },
      },
      [
        ".[].display: string <- .items[].title <- GET /forms <- 2 samples: in 2 of 3, null in 1",
        ".[].value: number <- .items[].id <- GET /forms <- 2 samples",
      ],
    ],
    [
      "through variables, conditions, `map` and additions",
      "inbound-webhook",
      options,
      {
        [options]: {
          "!pipe": [
            http,
            {
              "!jq":
                '.items as $all | $all | map(select(.count > 1) | {display: (if .title then .title else "none" end)} + {value: .id})',
            },
          ],
        },
      },
      [
        ".[].display: string <- .items[].title <- GET /forms <- 2 samples: in 2 of 3, null in 1",
        ".[].value: number <- .items[].id <- GET /forms <- 2 samples",
      ],
    ],
    [
      "several kinds of objects",
      "inbound-webhook",
      options,
      {
        [options]: {
          "!pipe": [
            http,
            { "!jq": '[{display: "All", value: 0}] + [.items[] | {display: .title, value: .id, count}]' },
          ],
        },
      },
      [
        ".[].display: string | null <- .items[].title <- GET /forms <- 2 samples: in 2 of 3, null in 1",
        ".[].value: number <- .items[].id <- GET /forms <- 2 samples",
        ".[].count: number <- .items[].count <- GET /forms <- 2 samples",
      ],
    ],
    [
      "through steps",
      "inbound-webhook",
      options,
      {
        [options]: {
          "!pipe": [
            http,
            { "!jq": "{list: .items}" },
            { "!print_c": "x" },
            { "!jq": "[.list[] | {display: .count, value: ${piped_content.1.items.0.id}}]" },
          ],
        },
      },
      [
        ".[].display: number <- .list[].count <- .items[].count <- GET /forms <- 2 samples",
        ".[].value: number <- .items[].id <- GET /forms <- 2 samples",
      ],
    ],
    [
      "several sources, each on a line",
      "inbound-webhook",
      options,
      {
        [options]: {
          "!pipe": [
            http,
            {
              "!jq":
                '[.items[] | {display: (.title // (if .count > 2 then .name else .id | tostring end) // "-"), value: (if .count > 2 then .id else .count end)}]',
            },
          ],
        },
      },
      [
        ".[].display: unknown\n" +
          "  <- .items[].title <- GET /forms <- 2 samples: in 2 of 3, null in 1\n" +
          "  <- .items[].name <- GET /forms <- 2 samples",
        ".[].value: number\n" +
          "  <- .items[].id <- GET /forms <- 2 samples\n" +
          "  <- .items[].count <- GET /forms <- 2 samples",
      ],
    ],
    [
      "more sources than can be named",
      "inbound-webhook",
      options,
      { [options]: { "!pipe": [http, { "!jq": '[.a, .b, .c, .d, .e, .a, "f"]' }] } },
      [
        ".[]: unknown\n" +
          "  <- .a <- GET /forms <- 2 samples\n" +
          "  <- .b <- GET /forms <- 2 samples\n" +
          "  <- .c <- GET /forms <- 2 samples\n" +
          "  and 2 more",
      ],
    ],
    [
      "cases of a `!switch`, additions and an `if` without `else`",
      "inbound-webhook",
      options,
      {
        [options]: {
          "!pipe": [
            http,
            {
              "!switch": {
                jq: "if .items == null then 0 else 1 end",
                cases: [{ "!jq": ".archive" }, { "!jq": "if .items == [] then .drafts end" }],
              },
            },
            { "!jq": "[.items[] | .about + .more + {value: .id} | {display: .name, value}]" },
          ],
        },
      },
      [
        ".[].display: unknown\n" +
          "  <- .items[].more.name <- .archive.items[].more.name <- GET /forms <- 2 samples\n" +
          "  <- .items[].more.name <- .drafts.items[].more.name <- GET /forms <- 2 samples\n" +
          "  <- .items[].more.name <- GET /forms <- 2 samples\n" +
          "  and 3 more",
        ".[].value: unknown\n" +
          "  <- .items[].id <- .archive.items[].id <- GET /forms <- 2 samples\n" +
          "  <- .items[].id <- .drafts.items[].id <- GET /forms <- 2 samples\n" +
          "  <- .items[].id <- GET /forms <- 2 samples",
      ],
    ],
    [
      "a form field, and what its options come from",
      "inbound-webhook",
      "/workflows/0/setup/select/describe_selection/resource_id",
      { [options]: { "!pipe": [http, { "!jq": "[.items[] | {display: .title, value: .id}]" }] } },
      [
        ".: number <- .custom_data.form.value <- the form field `form` <- .items[].id <- GET /forms <- 2 samples",
      ],
    ],
    [
      "no samples",
      "inbound-webhook",
      "/workflows/0/setup/connect/describe_connection",
      {},
      [
        ".account_id: unknown <- .id <- GET /me <- no samples, so any value",
        ".description: unknown <- .name <- GET /me <- no samples, so any value",
      ],
    ],
    [
      "a webhook's payload",
      "inbound-webhook",
      "/workflows/0/data_pipeline/source",
      { "/workflows/0/data_pipeline/source": { "!jq": "{email: .person.mail}" } },
      [".email: unknown <- .person.mail <- what the webhook sends"],
    ],
    [
      "nothing that it makes itself",
      "inbound-webhook",
      options,
      { [options]: { "!jq": '[{display: "A", value: 1}]' } },
      [],
    ],
  ])("%s", (_, template, path, changes, expected) => {
    expect(trails(template, path, changes, forms)).toEqual(expected);
  });

  test("what is polled, saved and kept in the state", () => {
    const request = {
      "!pipe": [
        { "!http": { path: "/customers" } },
        {
          "!jq":
            "{results: .customers, iterate: .more, polling_state: {page: ${polling_state.page}, since: .now}}",
        },
      ],
    };
    const customers = [sample("/customers", { customers: [{ mail: "x" }], more: true, now: "2024-01-01" })];
    const changes = {
      "/data_intake/0/request": request,
      "/workflows/0/data_pipeline/source": { "!jq": "{email: .mail}" },
    };
    expect(trails("inbound-polling", "/workflows/0/data_pipeline/source", changes, customers)).toEqual([
      ".email: string <- .mail <- .customers[].mail <- GET /customers <- /customers",
    ]);
    expect(
      trails(
        "inbound-polling",
        "/data_intake/0/post_poll",
        {
          ...changes,
          "/data_intake/0/post_poll": { "!jq": "{polling_state: {page: 1, since: ${polling_state.since}}}" },
        },
        customers,
      ),
    ).toEqual([]);
  });
});

test("a finding says where the values come from", () => {
  const { model, diagnostics } = compiled(
    "inbound-webhook",
    {
      [options]: {
        "!pipe": [http, { "!jq": '[.items[] | {display: (.count | .name), value: (.count + "x")}]' }],
      },
    },
    forms,
  );
  expect(diagnostics.map((each) => [each.finding.rule.id, becauseOf(model, each)])).toEqual(
    expect.arrayContaining([
      ["jq/cannot-index", ["number <- .items[].count <- GET /forms <- 2 samples"]],
      ["jq/operand-types", ["number <- .items[].count <- GET /forms <- 2 samples"]],
    ]),
  );
});

test("what two steps save", () => {
  const save = (value: string) => ({ "!pipe": [http, { "!jq": `{hook_id: ${value}}` }, saved] });
  const saved = { "!save": { scope: "workflow" } };
  const read = "/data_intake/0/delete";
  expect(
    trails(
      "inbound-webhook",
      read,
      {
        "/data_intake/0/create": save(".items[0].id"),
        "/data_intake/0/update": save(".items[0].count"),
        [read]: { "!jq": "{hook: ${data.workflow.hook_id}}" },
      },
      forms,
    ),
  ).toEqual([
    ".hook: number | null\n" +
      "  <- data.workflow.hook_id <- .items[].id <- GET /forms <- 2 samples\n" +
      "  <- data.workflow.hook_id <- .items[].count <- GET /forms <- 2 samples",
  ]);
});

test("ways that part again and again end", () => {
  const step = { "!jq": "if .a then . else . end | {a: (.a // .b), b: (.b // .a)}" };
  const found = trails(
    "inbound-webhook",
    options,
    { [options]: { "!pipe": [http, ...Array.from({ length: 40 }, () => step)] } },
    forms,
  );
  expect(found).toHaveLength(2);
});

test("states that depend on themselves end", () => {
  const changes = {
    "/data_intake/0/post_poll": { "!jq": "{polling_state: ${polling_state}}" },
    "/data_intake/0/request": {
      "!jq":
        "{results: [], iterate: false, polling_state: {since: ${polling_state.since}, page: ${polling_state.since}}}",
    },
    "/data_intake/0/initial_setup": { "!jq": "{polling_state: ${polling_state}}" },
  };
  expect(trails("inbound-polling", "/data_intake/0/request", changes)).toBeInstanceOf(Array);
});
