import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Records that are left out the wrong way round, lists in forms; and what is right although it looks alike. */

describe("jq/drops-the-chosen", () => {
  const told = (program: string, more: object = {}): number =>
    inSource("jq/drops-the-chosen", program, {
      "/workflows/0/setup/select/form_fields/1": {
        label: "States",
        id: "states",
        type: "multiselect",
        required: false,
        options: [
          { display: "Paid", value: "paid" },
          { display: "Open", value: "open" },
        ],
        ...more,
      },
    }).length;
  const states =
    '(if ${custom_data.states.value | default} == "" then [] else ${custom_data.states.value | default} end) as $s | ';
  const list = "[${custom_data.states.value | default} | arrays | .[]] as $s | ";
  const skip = (condition: string): string => `if ${condition} then null else {email: .email} end`;

  test.each([
    states + skip("($s | length) > 0 and ($s | index(.state)) != null"),
    list + skip("($s | length) > 0 and ($s | index(.state))"),
    list + skip("$s != [] and (.state | IN($s[]))"),
    `. as $o | ${list}${skip(".email == null or (($s | length) != 0 and ($s | index($o.state)) != null)")}`,
  ])("%s", (program) => {
    expect(told(program)).toBe(1);
  });

  test.each<[string, object?]>([
    [list + skip("($s | length) > 0 and ($s | index(.state)) == null")],
    [list + skip("($s | length) > 0 and (.state | IN($s[]) | not)")],
    [list + skip("($s | length) > 0 and ($s | index(.state)) != null"), { label: "States to skip" }],
    [
      list + skip("($s | length) > 0 and ($s | index(.state)) != null"),
      { help_text: "Records in these are left out." },
    ],
    [list + skip("($s | index(.state)) != null")],
    [`${list}if ($s | length) > 0 and ($s | index(.state)) != null then {email: .email} else null end`],
  ])("right: %s %j", (program, more = {}) => {
    expect(told(program, more)).toBe(0);
  });
});

describe("jq/drops-consent", () => {
  const told = (program: string): string[] => inSource("jq/drops-consent", program);

  test.each([
    ["if .mail_allowed == true then null else {email} end", ".mail_allowed == true"],
    ["if .email == null or .person.optIn then null else {email} end", ".person.optIn"],
    ["if (.marketing_consent == true) or .dead then empty else {email} end", ".marketing_consent == true"],
    [". as $p | if $p.hasAgreed then null else {email} end", "$p.hasAgreed"],
  ])("%s", (program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    "if .mail_allowed != true then null else {email} end",
    "if (.mail_allowed | not) then null else {email} end",
    "if .mail_allowed then {email} else null end",
    "if .opted_out == true then null else {email} end",
    "if .consent == null then null else {email} end",
    "if .is_customer == true then null else {email} end",
  ])("right: %s", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("http/list-form-field", () => {
  const form = (method: string, body: unknown): object => ({
    "!http": {
      method,
      path: "/people",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body,
    },
  });
  const told = (steps: readonly object[], said?: string): number =>
    findings("http/list-form-field", "outbound", {
      "/workflows/0/setup/select/form_fields/0/type": "multiselect",
      "/workflows/0/setup/select/form_fields/0/required": false,
      ...(said === undefined ? {} : { "/workflows/0/data_pipeline/_comment": said }),
      "/workflows/0/data_pipeline/target": { "!pipe": steps },
    }).length;
  const list = "${custom_data.list.value | default}";
  const asList = { "!jq": `{email, areas: [${list} | arrays | .[]]}` };
  const asText = { "!jq": `{email, areas: ([${list} | arrays | .[]] | join(","))}` };
  const body = (areas: string): object => ({ email: "${piped_content.1.email}", areas });

  test.each<[string, readonly object[], string?]>([
    [
      "a comment on forms",
      [asList, form("POST", body("${piped_content.1.areas}"))],
      "A form has texts only.",
    ],
    [
      "a comment on the field",
      [asList, form("POST", body("${piped_content.1.areas}"))],
      "areas is one text with commas.",
    ],
    ["all of a body", [asList, form("POST", "${piped_content.1}")], "areas are keys with semicolons."],
    ["nothing says that it comes more than once", [asList, form("POST", body("${piped_content.1.areas}"))]],
    ["another request", [asText, form("POST", body("${piped_content.1.areas}")), form("PUT", body(list))]],
  ])("%s", (_, steps, said) => {
    expect(told(steps, said)).toBe(1);
  });

  test.each<[string, readonly object[], string?]>([
    ["joined", [asText, form("POST", body("${piped_content.1.areas}"))], "areas is one text with commas."],
    [
      "it may be repeated",
      [asList, form("POST", body("${piped_content.1.areas}"))],
      "areas may be repeated.",
    ],
    [
      "several fields",
      [asList, form("POST", { "areas[]": "${piped_content.1.areas}" })],
      "A form has texts only.",
    ],
    [
      "of another field",
      [asList, form("POST", { area: "${piped_content.1.areas}" })],
      "tags is one text with commas.",
    ],
    [
      "no form",
      [asList, { "!http": { method: "POST", path: "/people", body: body("${piped_content.1.areas}") } }],
      "areas is one text with commas.",
    ],
  ])("right: %s", (_, steps, said) => {
    expect(told(steps, said)).toBe(0);
  });
});
