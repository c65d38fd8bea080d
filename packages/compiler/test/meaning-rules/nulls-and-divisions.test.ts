import { describe, expect, test } from "vitest";
import { findings, inPolling, inSource } from "../support/rule-findings.ts";

/** Empty texts where null comes, and guards that let 0 through, each beside right ones that look like it. */

describe("jq/empty-text: the step before gives null", () => {
  const told = (program: string, condition: string): string[] =>
    findings("jq/empty-text", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": {
        "!pipe": [
          { "!jq": program },
          {
            "!switch": {
              jq: `if ${condition} then 0 else 1 end`,
              cases: [{ "!jq": "null" }, { "!jq": "{email: .email}" }],
            },
          },
        ],
      },
    });

  test.each([
    ["what came", 'if .kind == "draft" then null else . end', '. == ""'],
    ["a record", 'if .kind == "draft" then null else {email: .email} end', '. == ""'],
    [
      "cleaned",
      'if .kind == "draft" then null else {email: .email} | with_entries(select(.value != "")) end',
      '. == ""',
    ],
    ["beside another", "if .email then . + {n: 1} else null end", '. == "" or .email == null'],
  ])("%s", (_, program, condition) => {
    expect(told(program, condition)).toEqual(['""']);
  });

  test.each([
    ["null", 'if .kind == "draft" then null else . end', ". == null"],
    ["an empty text", 'if .kind == "draft" then "" else . end', '. == ""'],
    ["a text that came", 'if .kind == "draft" then null else .email end', '. == ""'],
    ["behind a pipe", 'if .kind == "draft" then null else . end', '.email | . == ""'],
  ])("right: %s", (_, program, condition) => {
    expect(told(program, condition)).toEqual([]);
  });
});

describe("jq/empty-text: a time that is a number", () => {
  const told = (program: string): string[] => inSource("jq/empty-text", program);

  test.each([
    ['{email, seen: (if .seen_at == "" then null else .seen_at / 1000 | todate end)}'],
    ['. as $p | {email, seen: (if $p.seen_at == "" then null else ($p.seen_at | strftime("%Y-%m-%d")) end)}'],
    ['{email, seen: (if .seen_at != "" then (.seen_at | todate) else null end)}'],
  ])("%s", (program) => {
    expect(told(program)).toEqual(['""']);
  });

  test.each([
    ["{email, seen: (if .seen_at == null then null else .seen_at / 1000 | todate end)}"],
    [
      '{email, seen: (if .seen_at == "" then null else (.seen_at | strptime("%d.%m.%Y") | strftime("%F")) end)}',
    ],
    ['{email, seen: (if .seen_at == "" then null else (.seen_at | tonumber | todate) end)}'],
    ['{email, seen: (if .seen_at == "" then null else .seen_at[0:10] end)}'],
  ])("right: %s", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/empty-text: a key of the state", () => {
  const told = (condition: string, first: string): string[] =>
    inPolling("jq/empty-text", {
      initial_setup: { "!jq": `{polling_state: {page: 1, job_id: ${first}}}` },
      pre_poll: {
        "!switch": {
          jq: `if ${condition} then 0 else 1 end`,
          cases: [
            {
              "!pipe": [
                { "!http": { method: "POST", path: "/jobs" } },
                { "!jq": "{polling_state: {page: 1, job_id: .id}}" },
              ],
            },
            { "!jq": "{polling_state: .polling_state}" },
          ],
        },
      },
    });

  test("set to null", () => {
    expect(told('.polling_state.job_id == ""', "null")).toEqual(['""']);
  });
  test.each([
    ["null", ".polling_state.job_id == null", "null"],
    ["set to the empty text", '.polling_state.job_id == ""', '""'],
  ])("right: %s", (_, condition, first) => {
    expect(told(condition, first)).toEqual([]);
  });
});

describe("jq/zero-divisor", () => {
  const told = (program: string): string[] => inSource("jq/zero-divisor", program);

  test.each([
    ["{email, rate: (if .minutes >= 0 then .kilos / .minutes else 0 end)}", ".minutes >= 0"],
    ["{email, rate: (if .minutes < 0 then 0 else .kilos / .minutes end)}", ".minutes < 0"],
    [
      ". as $s | {email, rate: (if $s.minutes >= 0 then ($s.kilos / ($s.minutes / 60) | round) else 0 end)}",
      "$s.minutes >= 0",
    ],
    [
      ".lines as $l | {email, mean: (if ($l | length) >= 0 then .sum / ($l | length) else 0 end)}",
      "($l | length) >= 0",
    ],
  ])("%s", (program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    ["{email, rate: (if .minutes > 0 then .kilos / .minutes else 0 end)}"],
    ["{email, rate: (if .minutes >= 0 then .kilos / .hours else 0 end)}"],
    ["{email, rate: (if .minutes >= 0 then .minutes / 60 else 0 end)}"],
    [
      "{email, rate: (if .minutes >= 0 then (if .minutes == 0 then 0 else .kilos / .minutes end) else 0 end)}",
    ],
    ["{email, rate: (if .minutes >= 0 then .kilos / (.minutes + 1) else 0 end)}"],
  ])("right: %s", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("mapping/list-for-text: lines", () => {
  const told = (program: string): string[] =>
    inSource("mapping/list-for-text", program, {
      "/workflows/0/setup/map/describe_source/options": [
        { id: "email", title: "Email" },
        { id: "books", title: "Books, one per line" },
      ],
    });

  test("a list", () => {
    expect(told("{email: .email, books: [.items[].title]}")).toEqual(["[.items[].title]"]);
  });
  test("right: one text", () => {
    expect(told('{email: .email, books: ([.items[].title] | join("\\n"))}')).toEqual([]);
  });
});
