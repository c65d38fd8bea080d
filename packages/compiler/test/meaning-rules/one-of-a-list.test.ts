import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

const told = (rule: string, made: string, asked: string, between: readonly unknown[] = []): number =>
  findings(rule, "outbound", {
    "/workflows/0/data_pipeline/target": {
      "!pipe": [
        { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
        { "!jq": `{found: ${made}, list: \${custom_data.list.value}}` },
        ...between,
        {
          "!switch": {
            jq: `if ${asked} then 0 else 1 end`,
            cases: [
              { "!http": { method: "POST", path: "/people", body: { list: "${piped_content.2.list}" } } },
              { "!print_c": "Known: ${piped_content.2.found}" },
            ],
          },
        },
      ],
    },
  }).length;

describe("jq/empty-text: one of a list is null where none fits", () => {
  test.each([
    ["(first(.people[] | select(.active) | .id) // null)"],
    ["first(.people[] | select(.state == 1))"],
    ["(.people | sort_by(.made_at) | last)"],
    ["(.people | max_by(.made_at))"],
    ["([.people[] | select(.active)] | .[0])"],
    ["([.people[] | select(.active)] | first | .id)"],
    ["[.people[] | select(.active) | .id][0]"],
  ])("told: %s", (made) => {
    expect(told("jq/empty-text", made, '.found == ""')).toBe(1);
    expect(told("jq/empty-text", made, '${piped_content.2.found} == ""')).toBeLessThanOrEqual(1);
    expect(told("jq/empty-text", made, ".found == null")).toBe(0);
    expect(told("jq/empty-text", made, '(.found // "") == ""')).toBe(0);
  });
  test.each([
    ['(first(.people[] | select(.active) | .id) // "")'],
    ["first(.people[] | select(.active) | .note)"],
    ["(.tags | first)"],
    ["([.people[] | .note] | first)"],
    ["(.people | map(.note) | last)"],
    [".note"],
  ])("not told: %s", (made) => expect(told("jq/empty-text", made, '.found == ""')).toBe(0));
});

describe("jq/never-null: behind steps that only add members", () => {
  const more = { "!jq": ". + {note: ${custom_data.list.value}}" };
  const none = '(.people[0].id // "")';
  test("told", () => {
    expect(told("jq/never-null", none, ".found == null")).toBe(1);
    expect(told("jq/never-null", none, ".found == null", [more])).toBe(1);
    expect(told("jq/never-null", none, ".found == null", [more, { "!jq": ".day = now" }])).toBe(1);
    expect(
      told("jq/never-null", none, ".found == null", [
        { "!jq": 'if .list == null then error("None") else . + {n: 1} end' },
      ]),
    ).toBe(1);
  });
  test("not told", () => {
    expect(told("jq/never-null", "(.people[0].id // null)", ".found == null", [more])).toBe(0);
    expect(told("jq/never-null", none, '.found == ""', [more])).toBe(0);
    expect(told("jq/never-null", none, ".found == null", [{ "!jq": ". + {found: .list[0]}" }])).toBe(0);
    expect(told("jq/never-null", none, ".found == null", [{ "!jq": "{list}" }])).toBe(0);
  });
});
