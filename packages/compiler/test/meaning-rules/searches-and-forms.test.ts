import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Lists of searches, tokens, forms of days and what options count, each beside right ones that look like the mistake. */

describe("jq/list-as-null", () => {
  const told = (asked: string, path = "/people", found = "{id: .people[0].id}", comment = ""): string[] =>
    findings("jq/list-as-null", "outbound", {
      "/workflows/0/data_pipeline/target": {
        ...(comment === "" ? {} : { _comment: comment }),
        "!pipe": [
          { "!http": { path, params: { email: "${piped_content.0.email}" } } },
          { "!switch": { jq: asked, cases: [{ "!error": "Nobody." }, { "!jq": found }] } },
          { "!http": { method: "POST", path: "/people/${piped_content.2.id}/lists", body: {} } },
        ],
      },
    });

  test.each([
    ["if .people == null then 0 else 1 end", ".people == null"],
    ["if .people != null then 1 else 0 end", ".people != null"],
    [". as $found | if $found.people == null then 0 else 1 end", "$found.people == null"],
    ["if .people then 1 else 0 end", ".people"],
  ])("%s", (asked, marked) => {
    expect(told(asked)).toEqual([marked]);
  });

  test.each([
    ["its length", "if (.people | length) == 0 then 0 else 1 end"],
    ["both", "if .people != null and .people != [] then 1 else 0 end"],
    ["an item", "if .people[0] == null then 0 else 1 end"],
    ["a refusal", "if .errors == null then 1 else 0 end"],
    ["one record", "if .people == null then 0 else 1 end", "/people", "{id: .people.id}"],
    ["nothing says what it is", "if .people == null then 0 else 1 end", "/search"],
    [
      "it may be null elsewhere",
      "if .people == null then 0 else 1 end",
      "/people",
      "{id: (.people // [])[0].id}",
    ],
    [
      "a comment says so",
      "if .people == null then 0 else 1 end",
      "/people",
      "{id: .people[0].id}",
      "people is null where nobody is found.",
    ],
  ])("right: %s", (_, asked, path?: string, found?: string, comment?: string) => {
    expect(told(asked, path, found, comment)).toEqual([]);
  });
});

describe("api/other-next-token", () => {
  const told = (own: string, token: string, comment?: string, param = "cursor"): string[] =>
    findings("api/other-next-token", "inbound-polling", {
      "/api/pagination": { style: { type: "cursor" }, parser: { next_result_token: { "!jq": own } } },
      ...(comment === undefined ? {} : { "/api/_comment": comment }),
      "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http": { path: "/lists", pagination: true },
      "/data_intake/0/initial_setup": { "!jq": "{polling_state: {at: null}}" },
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
      "/data_intake/0/request/!pipe": [
        { "!http": { path: "/customers", params: { [param]: "${polling_state.at}" } } },
        { "!jq": `{results: .items, iterate: (${token} != null), polling_state: {at: ${token}}}` },
      ],
    });

  test.each([
    [".paging.next_cursor", ".paging.next"],
    [".paging.next", ".next_cursor"],
    [".next_page_token", ".meta.next_token"],
  ])("%s for %s", (own, token) => {
    expect(told(own, token)).toEqual([own]);
  });

  test.each([
    ["the same", ".next_cursor", ".next_cursor"],
    [
      "a comment speaks of both",
      ".paging.next",
      ".next_cursor",
      "Lists have paging, changes have next_cursor.",
    ],
    ["another parameter", ".paging.next", ".sync_token", undefined, "sync_token"],
    ["no token by its name", ".paging.next", ".items[-1].id"],
  ])("right: %s", (_, own, token, comment?: string, param?: string) => {
    expect(told(own, token, comment, param)).toEqual([]);
  });
});

describe("polling/mixed-forms: days", () => {
  const told = (rule: string, newest: string): string[] =>
    findings(rule, "inbound-polling", {
      "/data_intake/0/initial_setup": {
        "!jq": '(now - 86400 | strftime("%Y%m%d")) as $day | {polling_state: {since: $day}}',
      },
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
      "/data_intake/0/request/!pipe": [
        { "!http": { path: "/customers", params: { since: "${polling_state.since}" } } },
        { "!jq": `{results: .items, iterate: .more, polling_state: {since: ${newest}}}` },
      ],
    });

  test.each([".items[-1].changed[0:10]", ".items[-1].changed[:10]"])("%s", (newest) => {
    expect(told("polling/mixed-forms", newest)).toEqual([newest]);
  });

  test.each([
    '(.items[-1].changed[0:10] | gsub("-"; ""))',
    ".items[-1].day",
    ".items[-1].changed[0:8]",
    '(.items[-1].changed | fromdate | strftime("%Y%m%d"))',
  ])("right: %s", (newest) => {
    for (const rule of ["polling/mixed-forms", "polling/mixed-kinds"]) expect(told(rule, newest)).toEqual([]);
  });
});

describe("value/other-unit: options that are numbers", () => {
  const told = (value: string, display: (value: number) => string): string[] =>
    findings("value/other-unit", "outbound", {
      "/workflows/0/setup/select/form_fields/-": {
        label: "How much",
        id: "much",
        type: "dropdown",
        options: [5_000, 25_000].map((each) => ({ display: display(each), value: each })),
      },
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": `{email, limit_cents: ${value}}` },
          { "!http": { method: "POST", path: "/limits", body: "${piped_content.1}" } },
        ],
      },
    });
  const much = "${custom_data.much.value}";

  test.each([(each: number) => `EUR ${each}`, (each: number) => `EUR ${each / 1_000},000`])(
    "%o",
    (display) => {
      expect(told(much, display)).toEqual([much]);
    },
  );

  test.each([
    [`(${much} * 100)`, (each: number) => `EUR ${each / 1_000},000`],
    [much, (each: number) => `${each} cents`],
    [much, (each: number) => `EUR ${each / 100}`],
    [much, (each: number) => `Up to ${each}`],
  ])("right: %s, %o", (value, display) => {
    expect(told(value, display)).toEqual([]);
  });
});

describe("pipeline/skips-all: looked for in an empty text", () => {
  const told = (condition: string): string[] =>
    inSource(
      "pipeline/skips-all",
      `. as $r | \${custom_data.kinds.value | default} as $kinds | if ${condition} then null else {email, name} end`,
      {
        "/workflows/0/setup/select/form_fields/1": {
          id: "kinds",
          label: "Kinds",
          type: "multiselect",
          required: false,
          options: ["new", "old"].map((value) => ({ display: value, value })),
        },
      },
    );

  test("nothing is in it", () => {
    expect(told("($kinds | index($r.kind)) == null")).toHaveLength(1);
  });

  test.each([
    "($kinds | length) > 0 and ($kinds | index($r.kind)) == null",
    '$kinds != "" and ($kinds | index($r.kind)) == null',
    "($kinds | index($r.kind)) != null",
    '($r.kind | index("x")) == null',
  ])("right: %s", (condition) => {
    expect(told(condition)).toEqual([]);
  });
});
