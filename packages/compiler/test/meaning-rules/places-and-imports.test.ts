import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";

/** Places in feeds and lists, the order of numbers, where imports end, and times in seconds: one kind of mistake in other words, and what is right although it looks alike. */

type Commands = Readonly<Record<string, unknown>>;

const get = (params: Readonly<Record<string, unknown>>): unknown => ({
  "!http": { path: "/rows", params: { limit: 100, ...params } },
});

/** A feed by a counting number. */
const feed = (program: string, more: Commands = {}): Commands => ({
  initial_setup: { "!jq": "{polling_state: {after: 0}}" },
  pre_poll: undefined,
  post_poll: undefined,
  request: { "!pipe": [get({ after: "${polling_state.after}" }), { "!jq": program }] },
  ...more,
});
const state = (after: string, results = ".rows"): string =>
  `\${polling_state} as $s | {results: ${results}, iterate: .has_more, polling_state: ($s + {after: ${after}})}`;

describe("the place that a page leaves", () => {
  test.each([
    ["in place", `.rows |= map(select(.kind != "DRAFT")) | ${state("([.rows[].seq] | max // $s.after)")}`],
    [
      "in place, as a list",
      `.rows |= [.[] | select(.kind == "FINAL")] | ${state("(.rows[-1].seq // $s.after)")}`,
    ],
    ["deleted", `del(.rows[] | select(.kind == "DRAFT")) | ${state("(.rows[-1].seq // $s.after)")}`],
    [
      "under a name",
      `[.rows[] | select(.kind == "FINAL")] as $kept | ${state("(($kept | last | .seq) // $s.after)", "$kept")}`,
    ],
  ])("of filtered records: %s", (_, program) => {
    expect(inPolling("polling/filtered-place", feed(program))).toHaveLength(1);
  });

  test("of records that a step before filters", () => {
    const steps = (first: string): Commands => ({
      ...feed(""),
      request: {
        "!pipe": [
          get({ after: "${polling_state.after}" }),
          { "!jq": first },
          { "!jq": state("(.rows[-1].seq // $s.after)") },
        ],
      },
    });
    expect(
      inPolling("polling/filtered-place", steps('{rows: [.rows[] | select(.kind == "FINAL")], has_more}')),
    ).toHaveLength(1);
    expect(inPolling("polling/filtered-place", steps('.rows |= map(select(.kind == "FINAL"))'))).toHaveLength(
      1,
    );
    expect(inPolling("polling/filtered-place", steps("{rows: [.rows[] | .row], has_more}"))).toEqual([]);
  });

  test.each([
    ["of all", state("([.rows[].seq] | max // $s.after)")],
    [
      "of all before the filter",
      `(.rows[-1].seq) as $last | .rows |= map(select(.kind == "FINAL")) | ${state("($last // $s.after)")}`,
    ],
    ["what has no text", `.rows |= map(select(.email != "")) | ${state("(.rows[-1].seq // $s.after)")}`],
    [
      "what was read before",
      "[.rows[] | select(.id != ${polling_state.id})] as $new | ${polling_state} as $s | {results: $new, iterate: .has_more, polling_state: {after: ($new[-1].seq // $s.after), id: ($new[-1].id // $s.id)}}",
    ],
    ["another list", `.tags |= map(select(. != "x")) | ${state("(.rows[-1].seq // $s.after)")}`],
  ])("nothing is told: %s", (_, program) => {
    expect(inPolling("polling/filtered-place", feed(program))).toEqual([]);
  });

  test.each([
    ["a constant", "([.rows[].seq] | max // 0)"],
    ["null", "([.rows[].seq] | max)"],
    ["under a name", "([.rows[].seq] | max) // 0"],
  ])("an empty page: %s", (_, after) => {
    expect(inPolling("polling/forgotten-bound", feed(state(`(${after})`)))).toHaveLength(1);
  });

  test("an empty page, where the service may begin anew", () => {
    const epoch = {
      initial_setup: {
        "!pipe": [{ "!http": { path: "/head" } }, { "!jq": "{polling_state: {epoch: .epoch, after: .seq}}" }],
      },
      pre_poll: {
        "!pipe": [
          { "!http": { path: "/head" } },
          {
            "!jq":
              ". as $head | ${polling_state} | {polling_state: (if .epoch == $head.epoch then . else {epoch: $head.epoch, after: 0} end)}",
          },
        ],
      },
    };
    expect(
      inPolling("polling/forgotten-bound", feed(state("([.rows[].seq] | max // 0)"), epoch)),
    ).toHaveLength(1);
    expect(
      inPolling("polling/forgotten-bound", feed(state("([.rows[].seq] | max // $s.after)"), epoch)),
    ).toEqual([]);
  });

  test("an empty page that leaves the first bound", () => {
    const since = (fallback: string): Commands => ({
      ...feed(""),
      initial_setup: { "!jq": '{polling_state: {since: "2020-01-01T00:00:00Z"}}' },
      request: {
        "!pipe": [
          get({ since: "${polling_state.since}", sort: "updated_at" }),
          {
            "!jq": `{results: .rows, iterate: .has_more, polling_state: {since: (.rows[-1].updated_at // ${fallback})}}`,
          },
        ],
      },
    });
    expect(inPolling("polling/forgotten-bound", since('"2020-01-01T00:00:00Z"'))).toHaveLength(1);
    expect(inPolling("polling/forgotten-bound", since('"1970-01-01T00:00:00Z"'))).toHaveLength(1);
    expect(inPolling("polling/forgotten-bound", since("${polling_state.since}"))).toEqual([]);
  });

  test("the wrong end, where a comment says the order", () => {
    const page = (end: string, comment: string): Commands => ({
      _comment: comment,
      initial_setup: {
        "!jq":
          "(now - 86400 | floor | todate) as $t | {polling_state: {since: $t, cursor: null, newest: $t}}",
      },
      pre_poll: undefined,
      post_poll: undefined,
      request: {
        "!pipe": [
          get({ updated_after: "${polling_state.since}", cursor: "${polling_state.cursor}" }),
          {
            "!jq": `\${polling_state} as $s | ((.rows | ${end} | .updated_at) // $s.newest) as $n | {results: .rows, iterate: .has_more, polling_state: (if .has_more then {since: $s.since, cursor: .next_cursor, newest: $n} else {since: $n, cursor: null, newest: $n} end)}`,
          },
        ],
      },
    });
    // An intake of which no world file says the order.
    const told = (commands: Commands): string[] =>
      findings("polling/wrong-end", "inbound-polling", {
        "/data_intake/0/name": "rows",
        "/workflows/0/data_intake": "rows",
        ...Object.fromEntries(
          Object.entries(commands).map(([name, json]) => [`/data_intake/0/${name}`, json]),
        ),
      });
    const oldest = "The list is sorted by updated_at, oldest first.";
    expect(told(page("first", oldest))).toHaveLength(1);
    expect(told(page("last", oldest))).toEqual([]);
    expect(told(page("first", "The list comes newest first."))).toEqual([]);
    expect(told(page("first", "It may come oldest first or newest first."))).toEqual([]);
    expect(told(page("first", "No order is known."))).toEqual([]);
  });
});

describe("the order of numbers", () => {
  test.each([
    ["([.rows[].seq | tostring] | max // $s.after | tonumber)"],
    ["(([.rows[].seq | tostring] | max) // $s.after)"],
    ["((.rows | map(.seq | tostring) | sort | last) // $s.after)"],
    ["((.rows | max_by(.seq | tostring) | .seq) // $s.after)"],
    ["((.rows | sort_by(.seq | tostring) | .[-1].seq) // $s.after)"],
    ["([.rows[].code | tostring] | max // $s.after | tonumber)"],
  ])("as texts: %s", (after) => {
    expect(inPolling("jq/text-order", feed(state(after)))).toHaveLength(1);
  });

  test.each([
    ["([.rows[].seq] | max // $s.after)"],
    ["([.rows[].seq] | max // $s.after | tostring)"],
    ["([.rows[].code | tostring] | max // $s.after)"],
    ["((.rows | sort_by(.name | tostring) | .[-1].seq) // $s.after)"],
    ["([.rows[].seq | tostring | tonumber] | max // $s.after)"],
    ['([.rows[].seq | tostring] | join(","))'],
    ["([.rows[].updated_at_ms | tostring] | max // $s.after)"],
  ])("nothing is told: %s", (after) => {
    expect(inPolling("jq/text-order", feed(state(after)))).toEqual([]);
  });
});

describe("a place that isn't the list's", () => {
  const opaque = { _comment: "'after' is an opaque bookmark: the service hands one out with every answer." };

  test.each([
    ["polling/opaque-place", "(.rows | last | .number)", opaque],
    [
      "polling/opaque-place",
      "(.rows[-1].number // $s.after)",
      { _comment: "after comes with every answer." },
    ],
  ])("%s: %s", (rule, after, more) => {
    expect(inPolling(rule, feed(state(after), more))).toHaveLength(1);
  });

  test.each([
    [".after", opaque],
    ["(.rows[-1].after // $s.after)", opaque],
    ["(.rows[-1].number // $s.after)", { _comment: "after is the number of the last row." }],
    ["(.rows[-1].number // $s.after)", { _comment: "number is an opaque text." }],
    ["(.rows[-1].bookmark // $s.after)", { _comment: "after is opaque: the bookmark of a row." }],
  ])("nothing is told: %s", (after, more) => {
    expect(inPolling("polling/opaque-place", feed(state(after), more))).toEqual([]);
  });

  const byId = (after: string, order: string): Commands => ({
    ...feed(""),
    request: { "!pipe": [get({ after_id: "${polling_state.after}", order }), { "!jq": state(after) }] },
  });

  test.each([["((.rows | last | .owner.id) // $s.after)"], ["(.rows[-1].owner.id // $s.after)"]])(
    "the id of something in a record: %s",
    (after) => {
      expect(inPolling("polling/id-of-other", byId(after, "id"))).toHaveLength(1);
    },
  );

  test.each([
    ["(.rows[-1].id // $s.after)", "id"],
    ["(.rows[-1].row.id // $s.after)", "id"],
    ["(.rows[-1].node.id // $s.after)", "id"],
    ["(.rows[-1].owner.id // $s.after)", "owner_id"],
  ])("nothing is told: %s", (after, order) => {
    expect(inPolling("polling/id-of-other", byId(after, order))).toEqual([]);
  });
});

describe("a place from elsewhere", () => {
  const ahead = (query: string, after: string): Commands =>
    feed(state("([.rows[].seq] | max // $s.after)"), {
      pre_poll: {
        "!pipe": [
          { "!http": { method: "POST", path: "/graphql", body: { query } } },
          {
            "!jq": `.data.head as $head | \${polling_state} | {polling_state: (if .epoch == $head.epoch then . else {epoch: $head.epoch, after: ${after}} end)}`,
          },
        ],
      },
    });

  test("a query of GraphQL says where the service is", () => {
    expect(
      inPolling("polling/skipped-ahead", ahead("query Head { head { epoch seq } }", "$head.seq")),
    ).toHaveLength(1);
    expect(inPolling("polling/skipped-ahead", ahead("{ head { epoch seq } }", "$head.seq"))).toHaveLength(1);
    expect(inPolling("polling/skipped-ahead", ahead("query Head { head { epoch seq } }", "0"))).toEqual([]);
    expect(
      inPolling("polling/skipped-ahead", ahead("mutation Take { head { epoch seq } }", "$head.seq")),
    ).toEqual([]);
  });
});

describe("where an import ends", () => {
  const ended = (param: string, value: string, more: Commands = {}): string[] =>
    findings("polling/early-end", "historical-sync", {
      "/data_intake/1/initial_setup": {
        "!jq": `now as $now | {polling_state: {cursor: null, until: ${value}}}`,
      },
      "/data_intake/1/request": {
        "!pipe": [
          {
            "!http": {
              path: "/orders",
              params: { cursor: "${polling_state.cursor}", [param]: "${polling_state.until}" },
            },
          },
          {
            "!jq":
              "{results: .orders, iterate: (.next_cursor != null), polling_state: (${polling_state} + {cursor: .next_cursor})}",
          },
        ],
      },
      ...more,
    });

  test.each([
    ["created_before", "($now - 86400 | floor | todate)"],
    ["createdTo", "(($now - 3600) * 1000 | floor)"],
    ["updated_until", "(now - 2 * 86400 | floor)"],
    ["before", "($now - 86400 | todate)"],
    ["created_to", '($now - 86400 | strftime("%Y-%m-%d"))'],
  ])("before the setup: %s %s", (param, value) => {
    expect(ended(param, value)).toHaveLength(1);
  });

  test.each([
    ["created_before", "($now | floor | todate)"],
    ["created_before", "($now - 60 | todate)"],
    ["created_before", "($now + 86400 | todate)"],
    ["created_to", '($now | strftime("%Y-%m-%d"))'],
    ["arrives_to", "($now - 86400 | todate)"],
    ["created_after", "($now - 86400 | todate)"],
    ["created_before", '"2024-01-01T00:00:00Z"'],
  ])("nothing is told: %s %s", (param, value) => {
    expect(ended(param, value)).toEqual([]);
  });

  const comment = (text: string): Commands => ({ "/data_intake/1/_comment": text });
  const label = (text: string): Commands => ({
    "/workflows/0/resource_labels": { historical_sync_events: [text] },
  });

  test("what lies ahead", () => {
    const day = '($now | strftime("%Y-%m-%d"))';
    const year = '($now + 365 * 86400 | strftime("%Y-%m-%d"))';
    const said = comment("Upcoming visits come too, so to lies a year ahead.");
    expect(ended("to", day, said)).toHaveLength(1);
    expect(ended("to", year, said)).toEqual([]);
    expect(ended("to", day, comment("to is today. What lies ahead comes by the hook."))).toEqual([]);
    expect(ended("to", day, label("Earlier and upcoming visits"))).toHaveLength(1);
    expect(ended("to", year, label("Earlier and upcoming visits"))).toEqual([]);
    expect(ended("to", day, label("Earlier visits"))).toEqual([]);
    expect(ended("created_to", day, label("Upcoming visits"))).toEqual([]);
  });
});

describe("times in unix seconds", () => {
  const bound = (comment: string, value: string): string[] =>
    inPolling("polling/documented-bound", {
      _comment: comment,
      initial_setup: { "!jq": `{polling_state: {created_gte: ${value}, after: null}}` },
      pre_poll: undefined,
      post_poll: undefined,
      request: {
        "!pipe": [
          get({ created_gte: "${polling_state.created_gte}", after: "${polling_state.after}" }),
          {
            "!jq": "{results: .rows, iterate: .has_more, polling_state: (${polling_state} + {after: .next})}",
          },
        ],
      },
    });

  test("are told in any letters", () => {
    const [seconds, milliseconds] = ["(now - 86400 | floor)", "((now - 86400) * 1000 | floor)"];
    expect(bound("created_gte is in unix seconds.", milliseconds)).toHaveLength(1);
    expect(bound("created_gte is a unix time in seconds.", milliseconds)).toHaveLength(1);
    expect(bound("created_gte is an epoch timestamp in milliseconds.", seconds)).toHaveLength(1);
    expect(bound("created_gte is in unix seconds.", seconds)).toEqual([]);
    expect(bound("created_gte is an epoch timestamp in milliseconds.", milliseconds)).toEqual([]);
  });
});
