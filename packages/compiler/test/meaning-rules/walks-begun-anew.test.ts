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
