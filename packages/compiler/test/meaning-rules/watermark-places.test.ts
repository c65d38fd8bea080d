import { describe, expect, test } from "vitest";
import { findings, inPolling as told } from "../support/rule-findings.ts";

/** Places from which reading goes on: numbers, times and tokens that are taken from the wrong thing, and what is right although it looks alike. */

const jq = (program: string): object => ({ "!jq": program });

/** An intake that reads a feed with one place in it. */
const feed = (place: {
  readonly key: string;
  readonly param?: string;
  readonly first?: string;
  readonly next: string;
  readonly comment?: string;
  readonly before?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}): Readonly<Record<string, unknown>> => ({
  ...(place.comment === undefined ? {} : { _comment: place.comment }),
  initial_setup: jq(`{polling_state: {${place.key}: ${place.first ?? "0"}}}`),
  pre_poll: undefined,
  post_poll: undefined,
  request: {
    "!pipe": [
      {
        "!http": {
          path: "/changes",
          params: {
            [place.param ?? "after"]: `\${polling_state.${place.key}}`,
            ...(place.params ?? { limit: 50 }),
          },
        },
      },
      jq(
        `${place.before ?? ""}{results: .changes, iterate: .has_more, polling_state: {${place.key}: ${place.next}}}`,
      ),
    ],
  },
});

describe("polling/numbers-with-gaps", () => {
  test.each([
    ["a fixed number", { key: "after_id", next: "(${polling_state.after_id} + 50)" }],
    ["a length", { key: "last_id", next: "(${polling_state.last_id} + (.changes | length))" }],
    ["the length first", { key: "last_id", next: "((.changes | length) + ${polling_state.last_id})" }],
    [
      "camel case",
      { key: "afterId", param: "idGt", next: "(${polling_state.afterId} + (.changes | length))" },
    ],
    ["brackets", { key: "place", param: "id[gt]", next: "(${polling_state.place} + 50)" }],
    [
      "variables",
      {
        key: "last_id",
        before: "${polling_state} as $s | (.changes | length) as $n | ",
        next: "($s.last_id + $n)",
      },
    ],
    [
      "one by one",
      { key: "last_id", next: "(reduce .changes[] as $change (${polling_state.last_id}; . + 1))" },
    ],
    [
      "on one way",
      {
        key: "last_id",
        next: "(if .has_more then ${polling_state.last_id} + 50 else ${polling_state.last_id} end)",
      },
    ],
    [
      "a number that a sample has",
      {
        key: "last_seq",
        comment: '{"changes": [{"seq": 90112, "kind": "paid"}], "has_more": true}',
        next: "(${polling_state.last_seq} + (.changes | length))",
      },
    ],
    [
      "a number that the list is sorted by",
      {
        key: "no",
        param: "no_gt",
        params: { sort: "no" },
        next: "(.changes | length + ${polling_state.no})",
      },
    ],
  ])("tells what counts instead of taking the last one: %s", (_, place) => {
    expect(told("polling/numbers-with-gaps", feed(place))).toHaveLength(1);
  });

  test.each([
    ["an offset", { key: "offset", param: "offset", next: "(${polling_state.offset} + 50)" }],
    ["a place by no name", { key: "after", next: "(${polling_state.after} + (.changes | length))" }],
    ["the last one", { key: "after_id", next: "(.changes[-1].id // ${polling_state.after_id})" }],
    ["another key is added", { key: "last_id", next: "(.first_id + (.changes | length))" }],
    [
      "ranges of numbers",
      {
        key: "from_id",
        param: "id_gte",
        params: { id_lt: "${polling_state.from_id}" },
        next: "(${polling_state.from_id} + 500)",
      },
    ],
    [
      "numbers without gaps",
      {
        key: "last_seq",
        comment: "seq counts the changes of a shop without gaps.",
        next: "(${polling_state.last_seq} + (.changes | length))",
      },
    ],
    [
      "a number that nothing shows",
      { key: "last_number", next: "(${polling_state.last_number} + (.changes | length))" },
    ],
    ["a count", { key: "id_count", param: "after_count", next: "(${polling_state.id_count} + 50)" }],
    ["a page", { key: "after_id", param: "page", next: "(${polling_state.after_id} + 50)" }],
  ])("is silent of %s", (_, place) => {
    expect(told("polling/numbers-with-gaps", feed(place))).toEqual([]);
  });
});

describe("polling/time-for-number", () => {
  test.each([
    ["seconds", "(now | floor)", "(.changes[-1].seq // ${polling_state.last})"],
    ["milliseconds", "(now * 1000 | floor)", "(.changes[-1].change_no // ${polling_state.last})"],
    ["a date, some days ago", "(now - 86400 | todate)", "(.changes[-1].id // ${polling_state.last})"],
    ["the greatest", "(now | floor)", "(([.changes[].seq] | max) // ${polling_state.last})"],
    [
      "a variable",
      "(now | floor)",
      "(if .changes == [] then ${polling_state.last} else (.changes | last | .seq) end)",
    ],
  ])("tells %s", (_, first, next) => {
    expect(told("polling/time-for-number", feed({ key: "last", first, next }))).toHaveLength(1);
  });

  test.each([
    ["a time of the records", "(now | floor)", "(.changes[-1].changed_at // ${polling_state.last})"],
    ["a member that may be a time", "(now | floor)", "(.changes[-1].version // ${polling_state.last})"],
    ["a token", "(now | floor | tostring)", ".next_token"],
    ["a number", "90000", "(.changes[-1].seq // ${polling_state.last})"],
    [
      "what an id is worked out from",
      "(now * 4194304 | floor)",
      "(.changes[-1].id // ${polling_state.last})",
    ],
  ])("is silent of %s", (_, first, next) => {
    expect(told("polling/time-for-number", feed({ key: "last", first, next }))).toEqual([]);
  });
});

describe("polling/mixed-kinds", () => {
  const shown = 'The answer is {"utc": "2026-04-01T08:00:00Z", "zone": "Europe/Lisbon"}.';
  const snapshot = (first: string, clock: string, comment = shown): Readonly<Record<string, unknown>> => ({
    _comment: comment,
    initial_setup: jq(`${first} as $from | {polling_state: {since: $from, next_since: $from, cursor: null}}`),
    pre_poll: {
      "!pipe": [
        { "!http": { path: "/clock" } },
        jq(`{polling_state: (\${polling_state} + {next_since: ${clock}, cursor: null})}`),
      ],
    },
    request: {
      "!pipe": [
        {
          "!http": {
            path: "/orders",
            params: { updated_from: "${polling_state.since}", cursor: "${polling_state.cursor}" },
          },
        },
        jq(
          "{results: .orders, iterate: (.next_cursor != null), polling_state: {since: (if .next_cursor == null then ${polling_state.next_since} else ${polling_state.since} end), next_since: ${polling_state.next_since}, cursor: .next_cursor}}",
        ),
      ],
    },
    post_poll: undefined,
  });

  test.each([
    ["seconds, and a date that a comment shows", snapshot("(now - 86400 | floor)", ".utc")],
    ["milliseconds, and a date", snapshot("((now - 86400) * 1000 | floor)", ".utc")],
    [
      "a date, and seconds that a comment shows",
      snapshot("(now - 86400 | floor | todate)", ".epoch", 'The answer is {"epoch": 1740851990}.'),
    ],
    [
      "a date, and then what `fromdate?` gives",
      feed({
        key: "since",
        first: "(now - 86400 | todate)",
        next: "((.changes[-1].changed_at | fromdate?) // ${polling_state.since})",
      }),
    ],
    [
      "a date, and then `fromdateiso8601`",
      feed({
        key: "since",
        first: "(now - 86400 | todate)",
        next: "(([.changes[].changed_at] | max | fromdateiso8601?) // ${polling_state.since})",
      }),
    ],
  ])("tells %s", (_, commands) => {
    expect(told("polling/mixed-kinds", commands)).toHaveLength(1);
  });

  test.each([
    ["dates", snapshot("(now - 86400 | floor | todate)", ".utc")],
    ["another member than the one that is shown", snapshot("(now - 86400 | floor)", ".epoch")],
    ["what is made a number", snapshot("(now - 86400 | floor)", "(.utc | fromdate)")],
  ])("is silent of %s", (_, commands) => {
    expect(told("polling/mixed-kinds", commands)).toEqual([]);
  });
});

describe("the next token", () => {
  const said = "next_token is always there, also on the last page.";
  test.each([
    ["a token", { key: "token", next: ".token", comment: said }, 1],
    ["below something", { key: "place", next: ".page.token", comment: said }, 1],
    ["a cursor, in camel case", { key: "cursor", next: ".cursor", comment: "`nextCursor` leads on." }, 1],
    ["with the old one", { key: "token", next: "(.token // ${polling_state.token})", comment: said }, 1],
    ["nothing says otherwise", { key: "token", next: ".token" }, 0],
    ["the next one", { key: "token", next: ".next_token", comment: said }, 0],
    ["another member", { key: "token", next: ".position", comment: said }, 0],
    [
      "it is read elsewhere",
      { key: "token", next: ".token", comment: said, before: ".next_token as $n | " },
      0,
    ],
  ])("polling/other-token: %s", (_, place, count) => {
    expect(told("polling/other-token", feed({ first: "null", ...place }))).toHaveLength(count);
  });

  test.each([
    [
      "the token that was sent",
      "page.token is the one that was sent, page.next_token the next one.",
      ".page.token",
      1,
    ],
    ["a cursor", "Lists: {items: [], cursor, nextCursor}.", ".cursor", 1],
    ["nothing says otherwise", "Lists have 50 items a page.", ".page.token", 0],
    ["the next one", "page.next_token is null at the end.", ".page.next_token", 0],
    ["another name", "page.next_token is null at the end.", ".page.after", 0],
  ])("api/other-page: %s", (_, comment, token, count) => {
    const found = findings("api/other-page", "inbound-polling", {
      "/api/pagination": {
        _comment: comment,
        style: { type: "cursor" },
        parser: { next_result_token: jq(token) },
      },
      "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http": { path: "/lists", pagination: true },
    });
    expect(found).toHaveLength(count);
  });
});
