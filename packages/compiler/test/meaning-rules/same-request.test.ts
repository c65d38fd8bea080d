import { describe, expect, test } from "vitest";
import { inPolling } from "../support/rule-findings.ts";

/** Requests that come again, in intakes that choose, queue and count in ways of their own. */

const none = { pre_poll: undefined, post_poll: undefined };

describe("a `!switch` around the request", () => {
  const told = (decides: string, going: string): string[] =>
    inPolling("polling/same-request", {
      ...none,
      initial_setup: { "!jq": '{polling_state: {phase: "reading", job: 7, line: 1, page: 1}}' },
      request: {
        "!switch": {
          jq: decides,
          cases: [
            { "!jq": "{results: [], iterate: false, polling_state: .polling_state}" },
            {
              "!pipe": [
                {
                  "!http": {
                    path: "/jobs/${polling_state.job}/rows",
                    params: { page: "${polling_state.page}" },
                  },
                },
                { "!jq": going },
              ],
            },
          ],
        },
      },
    });
  const byState = 'if ${polling_state.phase} == "reading" then 1 else 0 end';
  const byInput = 'if .polling_state.phase == "reading" then 1 else 0 end';
  const counted = (otherwise: string, results = ".rows"): string =>
    `(.page >= .pages) as $last | {results: ${results}, iterate: ($last | not), polling_state: (\${polling_state} | if $last then .phase = "done" else ${otherwise} end)}`;

  test.each([
    ["by the state", byState, counted(".")],
    ["by the input", byInput, counted(".")],
    ["another key moves", byInput, counted(".line += 1")],
    ["a key's own value", byState, counted(".page = .page")],
  ])("the page stays: %s", (_, decides, going) => {
    expect(told(decides, going)).toHaveLength(1);
  });

  test.each([
    ["the page moves", byState, counted(".page += 1")],
    ["another phase asks for something else", byState, counted('.phase = "waiting"')],
    ["another part of the same answer", byInput, counted(".line += 500", ".rows[${polling_state.line}:]")],
  ])("right: %s", (_, decides, going) => {
    expect(told(decides, going)).toEqual([]);
  });
});

describe("steps between the answer and the state", () => {
  const told = (results: string, page: string): string[] =>
    inPolling("polling/same-request", {
      ...none,
      initial_setup: { "!jq": "{polling_state: {page: null, seen: 0}}" },
      request: {
        "!pipe": [
          { "!http": { path: "/people", params: { page: "${polling_state.page}" } } },
          {
            "!jq": `{people: ${results}, page: .next_page, seen: (\${polling_state.seen} + (.people | length))}`,
          },
          {
            "!switch": {
              jq: "if .page == null then 0 else 1 end",
              cases: [
                { "!jq": "{results: .people, iterate: false, polling_state: {page: null, seen: .seen}}" },
                {
                  "!jq": `{results: .people, iterate: true, polling_state: {page: ${page}, seen: .seen}}`,
                },
              ],
            },
          },
        ],
      },
    });

  test("a count of what was seen asks for nothing", () => {
    expect(told(".people", "${polling_state.page}")).toHaveLength(1);
    expect(told(".people", ".page")).toEqual([]);
  });

  test("a count by which results are taken gives others of the same answer", () => {
    expect(told(".people[${polling_state.seen}:]", "${polling_state.page}")).toEqual([]);
  });
});

test("a list of what was seen only leaves that out", () => {
  const told = (since: string): string[] =>
    inPolling("polling/same-request", {
      ...none,
      initial_setup: { "!jq": "{polling_state: {since: 7, seen: []}}" },
      request: {
        "!pipe": [
          { "!http": { path: "/sessions", params: { ended_from: "${polling_state.since}" } } },
          {
            "!jq": `\${polling_state.seen} as $seen | {results: [.sessions[] | select(.id as $id | $seen | index($id) | not)], iterate: (.sessions | length == 100), polling_state: {since: ${since}, seen: [.sessions[].id]}}`,
          },
        ],
      },
    });
  expect(told("${polling_state.since}")).toHaveLength(1);
  expect(told(".sessions[-1].ended_at")).toEqual([]);
});

describe("a list of lists", () => {
  const told = (rest: string, page: string, more = ".paging.page < .paging.pages"): string[] =>
    inPolling("polling/same-request", {
      ...none,
      initial_setup: {
        "!pipe": [
          { "!http": { path: "/events" } },
          { "!jq": "{polling_state: {events: [.events[] | .id], page: 1}}" },
        ],
      },
      request: {
        "!pipe": [
          {
            "!http": {
              path: "/registrations",
              params: { event: "${polling_state.events.0 | default:none}", page: "${polling_state.page}" },
            },
          },
          {
            "!jq": `(${more}) as $more | (if $more then \${polling_state.events} else \${polling_state.events}${rest} end) as $rest | {results: .registrations, iterate: ($rest | length > 0), polling_state: {events: $rest, page: (if $more then ${page} else 1 end)}}`,
          },
        ],
      },
    });

  test.each([
    ["the page that was read", "[1:]", ".paging.page"],
    ["the page of the state", "[1:]", "${polling_state.page}"],
    ["the first one is kept", "[:1]", ".paging.page + 1"],
    ["the last one is dropped", "[:-1]", ".paging.page + 1"],
  ])("%s", (_, rest, page) => {
    expect(told(rest, page)).toHaveLength(1);
  });

  test.each([
    ["the next page", "[1:]", ".paging.page + 1"],
    ["the page of the state", "[1:]", "${polling_state.page} + 1"],
  ])("right: %s", (_, rest, page) => {
    expect(told(rest, page)).toEqual([]);
  });
});

describe("numbered documents", () => {
  const told = (next: string, iterate: string): string[] =>
    inPolling("polling/same-request", {
      ...none,
      initial_setup: {
        "!pipe": [
          { "!http": { path: "/digests/bounds" } },
          { "!jq": "{polling_state: {number: .first, page: 1, latest: .latest}}" },
        ],
      },
      request: {
        "!pipe": [
          {
            "!http": { path: "/digests/${polling_state.number}", params: { page: "${polling_state.page}" } },
          },
          {
            "!jq": `\${polling_state} as $s | (if $s.page < .pages then {number: $s.number, page: ($s.page + 1)} else {number: ${next}, page: 1} end) as $next | {results: .members, iterate: ${iterate}, polling_state: ($s + $next)}`,
          },
        ],
      },
    });
  const untilLatest = "($next.number <= $s.latest)";

  test("the same document begins again", () => {
    expect(told("$s.number", untilLatest)).toHaveLength(1);
    expect(told("($s.number + 1)", untilLatest)).toEqual([]);
  });

  test("right: the same one in the next cycle", () => {
    expect(told("$s.number", "($s.page < .pages)")).toEqual([]);
  });

  test("right: the answer decides whether there is more", () => {
    expect(told("$s.number", ".backlog")).toEqual([]);
  });
});

describe("a case that ends", () => {
  const told = (page: string, condition = ".page == null"): string[] =>
    inPolling("polling/asks-on", {
      ...none,
      initial_setup: { "!jq": "{polling_state: {page: null}}" },
      request: {
        "!pipe": [
          { "!http": { path: "/people", params: { page_token: "${polling_state.page}" } } },
          { "!jq": `{people: .people, page: ${page}}` },
          {
            "!switch": {
              jq: `if ${condition} then 0 else 1 end`,
              cases: [
                { "!jq": "{results: .people, iterate: false, polling_state: {page: null}}" },
                { "!jq": "{results: .people, iterate: true, polling_state: {page: .page}}" },
              ],
            },
          },
        ],
      },
    });

  test("it is never taken where the old token stands in for the next one", () => {
    expect(told("(.next_page_token // ${polling_state.page})")).toEqual([".page == null"]);
    expect(told(".next_page_token")).toEqual([]);
  });
});
