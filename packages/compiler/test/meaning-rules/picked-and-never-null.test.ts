import { describe, expect, test } from "vitest";
import { dropdown } from "../support/form-fields.ts";
import { findings, inSource } from "../support/rule-findings.ts";

/** What is picked of a list and compared with an empty text, and choices with a default that are compared with null. */

describe("jq/empty-text: one of a list", () => {
  const blank = 'def blank: . == null or . == ""; ';

  test.each([
    [
      '(.mails | sort_by(.rank) | first) as $mail | if $mail == "" then null else {email: $mail.address} end',
      1,
    ],
    ['.times | max_by(.units) | if . == "" then null else {email: .email} end', 1],
    ['.items[0] as $next | if $next == "" then null else {email: $next.email} end', 1],
    ["(.mails | first) as $mail | if $mail == null then null else {email: $mail.address} end", 0],
    // A text may be empty.
    ['(.mails | first) as $mail | if $mail == "" then null else {email: $mail} end', 0],
    // Of a service nobody knows what it sends for none.
    ['.owner as $o | if $o == "" then null else {email: $o.email} end', 0],
    ['def first: .owner; first as $o | if $o == "" then null else {email: $o.email} end', 0],
  ])("%s", (program, count) => {
    expect(inSource("jq/empty-text", blank + program)).toHaveLength(count);
  });
});

describe("jq/never-null: a choice with a default", () => {
  const asked = {
    "!pipe": [{ "!http": { path: "/groups" } }, { "!jq": "[.groups[] | {display: .name, value: .id}]" }],
  };
  const told = (options: unknown, program: string): string[] =>
    findings("jq/never-null", "outbound", {
      "/workflows/0/setup/select/form_fields": [
        { ...dropdown("group", { a: "A", b: "B" }), required: false, options },
      ],
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": program },
          { "!http": { method: "POST", path: "/people", body: "${piped_content.1}" } },
        ],
      },
    });

  test.each([
    [
      "${custom_data.group.value | default} as $g | {email} + (if $g == null then {} else {group: $g} end)",
      1,
    ],
    ['${custom_data.group.value | default} as $g | {email} + (if $g == "" then {} else {group: $g} end)', 0],
    ["{email} + (if ${custom_data.group.value | default} != null then {} else {} end)", 1],
  ])("%s", (program, count) => {
    expect(told(asked, program)).toHaveLength(count);
  });

  test("another answer is told by its type", () => {
    const program = "${custom_data.group.value | default} as $g | {email, g: ($g == null)}";
    expect(told([{ display: "A", value: "a" }], program)).toEqual([]);
  });
});
