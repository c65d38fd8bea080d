import { describe, expect, test } from "vitest";
import { inPolling as told } from "../support/rule-findings.ts";

/** A cycle that begins what the last one left half read once more, and keys of the state that stay what they were at the setup. */

const clock = { "!http": { path: "/clock" } };
const list = (params: object) => ({ "!http": { path: "/notices", params } });

describe("a token that each cycle throws away", () => {
  const windowed = {
    since: "${polling_state.since}",
    until: "${polling_state.until}",
    cursor: "${polling_state.cursor}",
  };
  const walk = (
    prePoll: string,
    request: string,
    comment: unknown = undefined,
  ): Readonly<Record<string, unknown>> => ({
    ...(comment === undefined ? {} : { _comment: comment }),
    initial_setup: { "!jq": "{polling_state: {since: (now - 86400 | todate), until: null, cursor: null}}" },
    pre_poll: { "!pipe": [clock, { "!jq": prePoll }] },
    request: { "!pipe": [list(windowed), { "!jq": request }] },
    post_poll: { "!jq": "{polling_state: ${polling_state}}" },
  });
  const plain = "${polling_state} as $s | {polling_state: {since: $s.since, until: .utc, cursor: null}}";
  const reading = (since: string, cursor = "$next"): string =>
    `.paging.next as $next | \${polling_state} as $s | {results: .items, iterate: ($next != null), polling_state: {since: ${since}, until: $s.until, cursor: ${cursor}}}`;
  const asksNext = "(if $next == null then $s.until else $s.since end)";

  test.each([
    ["asked for null", plain, reading(asksNext)],
    ["asked for something", plain, reading("(if $next != null then $s.since else $s.until end)")],
    ["asked by itself", plain, reading("(if $next then $s.since else $s.until end)")],
    [
      "by its path",
      plain,
      reading("(if .paging.next == null then $s.until else $s.since end)", ".paging.next"),
    ],
    [
      "by a name of the condition",
      plain,
      "(.paging.next != null) as $more | ${polling_state} as $s | {results: .items, iterate: $more, polling_state: {since: (if $more then $s.since else $s.until end), until: $s.until, cursor: .paging.next}}",
    ],
    [
      "conditions the other way round",
      plain,
      reading(asksNext, "(if $next != null then $next else null end)"),
    ],
    [
      "in two cases",
      "${polling_state} as $s | if $s.cursor == null then {polling_state: {since: $s.since, until: .utc, cursor: null}} else {polling_state: {since: $s.since, until: $s.until, cursor: null}} end",
      reading(asksNext),
    ],
    [
      "added to the state",
      "{polling_state: (${polling_state} + {until: .utc, cursor: null})}",
      reading(asksNext),
    ],
    [
      "assigned",
      "${polling_state} as $s | .utc as $t | $s | .until = $t | .cursor = null | {polling_state: .}",
      reading(asksNext),
    ],
  ])("%s", (_, prePoll, request) => {
    expect(told("polling/cut-cycle", walk(prePoll, request))).toHaveLength(1);
  });

  test.each([
    [
      "kept while there is one",
      "${polling_state} as $s | {polling_state: (if $s.cursor == null then {since: $s.since, until: .utc, cursor: null} else $s end)}",
      reading(asksNext),
    ],
    ["the start moves with each page", plain, reading("(.items[-1].updated_at // $s.since)")],
    [
      "the clock moves the start",
      "{polling_state: {since: .utc, until: .utc, cursor: null}}",
      reading("$s.since"),
    ],
  ])("right: %s", (_, prePoll, request) => {
    expect(told("polling/cut-cycle", walk(prePoll, request))).toEqual([]);
  });
});

describe("an offset that each cycle sets back", () => {
  const read = {
    from: "${polling_state.from}",
    before: "${polling_state.before}",
    offset: "${polling_state.offset}",
    limit: 100,
  };
  const paged = (
    comment: unknown,
    prePoll: string,
    request = "(${polling_state.offset} + (.visits | length)) as $next | {results: .visits, iterate: ($next < .total), polling_state: (${polling_state} + (if $next < .total then {offset: $next} else {offset: 0, from: ${polling_state.before}} end))}",
  ): Readonly<Record<string, unknown>> => ({
    ...(comment === undefined ? {} : { _comment: comment }),
    initial_setup: {
      "!jq": "{polling_state: {from: ${custom_data.list.value}, before: null, offset: 0}}",
    },
    pre_poll: { "!pipe": [clock, { "!jq": prePoll }] },
    request: { "!pipe": [list(read), { "!jq": request }] },
    post_poll: { "!jq": "{polling_state: ${polling_state}}" },
  });
  const back = "{polling_state: (${polling_state} + {before: .now, offset: 0})}";
  const said = "A window that wasn't read to its end in the last cycle is read on.";

  test.each([
    ["read on", said, back],
    [
      "two sentences",
      [
        "A cycle ends at 1,000 rows.",
        "A cycle may stop half way (platform limits). Then the next one goes on there.",
      ],
      back,
    ],
    ["resumed", "After a cycle that was cut, the next one resumes at offset.", back],
    ["taken up", "If the limits end a cycle, the next one picks up where that one stopped.", back],
    ["written in full", said, "{polling_state: {from: ${polling_state.from}, before: .now, offset: 0}}"],
    ["assigned", said, ".now as $now | ${polling_state} | {polling_state: {from, before: $now, offset: 0}}"],
  ])("%s", (_, comment, prePoll) => {
    expect(told("polling/cut-cycle", paged(comment, prePoll))).toHaveLength(1);
  });

  test("also where the conditions are the other way round", () => {
    const request =
      "(${polling_state.offset} + (.visits | length)) as $next | {results: .visits, iterate: ($next < .total), polling_state: {before: ${polling_state.before}, offset: (if $next < .total then $next else 0 end), from: (if $next >= .total then ${polling_state.before} else ${polling_state.from} end)}}";
    expect(told("polling/cut-cycle", paged(said, back, request))).toHaveLength(1);
  });

  test.each([
    ["nothing is said of cuts", "from is inclusive, before exclusive.", back],
    ["each cycle is said to begin anew", "A cycle has at most 500 rows.", back],
    [
      "only a new window begins at 0",
      said,
      "{polling_state: (if ${polling_state.offset} > 0 then ${polling_state} else ${polling_state} + {before: .now, offset: 0} end)}",
    ],
  ])("right: %s", (_, comment, prePoll) => {
    expect(told("polling/cut-cycle", paged(comment, prePoll))).toEqual([]);
  });
});

describe("the first record of a page as the place of the next one", () => {
  const read = (comment: string, state: string, iterate: string, params: object) => ({
    _comment: comment,
    initial_setup: { "!jq": "{polling_state: {at: ${custom_data.list.value}, after: 0}}" },
    pre_poll: undefined,
    post_poll: { "!jq": "${polling_state} | {polling_state: {at, after}}" },
    request: {
      "!pipe": [
        list(params),
        {
          "!jq": `\${polling_state} as $s | ${state} | {results: .rows, iterate: (${iterate}), polling_state: ($s + $next)}`,
        },
      ],
    },
  });
  const pair = { changed_from: "${polling_state.at}", after_id: "${polling_state.after}", limit: 100 };
  const bookmark = (row: string): string =>
    `${row} as $row | (if $row == null then {} else {at: $row.changed_at, after: $row.id} end) as $next`;
  const place = (row: string): string =>
    `(${row}.seq // $s.after) as $last | {at: $s.at, after: $last} as $next`;
  const numbered = { since: "${polling_state.at}", after: "${polling_state.after}", limit: 100 };

  test.each([
    ["piped", bookmark("(.rows | first)")],
    ["by its index", bookmark(".rows[0]")],
    ["of what is left", bookmark("(.rows | map(select(.draft | not)) | first)")],
  ])("with a time that the service writes in its own way: %s", (_, state) => {
    const wrong = read("By (changed_at, id), oldest first.", state, ".rows | length == 100", pair);
    // Where the order is known otherwise, that rule tells it.
    const rules = ["polling/wrong-end", "polling/last-for-latest"];
    expect(rules.flatMap((rule) => told(rule, wrong))).toHaveLength(1);
  });

  test.each([
    "Gives those with seq > N, in order of seq.",
    "GET rows?after=N gives rows with seq > N in order of seq, and head, the newest of all.",
    "Rows are in ascending order of seq.",
  ])("where it isn't known whether there is more: %s", (comment) => {
    const wrong = read(comment, place(".rows[0]"), "$last < .head", numbered);
    expect(told("polling/wrong-end", wrong)).toHaveLength(1);
    const right = read(comment, place(".rows[-1]"), "$last < .head", numbered);
    expect(told("polling/wrong-end", right)).toEqual([]);
  });

  test("right: the last one, and the first one of a list whose order isn't said", () => {
    const last = read("Oldest first.", bookmark("(.rows | last)"), ".rows | length == 100", pair);
    expect(told("polling/wrong-end", last)).toEqual([]);
    const unsaid = read("At most 100 rows.", place(".rows[0]"), "$last < .head", numbered);
    expect(told("polling/wrong-end", unsaid)).toEqual([]);
  });
});

describe("a key that says nothing", () => {
  const paged = (first: number, postPoll: string, step = "${polling_state.page} + 1") => ({
    initial_setup: { "!jq": `{polling_state: {page: ${first}, pages: 0}}` },
    pre_poll: undefined,
    post_poll: {
      "!switch": {
        jq: postPoll,
        cases: [
          { "!jq": `{polling_state: {page: ${first}, pages: 0}}` },
          { "!jq": "{polling_state: ${polling_state}}" },
        ],
      },
    },
    request: {
      "!pipe": [
        list({ page: "${polling_state.page}" }),
        {
          "!jq": `{results: .rows, iterate: (\${polling_state.page} < .pages), polling_state: {page: (${step}), pages: .pages}}`,
        },
      ],
    },
  });
  const settled = (commands: Readonly<Record<string, unknown>>): string[] =>
    told("polling/always-past", commands);

  test.each([
    ["if ${polling_state.page} > 0 then 0 else 1 end", "${polling_state.page} > 0"],
    ["if ${polling_state.page} >= 1 then 0 else 1 end", "${polling_state.page} >= 1"],
    ["${polling_state} as $s | if $s.page < 1 then 1 else 0 end", "$s.page < 1"],
    ["if ${polling_state.page} == 0 then 1 else 0 end", "${polling_state.page} == 0"],
    ["if .polling_state.page != 0 then 0 else 1 end", ".polling_state.page != 0"],
  ])("%s", (asked, marked) => {
    expect(settled(paged(1, asked))).toEqual([marked]);
  });

  test.each([
    ["it begins at 0", paged(0, "if ${polling_state.page} > 0 then 0 else 1 end")],
    ["the number itself may be it", paged(1, "if ${polling_state.page} > 1 then 0 else 1 end")],
    ["the answer sets it", paged(1, "if ${polling_state.page} > 0 then 0 else 1 end", ".page")],
    [
      "it may go down",
      paged(1, "if ${polling_state.page} > 0 then 0 else 1 end", "${polling_state.page} - 1"),
    ],
  ])("right: %s", (_, commands) => {
    expect(settled(commands)).toEqual([]);
  });

  const seen = (setUp: string, kept: string) => ({
    initial_setup: { "!jq": `{polling_state: {since: (now - 86400 | todate), seen: ${setUp}}}` },
    pre_poll: undefined,
    post_poll: undefined,
    request: {
      "!pipe": [
        list({ updated_from: "${polling_state.since}" }),
        {
          "!jq": `\${polling_state} as $s | [.rows[] | select(.id as $id | $s.seen | index($id) | not)] as $new | {results: $new, iterate: ($new | length > 0), polling_state: ${kept}}`,
        },
      ],
    },
  });

  test.each([
    ["handed on", "[]", "{since: ($new[-1].updated // $s.since), seen: $s.seen}"],
    [
      "empty each time",
      "[]",
      "{since: ($new[-1].updated // $s.since), seen: (if ($new | length) == 0 then $s.seen else [] end)}",
    ],
  ])("a list of none: %s", (_, setUp, kept) => {
    expect(told("polling/empty-key", seen(setUp, kept))).toHaveLength(1);
  });

  test.each([
    ["filled", "[]", "{since: ($new[-1].updated // $s.since), seen: [.rows[].id]}"],
    [
      "filled on one way",
      "[]",
      "{since: ($new[-1].updated // $s.since), seen: (if ($new | length) == 0 then $s.seen else [.rows[].id] end)}",
    ],
    ["set up", '["a"]', "{since: ($new[-1].updated // $s.since), seen: $s.seen}"],
  ])("right: %s", (_, setUp, kept) => {
    expect(told("polling/empty-key", seen(setUp, kept))).toEqual([]);
  });
});
