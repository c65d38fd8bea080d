import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";

/** What a step makes and later ones miss: the same kind of mistake in other words, and what is right although it looks alike. */

const lookup = { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } };
const target = (rule: string, ...steps: readonly object[]): string[] =>
  findings(rule, "outbound", { "/workflows/0/data_pipeline/target": { "!pipe": steps } });

describe("http/record-in-path", () => {
  const told = (path: string, list: string, read: string): string[] =>
    target(
      "http/record-in-path",
      { "!http": { path: list, params: { email: "${piped_content.0.email}" } } },
      { "!jq": `{found: ${read}, list: \${custom_data.list.value}}` },
      { "!http": { method: "PATCH", path, body: { list: "${piped_content.2.list}" } } },
    );

  test.each([
    ["/people", ".people[0]"],
    ["/shops/1/people", ".results | first"],
    ["/people", "(.people // [])[0]"],
    ["/people", "first(.data[])"],
  ])("%s: %s", (list, read) => {
    expect(told("/people/${piped_content.2.found}", list, read)).toEqual(["${piped_content.2.found}"]);
  });

  test.each([
    ["a member of it", "/people", ".people[0].id"],
    ["a list of ids", "/people", ".person_ids[0]"],
    ["a list of which nobody knows", "/people/1/tags", ".people_tags[0]"],
    ["the answer of one record", "/people/1", ".data.id"],
    ["what is made of a record", "/people", '.people[0] | "\\(.id)"'],
  ])("is right with %s", (_, list, read) => {
    expect(told("/people/${piped_content.2.found}", list, read)).toEqual([]);
  });
});

test("http/record-in-path: a list that is always the same may be one of words", () => {
  const read = (params: object | undefined): string[] =>
    target(
      "http/record-in-path",
      { "!http": { path: "/regions", ...(params === undefined ? {} : { params }) } },
      { "!http": { method: "POST", path: "/regions/${piped_content.1.regions[0]}/people", body: {} } },
    );
  expect(read(undefined)).toEqual([]);
  expect(read({ limit: 1 })).toEqual([]);
  expect(read({ country: "${piped_content.0.country}" })).toEqual(["${piped_content.1.regions[0]}"]);
});

describe("pipeline/written-back: what is left of a record", () => {
  const told = (program: string, body: object): string[] =>
    target(
      "pipeline/written-back",
      lookup,
      { "!jq": program },
      {
        "!http": { method: "PATCH", path: "/people/${piped_content.2.id}", body },
      },
    );

  test("without some members, under another name", () => {
    expect(
      told("{id: .people[0].id, changes: (.people[0] | del(.email))}", {
        fields: "${piped_content.2.changes}",
      }),
    ).toEqual(["${piped_content.2.changes}"]);
  });

  test.each([
    ["what came in", "{id: .people[0].id, changes: (${piped_content.0} | del(.email))}"],
    [
      "what changes in it",
      "{id: .people[0].id, changes: (.people[0] | del(.email) | .list = ${custom_data.list.value})}",
    ],
    ["one member under another name", "{id: .people[0].id, changes: .people[0].email}"],
  ])("is right with %s", (_, program) => {
    expect(told(program, { fields: "${piped_content.2.changes}" })).toEqual([]);
  });
});

describe("unused/chosen-member", () => {
  const told = (cases: readonly object[], next: string): string[] =>
    findings("unused/chosen-member", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": {
        "!pipe": [{ "!switch": { jq: 'if .event == "paid" then 0 else 1 end', cases } }, { "!jq": next }],
      },
    });
  const paid = { "!jq": '{state: "Customer", tags: ["Paid"]}' };
  const lead = { "!jq": '{state: "Lead", tags: []}' };

  test.each([
    "{email: ${piped_content.0.email}, state: .state}",
    ". as $chosen | ${piped_content.0} as $order | {email: $order.email, state: $chosen.state, cents: pow(10; $order.digits)}",
    "{email: ${piped_content.0.email}, state: ${piped_content.1.state}}",
  ])("%s", (next) => {
    expect(told([paid, lead], next)).toEqual(['tags: ["Paid"]']);
  });

  test.each([
    ["what reads it", [paid, lead], "{email: ${piped_content.0.email}, state: .state, _tags: .tags}"],
    ["what takes all", [paid, lead], "${piped_content.0} as $order | . + {email: $order.email}"],
    [
      "a name for all",
      [paid, lead],
      ". as $all | {email: ${piped_content.0.email}, state: $all.state} + $all",
    ],
    [
      "one value for all cases",
      [paid, { "!jq": '{state: "Lead", tags: ["Paid"]}' }],
      "{email: ${piped_content.0.email}, state: .state}",
    ],
    [
      "a member of one case",
      [{ "!jq": '{state: "Customer", tags: ["Paid"]}' }, { "!jq": '{state: "Lead"}' }],
      "{email: ${piped_content.0.email}, state: .state}",
    ],
  ])("is right with %s", (_, cases, next) => {
    expect(told(cases, next)).toEqual([]);
  });
});

describe("unused/step-output: a case beside a refusal", () => {
  const told = (program: string, body: string): string[] =>
    target(
      "unused/step-output",
      {
        "!switch": {
          jq: 'if (.email // "") == "" then 1 else 0 end',
          cases: [{ "!jq": program }, { "!error": "A person needs an address." }],
        },
      },
      { "!http": { method: "POST", path: "/lists/${custom_data.list.value}", body } },
    );

  test("makes a form that nothing sends", () => {
    expect(told("{address: .email, list: ${custom_data.list.value}}", "${piped_content.0}")).toEqual([
      '"!switch"',
    ]);
  });

  test.each([
    ["it is sent", "{address: .email, list: ${custom_data.list.value}}", "${piped_content.1}"],
    ["it only goes on", ".", "${piped_content.0}"],
    ["it says that all is well", "{ok: true}", "${piped_content.0}"],
  ])("is right where %s", (_, program, body) => {
    expect(told(program, body)).toEqual([]);
  });
});

test("pipeline/raw-value: what a case prepares", () => {
  const told = (amount: string): string[] =>
    target(
      "pipeline/raw-value",
      lookup,
      {
        "!switch": {
          jq: "if (.people | length) == 0 then 0 else 1 end",
          cases: [
            { "!error": "Nobody has this address." },
            { "!jq": "{no: .people[0].no, amount: (${custom_data.note.value} | tonumber * 100)}" },
          ],
        },
      },
      { "!http": { method: "POST", path: "/people/${piped_content.2.no}/credits", body: { amount } } },
    );
  expect(told("${custom_data.note.value}")).toEqual(["${custom_data.note.value}"]);
  expect(told("${piped_content.2.amount}")).toEqual([]);
});

describe("jq/never-null", () => {
  const told = (program: string, question: string): string[] =>
    target(
      "jq/never-null",
      lookup,
      { "!jq": program },
      {
        "!switch": {
          jq: question,
          cases: [
            { "!http": { method: "POST", path: "/people" } },
            { "!http": { method: "PUT", path: "/people", body: { id: "${piped_content.2.known}" } } },
          ],
        },
      },
    );

  test.each([
    ['{known: (.people[0].id // "")}', "if .known == null then 0 else 1 end", ".known == null"],
    [
      '(.people[0].id // "none") as $id | {known: $id}',
      "if .known != null then 1 else 0 end",
      ".known != null",
    ],
    [
      "{known: (.people[0].id // 0)}",
      "if ${piped_content.2.known} == null then 0 else 1 end",
      "${piped_content.2.known} == null",
    ],
  ])("%s", (program, question, marked) => {
    expect(told(program, question)).toEqual([marked]);
  });

  test.each([
    ["{known: (.people[0].id // null)}", "if .known == null then 0 else 1 end"],
    ["{known: .people[0].id}", "if .known == null then 0 else 1 end"],
    ['{known: (.people[0].id // "")}', 'if .known == "" then 0 else 1 end'],
    ['{known: (.people[0] // {}), id: (.people[0].id // "")}', "if .known.id == null then 0 else 1 end"],
    ["{known: (.people[0].id // .people[0].key)}", "if .known == null then 0 else 1 end"],
  ])("right: %s, %s", (program, question) => {
    expect(told(program, question)).toEqual([]);
  });
});

describe("polling/late-start: by the form of the programs", () => {
  const told = (end: string, pre_poll: object | undefined, page = ".page + 1"): string[] =>
    inPolling("polling/late-start", {
      initial_setup: { "!jq": "{polling_state: {since: (now - 86400 | todate), begun: null, page: 1}}" },
      pre_poll,
      post_poll: undefined,
      request: {
        "!pipe": [
          {
            "!http": {
              path: "/orders",
              params: { from: "${polling_state.since}", p: "${polling_state.page}" },
            },
          },
          {
            "!jq": `if .page < .pages then {results: .orders, iterate: true, polling_state: (\${polling_state} + {page: (${page})})} else {results: .orders, iterate: false, polling_state: (\${polling_state} + ${end})} end`,
          },
        ],
      },
    });
  const starts = { "!jq": "{polling_state: (${polling_state} + {begun: (now - 600 | todate)})}" };

  test("the page stays where the cycle ended", () => {
    expect(told("{since: ${polling_state.begun}}", starts)).toHaveLength(1);
  });

  test.each([
    ["the end sets it back", "{since: ${polling_state.begun}, page: 1}", starts],
    [
      "the next cycle begins with 1",
      "{since: ${polling_state.begun}}",
      { "!jq": "{polling_state: (${polling_state} + {begun: (now - 600 | todate), page: 1})}" },
    ],
    ["no bound moves", "{}", undefined],
  ])("is right where %s", (_, end, pre_poll) => {
    expect(told(end, pre_poll)).toEqual([]);
  });
});

describe("polling/other-time: what names say", () => {
  const told = (param: string, member: string, comment: string): string[] =>
    inPolling("polling/other-time", {
      _comment: comment,
      initial_setup: { "!jq": "{polling_state: {mark: (now - 86400 | todate)}}" },
      pre_poll: undefined,
      post_poll: undefined,
      request: {
        "!pipe": [
          { "!http": { path: "/trips", params: { [param]: "${polling_state.mark}" } } },
          {
            "!jq": `(.trips | last) as $last | {results: .trips, iterate: .more, polling_state: {mark: ($last.${member} // \${polling_state.mark})}}`,
          },
        ],
      },
    });

  test.each([
    ["after_settled_at", "ended_at"],
    ["settled_from", "last_report"],
    ["settledAfter", "started_at"],
  ])("%s from %s", (param, member) => {
    const comment = "A trip has settled_at and others. last_report is Unix seconds.";
    expect(told(param, member, comment)).toEqual([`$last.${member}`]);
  });

  test.each([
    ["the same time", "settled_after", "settled_at", "A trip has settled_at."],
    ["a time that records may lack", "settled_after", "ended_at", "Only settled trips are listed."],
    ["a bound of any time", "since", "ended_at", "A trip has settled_at."],
    ["the number of a change", "changed_after", "version", "A trip has changed_at."],
    ["another word for a change", "changed_after", "updated_at", "A trip has changed_by."],
  ])("is right with %s", (_, param, member, comment) => {
    expect(told(param, member, comment)).toEqual([]);
  });
});
