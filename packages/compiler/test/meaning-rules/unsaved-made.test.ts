import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Values that are made to be saved: in other words, and what is right although it looks alike. */

const rule = "state/unsaved-made";

describe("a save behind another request", () => {
  const save = { "!save": { scope: "workflow" } };
  const told = (steps: readonly unknown[], headers = "${data.workflow.hook_token}"): string[] =>
    findings(rule, "inbound-webhook", {
      "/data_intake/0/create": {
        "!pipe": [{ "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } }, ...steps],
      },
      "/data_intake/0/delete": {
        "!http": {
          method: "DELETE",
          path: "/hooks/${data.workflow.hook_id}",
          headers: { "x-token": headers },
        },
      },
    });
  const made = { "!jq": "{hook_id: .hook.id, hook_token: .hook.token}" };
  const wake = (at: number) => ({
    "!http": { method: "POST", path: `/hooks/\${piped_content.${at}.hook_id}/wake` },
  });

  test.each([
    ["one request", [made, wake(2), save]],
    ["two requests", [made, wake(2), { "!http": { path: "/me" } }, save]],
    ["by a variable", [{ "!jq": ".hook as $h | {hook_id: $h.id, hook_token: $h.token}" }, wake(2), save]],
  ])("%s", (_, steps) => {
    expect(told(steps)).toHaveLength(1);
  });

  test.each([
    ["saved before", [made, save, wake(3)]],
    ["saved twice", [made, save, wake(3), save]],
    ["made anew", [made, wake(2), { "!jq": "{hook_id: .id, hook_token: .token}" }, save]],
    [
      "read by the request",
      [
        made,
        {
          "!http": {
            path: "/hooks/${piped_content.2.hook_id}",
            headers: { "x-token": "${piped_content.2.hook_token}" },
          },
        },
        save,
      ],
    ],
    ["the answer alone", [save]],
  ])("%s is right", (_, steps) => {
    expect(told(steps)).toEqual([]);
  });

  test("what nothing reads as saved", () => {
    expect(told([{ "!jq": "{hook_id: .hook.id, label: .hook.label}" }, wake(2), save], "x")).toEqual([]);
  });
});

describe("a case that doesn't save", () => {
  const save = { "!save": { scope: "workflow" } };
  const told = (cases: readonly unknown[], reads: string, before: readonly unknown[] = []): string[] =>
    findings(rule, "inbound-webhook", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          ...before,
          { "!http": { path: "/circles", params: { name: "new" } } },
          { "!switch": { jq: "if (.circles | length) == 0 then 0 else 1 end", cases } },
          { "!http": { method: "PUT", path: `/circles/${reads}/friends` } },
        ],
      },
    });
  const founds = (last: readonly unknown[]) => ({
    "!pipe": [{ "!http": { method: "POST", path: "/circles" } }, { "!jq": "{circle_id: .id}" }, ...last],
  });
  const found = { "!jq": "{circle_id: .circles[0].id}" };
  const read = "${data.workflow.circle_id}";

  test.each([
    ["the one that finds", [founds([save]), found]],
    ["in a pipe", [founds([save]), { "!pipe": [found] }]],
    ["the one that founds", [founds([]), { "!pipe": [found, save] }]],
    ["beside one that fails", [founds([save]), found, { "!error": "Too many." }]],
  ])("%s", (_, cases) => {
    expect(told(cases, read)).toHaveLength(1);
  });

  test.each([
    ["both save", [founds([save]), { "!pipe": [found, save] }], read, []],
    ["read from the step", [founds([save]), found], "${piped_content.2.circle_id}", []],
    ["with a default", [founds([save]), found], "${data.workflow.circle_id | default}", []],
    ["it was saved before", [founds([save]), { "!jq": "{circle_id: ${data.workflow.circle_id}}" }], read, []],
    ["the other one fails", [founds([save]), { "!error": "There is one." }], read, []],
    ["the other one makes something else", [founds([save]), { "!jq": "{known: true}" }], read, []],
    ["saved before", [founds([save]), found], read, [{ "!jq": "{circle_id: 7}" }, save]],
  ])("%s: right", (_, cases, reads, before) => {
    expect(told(cases, reads, before)).toEqual([]);
  });
});
