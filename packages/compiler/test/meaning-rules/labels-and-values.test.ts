import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Labels of options where their values work, and values where customers read, each beside right ones that look like it. */

const field = "/workflows/0/setup/select/form_fields/0/options";
const made = (program: string) => ({ "!pipe": [{ "!http": { path: "/forms" } }, { "!jq": program }] });

describe("expansion/value-shown", () => {
  const at = "/workflows/0/setup/select/describe_selection/display";
  const told = (display: string, options: unknown): string[] =>
    findings("expansion/value-shown", "inbound-webhook", { [field]: options, [at]: { "!jq": display } });
  const byId = made("[.forms[] | {display: .title, value: (.id | tostring)}]");

  test.each([
    ["whole", "${custom_data.form.value}", byId],
    ["in a text", '"Form \\(${custom_data.form.value})"', byId],
    ["a path", ".custom_data.form.value", byId],
    ["camelCase", "${custom_data.form.value}", made("[.forms[] | {display: .city, value: .formId}]")],
    ["written options", '"${custom_data.form.value}"', [{ display: "Spring", value: "41" }]],
  ])("%s", (_, display, options) => {
    expect(told(display, options)).toEqual(["value"]);
  });

  test.each([
    ["the label", "${custom_data.form.display}", byId],
    ["both", '"${custom_data.form.display} (${custom_data.form.value})"', byId],
    ["a code", "${custom_data.form.value}", made("[.forms[] | {display: .title, value: .code}]")],
    ["the same", "${custom_data.form.value}", made("[.forms[] | {display: .id, value: .id}]")],
    ["words", "${custom_data.form.value}", [{ display: "Weekly", value: "weekly" }]],
    ["a number that is shown", "${custom_data.form.value}", [{ display: "From 50", value: "50" }]],
  ])("right: %s", (_, display, options) => {
    expect(told(display, options)).toEqual([]);
  });
});

describe("expansion/label-as-number", () => {
  const target = (program: string) => ({
    "!pipe": [
      { "!jq": program },
      { "!http": { method: "POST", path: "/people", body: "${piped_content.1}" } },
    ],
  });
  const told = (program: string, options: unknown): string[] =>
    findings("expansion/label-as-number", "outbound", {
      [field]: options,
      "/workflows/0/data_pipeline/target": target(program),
    });
  const weeks = [
    { display: "A week", value: "7" },
    { display: "A month", value: "30" },
  ];

  test.each([
    ["whole", "{email: .email, until: (now + (${custom_data.list.display} | tonumber) * 86400)}", weeks],
    ["in quotes", '{email: .email, days: ("${custom_data.list.display}" | tonumber | floor)}', weeks],
    [
      "made",
      "{email: .email, list: (${custom_data.list.display} | tonumber)}",
      made("[.lists[] | {display: .name, value: .id}]"),
    ],
  ])("%s", (_, program, options) => {
    expect(told(program, options)).toEqual(["display"]);
  });

  test.each([
    ["the value", "{email: .email, days: (${custom_data.list.value} | tonumber)}", weeks],
    [
      "numbers are shown",
      "{email: .email, days: (${custom_data.list.display} | tonumber)}",
      [{ display: "7", value: "d7" }],
    ],
    ["cut first", '{email: .email, days: (${custom_data.list.display} | split(" ")[0] | tonumber)}', weeks],
    ["a trial", "{email: .email, days: (${custom_data.list.display} | tonumber? // 7)}", weeks],
    [
      "years",
      "{email: .email, y: (${custom_data.list.display} | tonumber)}",
      made("[.lists[] | {display: .year, value: .id}]"),
    ],
    ["in words", '{email: .email, note: "For \\(${custom_data.list.display})"}', weeks],
  ])("right: %s", (_, program, options) => {
    expect(told(program, options)).toEqual([]);
  });
});
