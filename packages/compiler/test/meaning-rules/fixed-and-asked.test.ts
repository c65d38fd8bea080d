import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Choices that are only asked for, events that a condition doesn't tell apart and fixed ids, each beside right ones that look like it. */

describe("unused/only-asked-choice", () => {
  const field = (more: object = {}) => ({
    "/workflows/0/setup/select/form_fields/1": {
      ...{ id: "stages", label: "Stages", type: "multiselect" },
      options: ["started", "finished"].map((value) => ({ display: value, value })),
      ...more,
    },
  });
  const told = (program: string, more: object = {}): string[] =>
    inSource("unused/only-asked-choice", program, field(more));
  const form = "${custom_data.form.value} as $f | ";
  const stages = "${custom_data.stages.value}";

  test.each([
    ["a length", `${form}if (${stages} | length) > 0 then {email, $f} else null end`],
    ["behind the pipe", `${form}if (${stages} | length > 0) then {email, $f} else null end`],
    ["a variable", `${stages} as $s | ${form}if ($s | length) != 0 then {email, $f} else null end`],
    ["the empty list", `${form}if ${stages} == [] then null else {email, $f} end`],
    ["null", `${form}if .email == "" or ${stages} == null then null else {email, $f} end`],
  ])("%s", (_, program) => {
    expect(told(program)).toEqual([stages]);
  });

  test.each([
    ["compared", `${form}. as $p | if any(${stages}[]; . == $p.stage) then {email, $f} else null end`],
    [
      "both",
      `${form}. as $p | if (${stages} | length) == 0 or any(${stages}[]; . == $p.stage) then {email, $f} else null end`,
    ],
    [
      "a variable for both",
      `${stages} as $s | ${form}. as $p | if ($s | length) > 0 and ($s | index($p.stage)) == null then null else {email, $f} end`,
    ],
    ["how many", `${form}{email, $f, n: (${stages} | length)}`],
    ["handed on", `${form}if ${stages} == [] then null else {email, $f, all: ${stages}} end`],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });

  test("right: a box to tick", () => {
    const options = [{ display: "Yes", value: "yes" }];
    const program = `${form}if (${stages} | length) > 0 then {email, $f} else null end`;
    expect(told(program, { required: false, options })).toEqual([]);
  });
});

describe("intake/every-event", () => {
  const hook = (events: unknown) => ({
    "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", events },
  });
  const both = ["order.paid", "order.refunded"];
  const told = (program: string, events: unknown = both): string[] =>
    inSource("intake/every-event", program, hook(events));

  test.each([
    [
      "the beginning",
      '{email, state: (if (.event | startswith("order.")) then "a" else "b" end)}',
      'startswith("order.")',
    ],
    [
      "a variable",
      '.event as $e | {email, tags: [if $e | startswith("order") then "a" else "b" end]}',
      'startswith("order")',
    ],
    ["cut", '{email, state: (if .event[0:5] == "order" then "a" else "b" end)}', '.event[0:5] == "order"'],
    [
      "split",
      '{email, state: (if (.event | split(".") | .[0]) == "order" then ["a"] else ["b"] end)}',
      '(.event | split(".") | .[0]) == "order"',
    ],
    [
      "never",
      '{email, state: (if (.event | endswith(".refund")) then "a" else "b" end)}',
      'endswith(".refund")',
    ],
  ])("%s", (_, program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    ["tells them apart", '{email, state: (if (.event | endswith(".refunded")) then "a" else "b" end)}', both],
    ["leaves out what else comes", 'if (.event | startswith("order.")) then {email} else null end', both],
    [
      "two kinds",
      '{email, state: (if (.event | startswith("order.")) then "a" else "b" end)}',
      ["order.paid", "refund.made"],
    ],
    [
      "all of a kind",
      '{email, state: (if (.event | startswith("order.")) then "a" else "b" end)}',
      ["order.*", "order.paid"],
    ],
    ["another member", '{email, state: (if (.number | startswith("order.")) then "a" else "b" end)}', both],
    [
      "one event",
      '{email, state: (if (.event | startswith("order.")) then "a" else "b" end)}',
      ["order.paid"],
    ],
  ])("right: %s", (_, program, events) => {
    expect(told(program, events)).toEqual([]);
  });
});

describe("http/fixed-choice", () => {
  const options = {
    "!pipe": [{ "!http": { path: "/lists" } }, { "!jq": "[.lists[] | {display: .name, value: .id}]" }],
  };
  const list = "${custom_data.list.value}";
  const told = (steps: readonly unknown[], given: unknown = options): string[] =>
    findings("http/fixed-choice", "outbound", {
      "/workflows/0/setup/select/form_fields/0/options": given,
      "/workflows/0/data_pipeline/target": { "!pipe": steps },
    });
  const save = (body: unknown) => ({ "!http": { method: "POST", path: "/people", body } });
  const find = (params: unknown) => ({ "!http": { path: "/people", params } });

  test.each([
    ["a parameter", [find({ list_id: "l-2041" }), save({ list_id: list })], '"l-2041"'],
    ["a body", [find({ list_id: list }), save({ list_id: "20411" })], '"20411"'],
    [
      "a program",
      [find({ listId: "l-7" }), { "!jq": `{listId: ${list}, id: .id}` }, save("${piped_content.2}")],
      '"l-7"',
    ],
    [
      "a path",
      [
        { "!http": { path: "/lists/l-2041/people" } },
        { "!http": { method: "POST", path: `/lists/${list}/people`, body: {} } },
      ],
      "l-2041",
    ],
    [
      "in a program",
      [find({ list_id: list }), { "!jq": '{list_id: "8f14e45f"}' }, save("${piped_content.2}")],
      '"8f14e45f"',
    ],
  ])("%s", (_, steps, marked) => {
    expect(told(steps)).toEqual([marked]);
  });

  test.each([
    ["chosen in both", [find({ list_id: list }), save({ list_id: list })], options],
    ["a word", [find({ list_id: "all" }), save({ list_id: list })], options],
    ["another name", [find({ version: "v-2041" }), save({ list_id: list })], options],
    [
      "written options",
      [find({ list_id: "l-2041" }), save({ list_id: list })],
      [
        { display: "A", value: "l-2041" },
        { display: "B", value: "l-2042" },
      ],
    ],
    [
      "another path",
      [
        { "!http": { path: "/groups/l-2041" } },
        { "!http": { method: "POST", path: `/lists/${list}/people`, body: {} } },
      ],
      options,
    ],
  ])("right: %s", (_, steps, given) => {
    expect(told(steps, given)).toEqual([]);
  });
});

describe("http/skipped-segment: each case of a switch", () => {
  const told = (paths: readonly string[]): string[] =>
    findings("http/skipped-segment", "outbound", {
      "/workflows/0/setup/select/form_fields/0/required": false,
      "/workflows/0/data_pipeline/target": {
        "!switch": {
          jq: 'if .kind == "guide" then 1 else 0 end',
          cases: paths.map((path) => ({
            "!http": { method: "POST", path, body: { email: "${piped_content.0.email}" } },
          })),
        },
      },
    });
  const list = "/lists/${custom_data.list.value | default}";

  test("in each", () => {
    expect(told([`${list}/people`, `${list}/crew`]).length).toBeGreaterThan(0);
  });
  test("right: one is without", () => {
    expect(told([`${list}/people`, "/people"])).toEqual([]);
  });
});

describe("http/list-form-field: separated by commas", () => {
  const told = (comment: string): string[] =>
    findings("http/list-form-field", "outbound", {
      "/workflows/0/setup/select/form_fields/0/type": "multiselect",
      "/workflows/0/data_pipeline/_comment": comment,
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": "{lists: ${custom_data.list.value}}" },
          {
            "!http": {
              ...{ method: "POST", path: "/people" },
              headers: { "content-type": "application/x-www-form-urlencoded" },
              body: { email: "${piped_content.0.email}", lists: "${piped_content.1.lists}" },
            },
          },
        ],
      },
    });

  test.each([
    ["Form fields only, lists separated by commas."],
    ["The form takes several values joined with semicolons."],
    ["A form with comma-separated lists."],
    ["In the body lists are divided by pipes."],
    ["Form fields only."],
  ])("%s", (comment) => {
    expect(told(comment)).toHaveLength(1);
  });
  test.each([["The form takes lists as repeated fields."]])("right: %s", (comment) => {
    expect(told(comment)).toEqual([]);
  });
});
