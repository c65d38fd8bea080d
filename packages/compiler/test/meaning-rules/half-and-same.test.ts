import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Branches that are the same, lists of one, and conditions that ask for half of what is needed, each beside right ones that look alike. */

const target = "/workflows/0/data_pipeline/target";
const sent = { "!http": { method: "POST", path: "/people", body: "${piped_content.1}" } };
const inTarget = (rule: string, program: string): string[] =>
  findings(rule, "outbound", { [target]: { "!pipe": [{ "!jq": program }, sent] } });

describe("jq/same-branches", () => {
  const told = (program: string): string[] => inSource("jq/same-branches", program);

  test.each([
    ["two", '{email, paid: (if .paid == "1" then "yes" else "yes" end)}', '"yes"'],
    ["brackets", "{email, fee: (if .fee == null then (.fee / 100) else .fee / 100 end)}", ".fee / 100"],
    ["the last two", '{email, k: (if .a == 1 then "A" elif .a == 2 then "B" else "B" end)}', '"B"'],
  ])("%s", (_, program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    ["two", '{email, paid: (if .paid == "1" then "yes" else "no" end)}'],
    ["the first and the last", '{email, k: (if .a == 1 then "A" elif .a == 2 then "B" else "A" end)}'],
    ["another input", "{email, k: (if .a == 1 then .b else .c end)}"],
    ["no other", "if .a == 1 then {email} end"],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/one-counts-as-none", () => {
  const lookup = { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } };
  const told = (jq: string, ...cases: unknown[]): string[] =>
    findings("jq/one-counts-as-none", "outbound", {
      [target]: { "!pipe": [lookup, { "!switch": { jq, cases } }, sent] },
    });
  const none = { "!error": "Nobody has this email address." };
  const found = { "!jq": "{id: (.people | first | .id)}" };

  test.each([
    ["one", "if (.people | length) == 1 then 0 else 1 end", "(.people | length) == 1"],
    ["more than one", "if (.people | length) > 1 then 1 else 0 end", "(.people | length) > 1"],
    ["at least two", "if (.people | length) >= 2 then 1 else 0 end", "(.people | length) >= 2"],
    ["less than two", "if (.people | length) < 2 then 0 else 1 end", "(.people | length) < 2"],
  ])("%s", (_, jq, marked) => {
    expect(told(jq, none, found)).toEqual([marked]);
  });

  test("an expansion", () => {
    const jq = "if (${piped_content.1.people} | length) == 1 then 0 else 1 end";
    expect(told(jq, { "!error": "This practice knows no such person." }, found)).toHaveLength(1);
  });

  test.each([
    ["none", "if (.people | length) == 0 then 0 else 1 end", [none, found]],
    ["some", "if (.people | length) > 0 then 1 else 0 end", [none, found]],
    ["at least one", "if (.people | length) >= 1 then 1 else 0 end", [none, found]],
    [
      "exactly one",
      "if (.people | length) == 1 then 1 else 0 end",
      [{ "!error": "Nobody has this address, or several." }, found],
    ],
    [
      "several",
      "if (.people | length) > 1 then 0 else 1 end",
      [{ "!error": "There is more than one person with this address." }, found],
    ],
  ])("right: %s", (_, jq, cases) => {
    expect(told(jq, ...cases)).toEqual([]);
  });

  test("what was refused", () => {
    const program = (limit: number): string =>
      `if (.data.add.userErrors | length) > ${limit} then error("Refused.") else .data.add end`;
    const inPipe = (limit: number): string[] =>
      findings("jq/one-counts-as-none", "outbound", {
        [target]: { "!pipe": [lookup, { "!jq": program(limit) }, sent] },
      });
    expect(inPipe(0)).toEqual([]);
    expect(inPipe(1)).toEqual(["(.data.add.userErrors | length) > 1"]);
  });
});

describe("jq/half-asked", () => {
  const told = (program: string): string[] => inTarget("jq/half-asked", program);
  const both = "A letter needs an email address and a name.";
  const given = "{email: .email, name: .name}";

  test.each([
    ["one of two", `if (.email // "") == "" then error("${both}") else ${given} end`],
    ["the other", `if (.name // "") == "" then error("${both}") else ${given} end`],
    ["only both", `if (.email // "") == "" and (.name // "") == "" then error("${both}") else ${given} end`],
    ["are needed", `if (.email // "") == "" then error("Email and name are needed.") else ${given} end`],
    [
      "neither",
      `if (.email // "") == "" then error("The contact has neither an email nor a name.") else ${given} end`,
    ],
  ])("%s", (_, program) => {
    expect(told(program)).toHaveLength(1);
  });

  test.each([
    ["both", `if (.email // "") == "" or (.name // "") == "" then error("${both}") else ${given} end`],
    ["one", `if (.email // "") == "" then error("A letter needs an email address.") else ${given} end`],
    [
      "what isn't read",
      `if (.email // "") == "" then error("A letter needs an email address and a stamp.") else ${given} end`,
    ],
    [
      "asked before",
      `if (.name // "") == "" then error("The name is needed.") elif (.email // "") == "" then error("${both}") else ${given} end`,
    ],
    [
      "neither",
      `if (.email // "") == "" and (.name // "") == "" then error("It has neither an email nor a name.") else ${given} end`,
    ],
    [
      "another reason",
      `if .email == null then error("No email, so no letter and no name.") else ${given} end`,
    ],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/missing-as-there", () => {
  const told = (program: string): string[] => inTarget("jq/missing-as-there", program);

  test.each([
    ["an error", 'if .email == "" then error("No email.") else . end', ".email"],
    ["skipped", 'if .email == "" then null else . end', ".email"],
    ["either", 'if (.name // "") == "" or .email == "" then error("Incomplete.") else . end', ".email"],
    [
      "an expansion",
      'if ${piped_content.0.email} == "" then error("No email.") else . end',
      "${piped_content.0.email}",
    ],
  ])("%s", (_, program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    ["a default", 'if (.email // "") == "" then error("No email.") else . end'],
    ["both", 'if .email == null or .email == "" then error("No email.") else . end'],
    ["chosen", '(${custom_data.note.value | default}) as $n | if $n == "" then error("No note.") else . end'],
    ["not refused", 'if .name == "" then {email} else . end'],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });

  test.each([
    ["one of several", 'if .email == "" then error("No email.") elif .name == "x" then null else . end', 1],
    ["asked for null later", 'if .email == "" then error("No.") elif .email == null then null else . end', 0],
    ["a text of it", 'if (.email | tostring) == "" then error("No email.") else . end', 1],
    ["a text of a default", 'if (.email // "" | tostring) == "" then error("No email.") else . end', 0],
    ["written elsewhere", '{person: .} | if .person.email == "" then error("No email.") else . end', 1],
    ["filled before", '{email: (.email // "")} | if .email == "" then error("No email.") else . end', 0],
    ["asked for its length", 'if .email == "" or (.email | length) == 0 then error("No.") else . end', 0],
    ["asked for its truth", 'if .email == "" or (.email | not) then error("No.") else . end', 0],
  ])("further on: %s", (_, program, count) => {
    expect(told(program)).toHaveLength(count);
  });

  test.each([
    ['if .person.email == "" then 0 else 1 end', 1],
    ['if (.person.email // "") == "" then 0 else 1 end', 0],
    ['if .person.email == "" then 1 else 0 end', 0],
  ])("a step later: %s", (jq, count) => {
    const found = findings("jq/missing-as-there", "outbound", {
      [target]: {
        "!pipe": [
          { "!jq": "{person: (. // {})}" },
          { "!switch": { jq, cases: [{ "!error": "No email." }, { "!jq": ".person" }] } },
          sent,
        ],
      },
    });
    expect(found).toHaveLength(count);
  });

  test("right: what a service gives, and what a webhook has", () => {
    const found = findings("jq/missing-as-there", "outbound", {
      [target]: {
        "!pipe": [
          { "!http": { path: "/me" } },
          { "!jq": 'if .email == "" then error("No.") else . end' },
          sent,
        ],
      },
    });
    expect(found).toEqual([]);
    expect(inSource("jq/missing-as-there", 'if .email == "" then null else {email} end')).toEqual([]);
  });
});

describe("setup/unbuilt-answer", () => {
  const field = (id: string, program: string): unknown => ({
    label: id,
    id,
    type: "dropdown",
    options: { "!pipe": [{ "!http": { path: `/${id}` } }, { "!jq": program }] },
  });
  const told = (first: string, second: string): string[] =>
    findings("setup/unbuilt-answer", "outbound", {
      "/workflows/0/setup/select/form_fields/1": field("team", first),
      "/workflows/0/setup/select/form_fields/2": field("area", second),
    });
  const built = "[.team[] | {display: .name, value: .id}]";

  test("records as they are", () => {
    expect(told(built, "[.area[]]")).toEqual(["[.area[]]"]);
    expect(told(built, ".area")).toEqual([".area"]);
    expect(told(built, "[.area[] | select(.open)]")).toEqual(["[.area[] | select(.open)]"]);
  });

  test("right: built, or by a service that has such members", () => {
    expect(told(built, "[.area[] | {display: .title, value: .code}]")).toEqual([]);
    expect(told(built, "[.area[] | option]")).toEqual([]);
    expect(told("[.team[] | {display: .display, value: .value}]", ".area")).toEqual(
      expect.not.arrayContaining(["[.team[] | {display: .display, value: .value}]"]),
    );
  });
});
