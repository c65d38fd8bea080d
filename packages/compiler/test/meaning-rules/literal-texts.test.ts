import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

describe("a text that is made of one chosen value", () => {
  const target = (program: string): Readonly<Record<string, unknown>> => ({
    "/workflows/0/setup/select/form_fields/0/options": [
      { display: "Email", value: "email" },
      { display: "Letter", value: "post" },
    ],
    "/workflows/0/data_pipeline/target": {
      "!pipe": [
        { "!jq": program },
        { "!http": { method: "POST", path: "/owners", body: "${piped_content.1}" } },
      ],
    },
  });
  test.each([
    ['{way: ({email: 1, letter: 3}["${custom_data.list.value | default:email}"])}', 1],
    ['{way: ({email: 1, post: 3}["${custom_data.list.value | default:email}"])}', 0],
    ['{way: ({"by-email": 1, "by-letter": 3}["by-${custom_data.list.value}"])}', 1],
    ['{way: ({"by-email": 1, "by-post": 3}["by-${custom_data.list.value}"])}', 0],
  ])("%s", (program, count) => {
    expect(findings("jq/no-such-key", "outbound", target(program))).toHaveLength(count);
  });
});

describe("a table with a default", () => {
  const target = (program: string, comment?: string): Readonly<Record<string, unknown>> => ({
    "/workflows/0/setup/select/form_fields/0": {
      id: "list",
      label: "Plan",
      type: "dropdown",
      required: !program.includes("| default"),
      options: ["casual", "regular", "business"].map((value) => ({ display: value.toUpperCase(), value })),
    },
    "/workflows/0/data_pipeline/target": {
      ...(comment === undefined ? {} : { _comment: comment }),
      "!pipe": [
        { "!jq": program },
        { "!http": { method: "POST", path: "/owners", body: "${piped_content.1}" } },
      ],
    },
  });
  const plan = "${custom_data.list.value} as $plan | ";
  test.each([
    [`${plan}{fee: ({regular: 900, company: 2500}[$plan] // 0)}`, 1],
    [`${plan}{regular: 900, company: 2500} as $fees | {fee: ($fees[$plan] // 0)}`, 1],
    ["{fee: ({regular: 900, company: 2500} | .[${custom_data.list.value}] // 0)}", 1],
    // The rest is left to the default.
    [`${plan}{fee: ({regular: 900, business: 2500}[$plan] // 0)}`, 0],
    [`${plan}{fee: ({casual: 0, regular: 900, business: 2500, company: 2500}[$plan] // 0)}`, 0],
    [
      `{fee: ({casual: 0, regular: 900, business: 2500, none: 0}["\${custom_data.list.value | default}"] // 0)}`,
      0,
    ],
    // Nothing says what is looked up.
    ["{fee: ({regular: 900, company: 2500}[.plan] // 0)}", 0],
  ])("%s", (program, count) => {
    expect(findings("jq/no-such-key", "outbound", target(program))).toHaveLength(count);
  });

  test("a key that a comment explains", () => {
    const program = `${plan}{fee: ({regular: 900, business: 2500, student: 400}[$plan] // 0)}`;
    const said = "The plan student can't be chosen any more; who has it keeps it.";
    expect(findings("jq/no-such-key", "outbound", target(program, said))).toEqual([]);
  });
});

describe("jq/both-kinds of what is cut", () => {
  test.each([
    ["{day: .due_at[:10], late: ((now - .due_at) / 86400)}", 1],
    ["select(.email != null) | {day: .due_at[:10], late: ((now - .due_at) / 86400)}", 1],
    ["{day: .due_at[:10], late: ((now - (.due_at | fromdate)) / 86400)}", 0],
    // Of a list, both can be done.
    ["{some: .tags[:3], rest: (.tags - .seen)}", 0],
    ["{day: .due_at[:10], late: (now - .paid_at)}", 0],
  ])("%s", (program, count) => {
    expect(inSource("jq/both-kinds", program)).toHaveLength(count);
  });
});

describe("jq/other-span in the branches of an if", () => {
  const late = (seconds: number): string =>
    `{days_late: (if .state == "late" then ((now - (.due_at | fromdate)) / ${seconds} | ceil) else 0 end)}`;
  test.each([
    [3600, 1],
    [86400, 0],
  ])("%d", (seconds, count) => {
    expect(inSource("jq/other-span", late(seconds))).toHaveLength(count);
  });
});

describe("an object behind a check for errors", () => {
  const update = (program: string): Readonly<Record<string, unknown>> => ({
    "/data_intake/0/update": {
      "!pipe": [
        { "!http": { method: "PUT", path: "/hooks/1", body: { url: "${webhook.url}" } } },
        { "!jq": program },
      ],
    },
  });
  test.each([
    ['if .errors then error("refused") else {hook_id: .id} end', 1],
    ["if .errors then empty else .hook | {hook_id: .id} end", 1],
    ["if .errors then {hook_id: null} else {hook_id: .id} end", 0],
  ])("%s", (program, count) => {
    expect(findings("intake/unsaved-update", "inbound-webhook", update(program))).toHaveLength(count);
  });
});

describe("what only update saves", () => {
  const told = (condition: string): string[] =>
    findings("intake/saved-late", "inbound-webhook", {
      "/data_intake/0/update": {
        "!pipe": [
          { "!http": { method: "PUT", path: "/hooks/1", body: { url: "${webhook.url}" } } },
          { "!jq": "{token: .token}" },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/verification": {
        "!switch": {
          jq: `if ${condition} then 0 else 1 end`,
          cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
        },
      },
    });
  test.each([
    ['.headers["x-token"] == ${data.workflow.token | default}', 1],
    // A secret that came before may be missing.
    [
      '.headers["x-token"] == ${data.workflow.token | default} or .headers["x-id"] == ${data.workflow.hook_id}',
      0,
    ],
  ])("%s", (condition, count) => {
    expect(told(condition)).toHaveLength(count);
  });
});

describe("nothing is saved yet", () => {
  const token = "${data.workflow.hook_id | default}";
  test.each([
    [`(.headers["x-token"] // "") == ${token}`, 1],
    [`${token} as $saved | (.headers["x-token"] // "") as $sent | $sent == $saved`, 1],
    [`${token} as $saved | (.headers["x-token"] // "") as $sent | $saved != "" and $sent == $saved`, 0],
    // A header that isn't there is null, and no text.
    [`.headers["x-token"] == ${token}`, 0],
    ['(.headers["x-token"] // "") == ${data.workflow.hook_id}', 0],
  ])("%s", (condition, count) => {
    const verification = {
      "!pipe": [
        { "!jq": `{ok: (${condition})}` },
        {
          "!switch": {
            jq: "if .ok then 0 else 1 end",
            cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
          },
        },
      ],
    };
    const found = findings("intake/accepts-forged", "inbound-webhook", {
      "/data_intake/0/verification": verification,
    });
    expect(found).toHaveLength(count);
  });
});
