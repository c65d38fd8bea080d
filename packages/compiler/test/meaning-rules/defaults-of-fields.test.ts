import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What stands for the choice of a customer who left out the field. */

const days = {
  id: "days",
  label: "Days",
  type: "multiselect",
  required: false,
  options: [
    { display: "Monday", value: "mon" },
    { display: "Friday", value: "fri" },
  ],
};
const inProgram = (rule: string, made: string, field: object = days): string[] =>
  findings(rule, "outbound", {
    "/workflows/0/setup/select/form_fields/1": field,
    "/workflows/0/data_pipeline/target": {
      "!pipe": [
        { "!jq": `\${custom_data.days.value | default} as $days | {email: .email, days: (${made})}` },
        { "!http": { method: "POST", path: "/people", body: "${piped_content.1}" } },
      ],
    },
  });

describe("expansion/default-display in a program", () => {
  test.each([
    ['if $days == "" then ["monday", "friday"] else $days end', 1],
    ['if $days != "" then $days else ["Monday"] end', 1],
    ['if $days == "" then ["mon", "fri"] else $days end', 0],
    // Another choice, and a list of words for people.
    ['if $days == "" then ["whenever"] else $days end', 0],
    ['if $days == "" then "Monday" else ($days | join(", ")) end', 0],
    ['if $days == ["mon"] then ["Monday"] else $days end', 0],
    // The service's own word, which the app knows.
    ['if $days == "" then ["monday"] elif $days == ["monday"] then ["mon"] else $days end', 0],
  ])("%s", (made, count) => {
    expect(inProgram("expansion/default-display", made)).toHaveLength(count);
  });
});

describe("expansion/misspelled-default", () => {
  const told = (text: string, values: readonly string[], type = "dropdown"): string[] =>
    findings("expansion/misspelled-default", "outbound", {
      "/workflows/0/setup/select/form_fields/1": {
        id: "paper",
        label: "Statements",
        type,
        required: false,
        options: values.map((value) => ({ display: value.toUpperCase(), value })),
      },
      "/workflows/0/data_pipeline/target": {
        "!http": {
          method: "POST",
          path: "/people",
          body: { email: "${piped_content.0.email}", paper: `\${custom_data.paper.value | default:${text}}` },
        },
      },
    });
  test.each([
    ["mail", ["email", "email_letter"], 1],
    ["wekly", ["daily", "weekly"], 1],
    ["weekly", ["daily", "weekly"], 0],
    ["WEEKLY", ["daily", "weekly"], 0],
    // Words for no choice, and words of their own.
    ["none", ["one", "two"], 0],
    ["inactive", ["active", "paused"], 0],
    ["letter", ["email", "phone"], 0],
    ["30", ["31", "60"], 0],
  ])("%s of %o", (text, values, count) => {
    expect(told(text, values)).toHaveLength(count);
  });
  test("a text field takes other words, too", () => {
    expect(told("wekly", ["daily", "weekly"], "text")).toEqual([]);
  });
  test("in a program", () => {
    const field = {
      ...days,
      options: [
        { display: "A", value: "monday" },
        { display: "B", value: "friday" },
      ],
    };
    const made = 'if $days == "" then ["mondey"] else $days end';
    // One finding for one slip.
    expect([
      inProgram("expansion/misspelled-default", made, field).length,
      inProgram("value/not-offered", made, field).length,
    ]).toEqual([0, 1]);
  });
});
