import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Words that a list never has, lists as conditions, and cases of another shape; and what is right although it looks alike. */

describe("jq/no-such-item", () => {
  const told = (program: string, type = "multiselect"): string[] =>
    inSource("jq/no-such-item", program, {
      "/workflows/0/setup/select/form_fields/1": {
        label: "Extras",
        id: "extras",
        type,
        required: false,
        options: [
          { display: "Insurance", value: "insured" },
          { display: "Signature on delivery", value: "signature" },
        ],
      },
    });
  const list = '(${custom_data.extras.value | default} | if type == "array" then . else [] end)';

  test.each([
    [`${list} as $e | {email, a: ($e | index("signed") != null)}`, '"signed"'],
    [`{email, a: (${list} | contains(["insurance"]))}`, '"insurance"'],
    [`{email, a: (${list} | contains(["insured", "fast"]))}`, '"fast"'],
    ['{email, a: ([${custom_data.extras.value | default} | arrays | .[]] | index("Insured"))}', '"Insured"'],
    [
      '(${custom_data.extras.value | default} | if length == 0 then ["insurance", "signing"] else . end) as $e | {email, a: $e}',
      '"insurance"',
    ],
    [
      '(${custom_data.extras.value | default} | if . != "" then . else ["all", "none"] end) as $e | {email, a: $e}',
      '"all"',
    ],
  ])("%s", (program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    `${list} as $e | {email, a: ($e | index("signature") != null)}`,
    `{email, a: (${list} | contains(["sign"]))}`,
    `{email, a: (${list} + ["signed"] | index("signed"))}`,
    '{email, a: (.tags | index("signed"))}',
    '(${custom_data.extras.value | default} | if length == 0 then ["insured", "signature"] else . end) as $e | {email, a: $e}',
    '(${custom_data.extras.value | default} | if length == 0 then ["insured", "none"] else . end) as $e | {email, a: $e}',
    '(.extras | if length == 0 then ["a", "b"] else . end) as $e | {email, a: $e}',
    "(${custom_data.extras.value | default} | if length == 0 then [] else . end) as $e | {email, a: $e}",
    `{email, a: (${list} | join(",") | index("signed"))}`,
    `{email, a: (.extras + ${list} | index("signed"))}`,
  ])("right: %s", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/text-as-condition: lists", () => {
  const told = (said: string, program: string): string[] =>
    inSource("jq/text-as-condition", program, { "/data_intake/0/_comment": said });

  test.each([
    ["faults is always a list.", "if .faults then null else {email} end", ".faults"],
    ["faults is a list, empty when all went well.", "select(.order.faults | not) | {email}", ".order.faults"],
    [
      "A payload's labels are always an array",
      "if .email != null and .labels then {email} else null end",
      ".labels",
    ],
  ])("%s %s", (said, program, marked) => {
    expect(told(said, program)).toEqual([marked]);
  });

  test.each([
    ["faults is a list, or null if there were none.", "if .faults then null else {email} end"],
    ["faults is always a list.", "if .faults != [] then null else {email} end"],
    ["faults is always a list.", "if .faults[0] then null else {email} end"],
    ["It is always a list.", "if .it then null else {email} end"],
    ["faults is always a text.", "if .faults then null else {email} end"],
  ])("right: %s %s", (said, program) => {
    expect(told(said, program)).toEqual([]);
  });

  test("what GraphQL services call so", () => {
    const ask = (query: string): object => ({
      "!http": { method: "POST", path: "/graphql", body: { query } },
    });
    const query = "mutation { saved: save(a: 1) { person { id } userErrors { message } } }";
    const choice = (jq: string): object => ({
      "!switch": { jq, cases: [{ "!error": "No." }, { "!print_c": "Saved." }] },
    });
    const target = (jq: string): string[] =>
      findings("jq/text-as-condition", "outbound", {
        "/workflows/0/data_pipeline/target": { "!pipe": [ask(query), choice(jq)] },
      });
    expect(target("if .data.saved.userErrors then 0 else 1 end")).toEqual([".data.saved.userErrors"]);
    expect(target("if (.data.saved.userErrors | length) > 0 then 0 else 1 end")).toEqual([]);
    expect(target("if .errors then 0 else 1 end")).toEqual([]);
  });
});

describe("pipeline/other-case and pipeline/case-shape: beside an answer", () => {
  const told = (rule: string, steps: readonly object[]): string[] =>
    findings(rule, "outbound", {
      "/workflows/0/setup/select": { label: "None", form_fields: [] },
      "/workflows/0/data_pipeline/target": { "!pipe": steps },
    });
  const search = { "!http": { path: "/people" } };
  const prepared = { "!jq": '{id: .people[0].id, labels: "a"}' };
  const choice = (own: string, jq = "if .id == null then 0 else 1 end"): object => ({
    "!switch": {
      jq,
      cases: [{ "!http": { method: "POST", path: "/people", body: { a: 1 } } }, { "!jq": own }],
    },
  });
  const note = {
    "!http": { method: "POST", path: "/people/${piped_content.3.person.id}/notes", body: { a: 1 } },
  };
  const onlyIf = (jq: string): object => ({ "!switch": { jq, cases: [{ "!jq": "." }, note] } });

  test.each<[string, readonly object[]]>([
    ["{id: .id}", [search, prepared, choice("{id: .id}"), note]],
    ["{person: {}}", [search, prepared, choice("{person: {number: .id}}"), note]],
    [
      "behind another choice",
      [search, prepared, choice("{id: .id}"), onlyIf('if ${piped_content.2.labels} == "" then 0 else 1 end')],
    ],
  ])("%s", (_, steps) => {
    expect(told("pipeline/other-case", steps)).toHaveLength(1);
  });

  test.each<[string, readonly object[]]>([
    ["the same", [search, prepared, choice("{person: {id}}"), note]],
    ["the answer before", [search, prepared, choice("${piped_content.1}"), note]],
    [
      "it goes by the same",
      [search, prepared, choice("{id: .id}"), onlyIf("if ${piped_content.2.id} != null then 0 else 1 end")],
    ],
    [
      "it goes by what is there",
      [search, prepared, choice("{id: .id}"), onlyIf("if .person == null then 0 else 1 end")],
    ],
    ["nothing reads it", [search, prepared, choice("{id: .id}"), { "!print_c": "Done." }]],
  ])("right: %s", (_, steps) => {
    expect(told("pipeline/other-case", steps)).toEqual([]);
  });

  const list = (own: string, program: string): readonly object[] => [
    search,
    prepared,
    {
      "!switch": {
        jq: "if .id == null then 0 else 1 end",
        cases: [{ "!jq": own }, { "!http": { path: "/companies" } }],
      },
    },
    { "!jq": program },
  ];
  test.each([
    ["[]", "{ids: [.companies[].id]}", "[]"],
    ['"none"', "{n: (.companies | length)}", '"none"'],
    ['{companies: ""}', "{ids: [.companies[] | .id]}", '{companies: ""}'],
  ])("%s before %s", (own, program, marked) => {
    expect(told("pipeline/case-shape", list(own, program))).toEqual([marked]);
  });

  test.each([
    ["{companies: []}", "{ids: [.companies[].id]}"],
    ["{}", "{n: (.companies | length)}"],
    ["[]", 'if type == "array" then {ids: .} else {ids: [.companies[].id]} end'],
    ["[]", "{ids: [(.companies[] | .id)?]}"],
    ["{none: true}", "if .none then {ids: []} else {ids: [.companies[].id]} end"],
  ])("right: %s before %s", (own, program) => {
    expect(told("pipeline/case-shape", list(own, program))).toEqual([]);
  });
});
