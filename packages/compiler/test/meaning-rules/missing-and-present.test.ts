import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** What a condition knows of a value, and a branch or a case that does the opposite, each beside right ones that look alike. */

const target = "/workflows/0/data_pipeline/target";
const sent = { "!http": { method: "POST", path: "/people", body: "${piped_content.1}" } };

describe("jq/missing-where-present", () => {
  const inTarget = (step: unknown): string[] =>
    findings("jq/missing-where-present", "outbound", { [target]: { "!pipe": [step, sent] } });
  const cases = (jq: string, ...list: unknown[]): string[] => inTarget({ "!switch": { jq, cases: list } });
  const none = { "!error": "The contact has no email address." };
  const on = { "!jq": "." };

  test.each([
    ["turned", 'if (.email // "") != "" then 0 else 1 end', '(.email // "") != ""'],
    ["not", 'if (.email // "") == "" | not then 0 else 1 end', '(.email // "") == ""'],
    ["exchanged", 'if (.email // "") == "" then 1 else 0 end', '(.email // "") == ""'],
    ["bound", '(.email // "") as $mail | if $mail == "" then 1 else 0 end', '$mail == ""'],
    [
      "a definition",
      'def blank: . == null or . == ""; if (.email | blank) then 1 else 0 end',
      "(.email | blank)",
    ],
    ["several", 'if .email == null or .email == "" then 1 else 0 end', '.email == null or .email == ""'],
  ])("cases: %s", (_, jq, marked) => {
    expect(cases(jq, none, on)).toEqual([marked]);
  });

  test("an error that belongs to another case", () => {
    const jq = 'if (.email // "") == "" then 0 elif (.street // "") == "" then 1 else 2 end';
    const street = { "!error": "The street is needed to find the house." };
    expect(cases(jq, none, street, on)).toEqual([]);
    expect(cases(jq, street, none, on)).toEqual(['(.street // "") == ""']);
  });

  test.each([
    [
      "camelCase",
      'if (.primaryEmail // "") != "" then error("This person has no e-mail address.") else . end',
    ],
    ["needs", 'if (.camper.mail // "") != "" then error("A camper needs an email address") else . end'],
    ["needed", 'if .postcode != null and .postcode != "" then error("The postcode is needed.") else . end'],
    ["a list", 'if (.quotes | length) > 0 then error("This customer has no open quote.") else . end'],
  ])("programs: %s", (_, jq) => {
    expect(inTarget({ "!jq": jq })).toHaveLength(1);
  });

  test.each([
    ["as it should be", 'if (.email // "") == "" then error("The contact has no email address.") else . end'],
    ["there already", 'if .quote != null then error("There may be no quote yet.") else . end'],
    [
      "not a valid one",
      'if .email != null and (.email | contains("@") | not) then error("This needs an email address with @.") else . end',
    ],
    [
      "another value is missing",
      'if .email != null and .phone == null then error("A contact with email needs a phone.") else . end',
    ],
    ["what went wrong", 'if .error != null then error("The request failed: \\(.error)") else . end'],
  ])("right: %s", (_, jq) => {
    expect(inTarget({ "!jq": jq })).toEqual([]);
  });

  test.each([
    ["or", 'if (.email // "") == "" or .id == null then {email, id} else null end'],
    ["and", "if .email != null and .id != null then null else {email: .email, id: .id} end"],
  ])("skipped: %s", (_, jq) => {
    expect(inSource("jq/missing-where-present", jq)).toHaveLength(1);
  });

  test.each([
    ["those who left", "if .left_at != null and .email != null then {email: .email} else null end"],
    [
      "whoever unsubscribed",
      'if .email != null and .state == "unsubscribed" then null else {email: .email} end',
    ],
    ["what is deleted", "if .deleted_at != null then null else {email: .email} end"],
  ])("right: skipped, %s", (_, jq) => {
    expect(inSource("jq/missing-where-present", jq)).toEqual([]);
  });
});

describe("jq/used-where-empty", () => {
  const told = (program: string): string[] => inSource("jq/used-where-empty", program);

  test.each([
    ["a default", 'if (.email // "") == "" then {email: .email, id: .id} else null end'],
    ["its short form", 'if (.email // "") == "" then {email, id} else null end'],
    ["a variable", '.person as $p | if ($p.email // "") != "" then null else {email: $p.email} end'],
    [
      "a length",
      "if (.tags // [] | length) == 0 then {email: .email, tag: .tags[0]} else {email: .email} end",
    ],
    ["less than one", "if (.tags | length) < 1 then {email, tag: .tags[0]} else {email} end"],
  ])("%s", (_, program) => {
    expect(told(program)).toHaveLength(1);
  });

  test.each([
    ["there", 'if (.email // "") == "" then null else {email: .email, id: .id} end'],
    ["another default", 'if (.state // "none") == "" then null else {state: .state, email} end'],
    ["both", 'if (.email // "") == "" then {email: .email, id: .id} else {email: .email} end'],
    ["a length", "if (.tags | length) >= 1 then {email, tag: .tags[0]} else {email} end"],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });

  test("cases that are pipes name their own input", () => {
    const jq = (none: number, some: number): string => `if (.note // "") == "" then ${none} else ${some} end`;
    const asks = {
      "!pipe": [
        { "!http": { path: "/people", params: { email: "x@example.com" } } },
        { "!http": { method: "POST", path: "/notes", body: { text: "${piped_content.0.note}" } } },
      ],
    };
    const found = (text: string): string[] =>
      findings("jq/used-where-empty", "outbound", {
        [target]: { "!pipe": [{ "!switch": { jq: text, cases: [{ "!jq": "{}" }, asks] } }, sent] },
      });
    expect(found(jq(0, 1))).toEqual([]);
    expect(found(jq(1, 0))).toEqual(['(.note // "") == ""']);
  });
});

describe("jq/used-where-empty: what is done with a value", () => {
  const told = (program: string): string[] => inSource("jq/used-where-empty", program);

  test.each([
    ["a member", "{email, guardian: (if .guardian then null else .guardian.name end)}"],
    [
      "a member of the input",
      '{email, boss: (.boss | if . != null then null else "\\(.given) \\(.family)" end)}',
    ],
    ["a function", "{email, on: (if .start then null else (.start | fromdate) end)}"],
    ["a sum", "{email, fee: (if .fee_cents then null else .fee_cents / 100 end)}"],
    ["a conversion of the input", '{email, size: (.size | if . != "" then null else tonumber end)}'],
    ["nothing but the input", '{email, size: (.size | if . == "" then . else null end)}'],
    ["an error with its text", "if .remark then {email: .email} else error(.remark.text) end"],
  ])("%s", (_, program) => {
    expect(told(program)).toHaveLength(1);
  });

  test.each([
    ["a flag", "{email, late: (if .late then null else .late end)}"],
    ["a default for the input", "{email, size: (.size | if . == null then . else tonumber end)}"],
    ["a default", '{email, size: (.size | if . == null then "none" else . end)}'],
    ["an error", "if .errors then error(.errors[0].message) else {email: .email} end"],
    ["otherwise used", '{email, size: (.size | if . == "" then . else {size: .} end)}'],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });

  test("right: other branches decide before", () => {
    const program =
      "${custom_data.form.value} as $form | if .email == null then null elif ([$form] | index(.form)) == null then null else {email: .email} end";
    expect(inSource("jq/missing-where-present", program)).toEqual([]);
  });
});
