import { describe, expect, test } from "vitest";
import { inPolling } from "../support/rule-findings.ts";

/** Requests that are the same each time, whatever stands beside the page; objects that are put together; lists behind a name. */

const jq = (program: string) => ({ "!jq": program });
const alone = { pre_poll: undefined, post_poll: undefined };
const start = jq("{polling_state: {page: 1, since: (now - ${custom_data.list.value} * 86400 | floor)}}");

describe("polling/same-request: beside the page stands what stays the same", () => {
  const told = (params: object, page: string, ...before: object[]): string[] =>
    inPolling("polling/same-request", {
      ...alone,
      initial_setup: start,
      request: {
        "!pipe": [
          ...before,
          { "!http": { path: "/items", params: { page: "${polling_state.page}", per_page: 50, ...params } } },
          jq(
            `{results: .items, iterate: (.meta.page < .meta.page_count), polling_state: {page: ${page}, since: \${polling_state.since}}}`,
          ),
        ],
      },
    });
  const since = { since: "${polling_state.since}" };
  const lists = jq('{names: (${custom_data.list.value} | map(ltrimstr("l.")))}');
  const bound = jq("{from: (${polling_state.since} | todate)}");

  test.each<[string, object, object[]]>([
    ["a choice", { list: "${custom_data.list.value | default}" }, []],
    ["a bound that stays", since, []],
    ["a list that a step makes of a choice", { ...since, list: "${piped_content.1.names}" }, [lists]],
    ["a bound that a step writes in another form", { since: "${piped_content.1.from}" }, [bound]],
  ])("%s", (_, params, before) => {
    expect(told(params, ".meta.page", ...before)).toHaveLength(1);
    expect(told(params, ".meta.page + 1", ...before)).toEqual([]);
  });

  test("right: what a step before asks the service for may be another one each time", () => {
    const token = [{ "!http": { path: "/token" } }, jq("{token: .token}")];
    expect(told({ token: "${piped_content.2.token}" }, ".meta.page", ...token)).toEqual([]);
  });
});

describe("polling/same-request: the name of a snapshot is that of all its pages", () => {
  const told = (page: string, token: string): string[] =>
    inPolling("polling/same-request", {
      ...alone,
      initial_setup: jq("{polling_state: {page: 1, token: null}}"),
      request: {
        "!pipe": [
          {
            "!http": {
              path: "/items",
              params: { page: "${polling_state.page}", of: "${polling_state.token}" },
            },
          },
          jq(
            `(.meta.page < .meta.pages) as $more | {results: .items, iterate: $more, polling_state: (if $more then {page: ${page}, token: ${token}} else {page: 1, token: null} end)}`,
          ),
        ],
      },
    });

  test("and the page stays", () => {
    expect(told("${polling_state.page}", ".meta.snapshot")).toHaveLength(1);
    expect(told("${polling_state.page}", ".meta.snapshot_id")).toHaveLength(1);
    expect(told("${polling_state.page}", ".meta.export")).toHaveLength(1);
  });

  test("right: the page moves, or a token leads on", () => {
    expect(told("(${polling_state.page} + 1)", ".meta.snapshot")).toEqual([]);
    expect(told("${polling_state.page}", ".meta.next_token")).toEqual([]);
    expect(told("${polling_state.page}", ".meta.place")).toEqual([]);
  });
});

describe("outcomes that are put together", () => {
  const told = (rule: string, program: string): string[] =>
    inPolling(rule, {
      ...alone,
      initial_setup: jq("{polling_state: {page: 1, since: 1}}"),
      request: {
        "!pipe": [{ "!http": { path: "/items", params: { page: "${polling_state.page}" } } }, jq(program)],
      },
    });
  const forms = (page: string): readonly string[] => [
    `(.page < .pages) as $more | {results: .items, iterate: $more} + (if $more then {polling_state: {page: ${page}}} else {polling_state: {page: 1}} end)`,
    `{results: .items, iterate: (.page < .pages)} + {polling_state: {page: ${page}}}`,
    `{results: .items, iterate: (.page < .pages), next: ${page}} | .polling_state = {page: .next}`,
    `(.page < .pages) as $more | ${page} as $page | {results: .items, iterate: $more} | .polling_state = if .iterate then {page: $page} else {page: 1} end`,
  ];

  test.each([0, 1, 3])("the page stays (form %s)", (at) => {
    expect(told("polling/same-request", forms("${polling_state.page}")[at]!)).toHaveLength(1);
    expect(told("polling/same-request", forms("(${polling_state.page} + 1)")[at]!)).toEqual([]);
  });

  test("right: what is set behind the object is read of it", () => {
    expect(told("polling/same-request", forms("(${polling_state.page} + 1)")[2]!)).toEqual([]);
  });
});

describe("polling/ends-early: more records than a page has", () => {
  const told = (results: string, size: string, params: object): string[] =>
    inPolling("polling/ends-early", {
      ...alone,
      initial_setup: jq("{polling_state: {after: 0}}"),
      request: {
        "!pipe": [
          { "!http": { path: "/gifts", params: { after_id: "${polling_state.after}", ...params } } },
          jq(
            `{results: ${results}, iterate: (.gifts | length ${size}), polling_state: {after: (.gifts[-1].id // \${polling_state.after})}}`,
          ),
        ],
      },
    });

  test.each([
    ["[.station as $station | .gifts[] | {station: $station, gift: .}]", { limit: 200 }],
    ["[.station as $s | .kind as $k | .gifts[] | {$s, $k, gift: .}]", { limit: 200 }],
    [".gifts", { take: 200 }],
  ])("%s", (results, params) => {
    expect(told(results, "> 200", params)).toHaveLength(1);
    expect(told(results, "== 200", params)).toEqual([]);
    expect(told(results, ">= 200", params)).toEqual([]);
  });
});

describe("polling/ends-early: the offset of the next page, reckoned with the count of this one", () => {
  const told = (read: string, total: string): string[] =>
    inPolling("polling/ends-early", {
      ...alone,
      initial_setup: jq("{polling_state: {offset: 0}}"),
      request: {
        "!pipe": [
          { "!http": { path: "/gifts", params: { offset: "${polling_state.offset}", limit: 100 } } },
          jq(
            `(${read}) as $read | {results: .gifts, iterate: ($read < ${total}), polling_state: {offset: $read}}`,
          ),
        ],
      },
    });

  test("against the size of a page", () => {
    expect(told(".meta.offset + .meta.count", ".meta.limit")).toHaveLength(1);
    expect(told(".page.offset + .page.count", ".page.limit")).toHaveLength(1);
    expect(told("${polling_state.offset} + (.gifts | length)", ".meta.limit")).toHaveLength(1);
  });

  test("right: against all of them", () => {
    expect(told(".meta.offset + .meta.count", ".meta.total")).toEqual([]);
    expect(told(".page.offset + .page.count", ".page.total")).toEqual([]);
    expect(told(".meta.offset + .meta.size", ".meta.count")).toEqual([]);
  });
});
