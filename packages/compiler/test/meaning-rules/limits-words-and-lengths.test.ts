import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";

/** What comments and options say of page sizes, words, times and lengths, and fields that are skipped, each beside right ones. */

const target = "/workflows/0/data_pipeline/target";

describe("api/page-over-limit: ways to say the most", () => {
  const told = (comment: string, size: number): string[] =>
    findings("api/page-over-limit", "inbound-polling", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/request/!pipe/0/!http/params": { page: "${polling_state.page}", per_page: size },
    });

  test.each([
    ["100 is the most that per_page takes."],
    ["100 is the maximum of per_page."],
    ["The most that per_page takes is 100."],
    ["The largest per_page is 100."],
    ["per_page is capped at 100."],
    ["per_page never asks for more: it stops at 100."],
    ["With per_page, never more than 100 come."],
    ["per_page is at most 100."],
    ["per_page goes up to 100."],
  ])("%s", (comment) => {
    expect(told(comment, 250)).toEqual(["250"]);
    expect(told(comment, 100)).toEqual([]);
  });

  test.each([
    ["100 is the most that a person may book."],
    ["per_page: 50 is the default."],
    ["The most recent per_page was 100."],
    ["per_page can be chosen; 100 is the largest id."],
    ["per_page is at least 100."],
  ])("right: %s", (comment) => {
    expect(told(comment, 250)).toEqual([]);
  });
});

describe("value/undocumented-word: fixed values of a mapped field", () => {
  const told = (comment: string, ids: readonly string[], place = `${target}/_comment`): string[] =>
    findings("value/undocumented-word", "outbound", {
      "/workflows/0/setup/map": {
        label: "Map",
        describe_source: { label: "Contact", options: { "!resource": "PlatformContact.fields" } },
        describe_target: {
          label: "Alert",
          options: [
            { title: "Email", id: "email", required: true },
            { title: "Letter", id: "rhythm", source_fields: ids.map((id) => ({ title: `Each ${id}`, id })) },
          ],
        },
      },
      [place]: comment,
    });

  test.each([
    ["in the pipeline", "rhythm is daily or weekly.", ["day", "weekly"], `${target}/_comment`],
    ["in the map", "rhythm is daily or weekly.", ["daily", "week"], "/workflows/0/setup/map/_comment"],
    ["a longer list", "rhythm: daily | weekly | monthly", ["daily", "month"], `${target}/_comment`],
    ["takes", "rhythm takes daily, weekly or never.", ["everyday", "weekly"], `${target}/_comment`],
  ])("%s", (_, comment, ids, place) => {
    expect(told(comment, ids, place)).toHaveLength(1);
  });

  test.each([
    ["as they are listed", "rhythm is daily or weekly.", ["daily", "weekly"]],
    ["a list of something else", "period is daily or weekly.", ["day", "week"]],
    ["a list that goes on", "rhythm is daily, weekly, monthly or others.", ["yearly", "weekly"]],
    ["the comment speaks of it", "rhythm is daily or weekly; hourly is new.", ["hourly", "weekly"]],
  ])("right: %s", (_, comment, ids) => {
    expect(told(comment, ids)).toEqual([]);
  });
});

describe("value/other-unit: times in seconds", () => {
  const told = (comment: string, program: string): string[] =>
    findings("value/other-unit", "outbound", {
      [target]: {
        _comment: comment,
        "!pipe": [
          { "!jq": program },
          { "!http": { method: "POST", path: "/x", body: "${piped_content.1}" } },
        ],
      },
    });
  const seconds = "expires_at is in Unix seconds.";

  test.each([
    ["the whole in milliseconds", seconds, "{expires_at: ((now + 30 * 86400) * 1000 | floor)}"],
    ["in a pipe", seconds, "{expires_at: (now + 30 * 86400 | . * 1000 | floor)}"],
    ["now alone", seconds, "{expires_at: (now * 1000 | floor)}"],
    ["by a variable", seconds, "(now * 1000 | floor) as $at | {expires_at: $at}"],
    ["of all times", "All times are Unix seconds.", "{expires_at: ((now + 3600) * 1000 | floor)}"],
    ["another name", "valid_until: seconds since 1970", "{valid_until: ((now + 3600) * 1000 | floor)}"],
  ])("%s", (_, comment, program) => {
    expect(told(comment, program)).toHaveLength(1);
  });

  test.each([
    ["in seconds", seconds, "{expires_at: (now + 30 * 86400 | floor)}"],
    ["in milliseconds", "expires_at is in milliseconds.", "{expires_at: ((now + 3600) * 1000 | floor)}"],
    ["days that are left", "All times are Unix seconds.", "{days: ((1900000000 - now) / 86400 | floor)}"],
    [
      "milliseconds that are left",
      "All times are Unix seconds.",
      "{wait: ((1900000000 - now) * 1000 | floor)}",
    ],
    ["a text", "All times are Unix seconds.", "{expires_at: (now + 3600 | todate)}"],
  ])("right: %s", (_, comment, program) => {
    expect(told(comment, program)).toEqual([]);
  });
});

describe("setup/other-scale: two options in words", () => {
  const told = (options: readonly (readonly [string, unknown])[]): string[] =>
    findings("setup/other-scale", "outbound", {
      "/workflows/0/setup/select/form_fields/0/options": options.map(([display, value]) => ({
        display,
        value,
      })),
    });

  test.each([
    [
      "weeks among days",
      [
        ["Two weeks", 14],
        ["Six weeks", 6],
      ],
      "6",
    ],
    [
      "as texts",
      [
        ["One week", "7"],
        ["Four weeks", "4"],
      ],
      '"4"',
    ],
    [
      "one of them in the singular",
      [
        ["A day", "24"],
        ["3 days", "3"],
      ],
      '"3"',
    ],
    [
      "months among days",
      [
        ["One month", 30],
        ["Three months", 3],
      ],
      "3",
    ],
    [
      "in digits",
      [
        ["2 hours", 120],
        ["4 hours", 4],
      ],
      "4",
    ],
  ] as const)("%s", (_, options, marked) => {
    expect(told(options)).toEqual([marked]);
  });

  test.each([
    [
      "all in days",
      [
        ["Two weeks", 14],
        ["Six weeks", 42],
      ],
    ],
    [
      "all in weeks",
      [
        ["Two weeks", 2],
        ["Six weeks", 6],
      ],
    ],
    [
      "two units, all in days",
      [
        ["Two weeks", 14],
        ["Six days", 6],
      ],
    ],
    [
      "numbers of a list",
      [
        ["Two weeks", 1],
        ["Six weeks", 2],
      ],
    ],
  ] as const)("right: %s", (_, options) => {
    expect(told(options)).toEqual([]);
  });
});

describe("http/skipped-segment", () => {
  const told = (target: unknown, required: unknown = false): string[] =>
    findings("http/skipped-segment", "outbound", {
      "/workflows/0/setup/select/form_fields/0/required": required,
      "/workflows/0/data_pipeline/target": target,
    });
  const post = (path: string) => ({
    "!http": { method: "POST", path, body: { a: "${piped_content.0.email}" } },
  });
  const segment = "/lists/${custom_data.list.value | default}/people";

  test.each([
    ["in the middle", post(segment)],
    ["at the end", post("/lists/${custom_data.list.value | default}")],
    ["before a query", post("/lists/${custom_data.list.value | default}?a=1")],
    ["an empty default", post("/lists/${custom_data.list.value | default:}/people")],
    ["the display", post("/lists/${custom_data.list.display | default}/people")],
    ["a later step", { "!pipe": [{ "!jq": "{email}" }, post(segment)] }],
  ])("%s", (_, steps) => {
    expect(told(steps)).toEqual(["false"]);
  });

  test.each([
    ["required", post(segment), true],
    ["a default", post("/lists/${custom_data.list.value | default:all}/people"), false],
    ["a part of a segment", post("/lists/l${custom_data.list.value | default}/people"), false],
    ["a parameter", post("/people?list=${custom_data.list.value | default}"), false],
    [
      "in a case",
      {
        "!switch": {
          jq: 'if "${custom_data.list.value | default}" == "" then 0 else 1 end',
          cases: [{ "!print_c": "No list." }, post(segment)],
        },
      },
      false,
    ],
    [
      "refused before",
      {
        "!pipe": [
          { "!jq": 'if "${custom_data.list.value | default}" == "" then error("No list.") else . end' },
          post(segment),
        ],
      },
      false,
    ],
  ])("right: %s", (_, steps, required) => {
    expect(told(steps, required)).toEqual([]);
  });
});

describe("polling/other-time: a day that is made a time", () => {
  const told = (value: string): string[] =>
    inPolling("polling/other-time", {
      _comment: "bookings with from <= changedAt < before, oldest first.",
      initial_setup: { "!jq": "{polling_state: {since: (now - 86400 | todate)}}" },
      pre_poll: undefined,
      post_poll: undefined,
      request: {
        "!pipe": [
          {
            "!http": {
              method: "POST",
              path: "/graphql",
              body: {
                query:
                  "query B($from: DateTime!) { bookings(changed: {from: $from}) { pageInfo { hasNextPage } nodes { id changedAt startsOn } } }",
                variables: { from: "${polling_state.since}" },
              },
            },
          },
          {
            "!jq": `.data.bookings as $b | {results: $b.nodes, iterate: $b.pageInfo.hasNextPage, polling_state: {since: ${value}}}`,
          },
        ],
      },
    });

  test.each([
    ['"\\($b.nodes[-1].startsOn)T00:00:00Z"'],
    ['($b.nodes[-1].startsOn + "T00:00:00Z")'],
    ["$b.nodes[-1].startsOn"],
  ])("%s", (value) => {
    expect(told(value)).toHaveLength(1);
  });

  test.each([['"\\($b.nodes[-1].changedAt)"'], ["$b.nodes[-1].changedAt"]])("right: %s", (value) => {
    expect(told(value)).toEqual([]);
  });
});
