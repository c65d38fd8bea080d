import { expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What stands in a text that is sent where customers don't map a field. */

const told = (program: string): string[] =>
  findings("pipeline/null-in-text", "outbound", {
    "/workflows/0/setup/map/describe_target/options": [
      { title: "Email", id: "email", required: true },
      { title: "First name", id: "first" },
      { title: "Last name", id: "last" },
    ],
    "/workflows/0/data_pipeline/target": {
      "!pipe": [
        { "!jq": program },
        { "!http": { method: "POST", path: "/lists/${custom_data.list.value}", body: "${piped_content.1}" } },
      ],
    },
  });

test.each([
  ['{email, name: "\\(.first) \\(.last)"}', [".first", ".last"]],
  ['. as $c | {email, name: "\\($c.first), \\(.email)"}', ["$c.first"]],
  ['{email, name: ("Dear \\(.first)" | ascii_upcase)}', [".first"]],
  ['def full: "\\(.first) \\(.email)"; {email, name: full}', [".first"]],
  ['{email, name: (if .last == null then "\\(.first)" else .last end)}', [".first"]],
])("%s", (program, fields) => {
  expect(told(program)).toEqual(fields);
});

test.each([
  '{email, name: "\\(.first // "") \\(.last // "")"}',
  '{email, name: ([.first, .last] | map(select(. != null)) | join(" "))}',
  // What is required is there.
  '{email, name: "Mail to \\(.email)"}',
  // With a condition it isn't null.
  '{email, name: (if .first == null then .email else "\\(.first)" end)}',
  // A key may have any word in it.
  '{email, external_id: "\\(.email)-\\(.last)"}',
  // Whoever takes the word out again knows of it.
  '{email, name: ("\\(.first) \\(.last)" | gsub("null"; ""))}',
  // Nobody offers it.
  '{email, name: "\\(.middle)"}',
])("right: %s", (program) => {
  expect(told(program)).toEqual([]);
});
