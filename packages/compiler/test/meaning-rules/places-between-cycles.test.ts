import { describe, expect, test } from "vitest";
import { findings, inPolling as told } from "../support/rule-findings.ts";

/** What becomes of a place in a list between one cycle and the next. */

describe("the page of a cycle that was cut", () => {
  const paged = (postPoll: string, last = "{delta: .delta, page: null, seen: .seen}") => ({
    initial_setup: {
      "!pipe": [
        { "!http": { path: "/delta-token" } },
        { "!jq": "{polling_state: {delta: .delta_token, page: null, seen: 0}}" },
      ],
    },
    pre_poll: undefined,
    post_poll: { "!jq": postPoll },
    request: {
      "!pipe": [
        {
          "!http": {
            path: "/people",
            params: { delta: "${polling_state.delta}", page: "${polling_state.page}" },
          },
        },
        {
          "!jq":
            "{people: .people, page: .next_page, delta: .next_delta, seen: (${polling_state.seen} + (.people | length))}",
        },
        {
          "!switch": {
            jq: "if .page == null then 0 else 1 end",
            cases: [
              { "!jq": `{results: .people, iterate: false, polling_state: ${last}}` },
              {
                "!jq":
                  "{results: .people, iterate: true, polling_state: {delta: ${polling_state.delta}, page: .page, seen: .seen}}",
              },
            ],
          },
        },
      ],
    },
  });

  test.each([
    ["null", "${polling_state} | {polling_state: {delta: .delta, page: null, seen: 0}}"],
    ["set in the whole state", "{polling_state: (${polling_state} + {page: null, seen: 0})}"],
  ])("is reset: %s", (_, postPoll) => {
    expect(told("polling/cut-cycle", paged(postPoll))).toHaveLength(1);
  });

  test("is kept", () => {
    const right = "${polling_state} | {polling_state: {delta: .delta, page: .page, seen: 0}}";
    expect(told("polling/cut-cycle", paged(right))).toEqual([]);
  });
});

describe("a part of the record in its place", () => {
  const history = (results: string, source: string): string[] =>
    findings("polling/history-level", "historical-sync", {
      "/data_intake/1/request": {
        "!pipe": [
          { "!http": { path: "/orders", params: { cursor: "${polling_state.cursor}" } } },
          {
            "!jq": `{results: ${results}, iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}`,
          },
        ],
      },
      "/workflows/0/data_pipeline/source": { "!jq": source },
    });

  test.each([
    [
      '[.data[] | {event: "changed", data: .attributes}]',
      ".data as $order | {id: $order.id, email: $order.attributes.email}",
    ],
    ["(.data | map({data: .attributes}))", "{email: .data.attributes.email}"],
    ["[.data[] | .attributes]", "{email: .attributes.email}"],
    [".orders | map(.fields)", ".fields | {email: .mail}"],
    ["[.entries[] as $entry | {entry: $entry.properties}]", "{email: .entry.properties.email}"],
  ])("%s", (results, source) => {
    expect(history(results, source)).toHaveLength(1);
  });

  test.each([
    ["[.data[] | {data: .}]", "{email: .data.attributes.email}"],
    ["[.data[] | {data: {attributes}}]", "{email: .data.attributes.email}"],
    ["[.data[] | .order]", "{email: .email}"],
    ["[.data[] | .data]", "{email: .data.email}"],
    ["[.data[] | {data: .attributes}]", "(.data.attributes // .data) | {email}"],
  ])("%s is right", (results, source) => {
    expect(history(results, source)).toEqual([]);
  });
});

describe("a place that each cycle forgets", () => {
  const feed = (setUp: string, read: string, close: object): Readonly<Record<string, unknown>> => ({
    initial_setup: { "!jq": `{polling_state: {since: ${setUp}}}` },
    pre_poll: undefined,
    "request/!pipe": [
      { "!http": { path: "/customers", params: { since: "${polling_state.since}" } } },
      { "!jq": `{results: .items, iterate: .has_more, polling_state: {since: ${read}}}` },
    ],
    post_poll: close,
  });
  const last = "(.items[-1].seq // ${polling_state.since})";
  const chosen = "(${custom_data.list.value} | tonumber? // 0)";
  const zero = { "!jq": "{polling_state: {since: 0}}" };
  test.each([
    ["chosen", feed(chosen, last, zero), 1],
    ["by the clock", feed("(now - 86400 | floor)", last, zero), 1],
    ["to null", feed("(now - 86400 | floor)", last, { "!jq": "{polling_state: {since: null}}" }), 1],
    ["as in the beginning", feed("0", last, zero), 0],
    ["kept", feed(chosen, last, { "!jq": "{polling_state: ${polling_state}}" }), 0],
    [
      "where something is wrong",
      feed(chosen, last, {
        "!jq":
          "{polling_state: {since: (if .polling_state.since == null then 0 else .polling_state.since end)}}",
      }),
      0,
    ],
    // A number of a page isn't what was read.
    ["a page", feed(chosen, "(${polling_state.since} + 1)", zero), 0],
    ["set back by the request", feed(chosen, "(if .has_more then .items[-1].seq else 0 end)", zero), 0],
  ])("%s", (_, commands, count) => {
    expect(told("polling/forgotten-place", commands)).toHaveLength(count);
  });
});

describe("a start that moves before everything is read", () => {
  const job = (ordered: string, read: string): Readonly<Record<string, unknown>> => ({
    initial_setup: { "!jq": "{polling_state: {mark: (now - 86400 | floor), until: 0, job: null, page: 1}}" },
    pre_poll: {
      "!switch": {
        jq: "if ${polling_state.job} == null then 0 else 1 end",
        cases: [
          {
            "!pipe": [
              { "!http": { method: "POST", path: "/jobs", body: { from: "${polling_state.mark}" } } },
              { "!jq": `{polling_state: {${ordered}, job: .id, page: 1}}` },
            ],
          },
          { "!jq": "{polling_state: ${polling_state}}" },
        ],
      },
    },
    "request/!pipe": [
      { "!http": { path: "/jobs/${polling_state.job}/rows", params: { page: "${polling_state.page}" } } },
      {
        "!jq": `(.page < .pages) as $more | {results: .rows, iterate: $more, polling_state: (\${polling_state} | if $more then .page += 1 else ${read} | .job = null end)}`,
      },
    ],
    post_poll: undefined,
  });
  test.each([
    ["with the order", job("mark: .until, until: .until", ".mark = .until"), 1],
    ["behind the last page", job("mark: ${polling_state.mark}, until: .until", ".mark = .until"), 0],
    ["with the order, on purpose", job("mark: .until, until: .until", ".page = 1"), 0],
    ["from another time", job("mark: .from, until: .until", ".mark = .until"), 0],
  ])("%s", (_, commands, count) => {
    expect(told("polling/early-watermark", commands)).toHaveLength(count);
  });

  const frozen = (going: string): Readonly<Record<string, unknown>> => ({
    initial_setup: {
      "!jq": '{polling_state: {changed_from: "2000-01-01T00:00:00Z", as_of: null, offset: 0}}',
    },
    pre_poll: undefined,
    "request/!pipe": [
      {
        "!http": {
          path: "/customers",
          params: {
            changed_from: "${polling_state.changed_from}",
            as_of: "${polling_state.as_of}",
            offset: "${polling_state.offset}",
            limit: 50,
          },
        },
      },
      {
        "!jq": `\${polling_state} as $s | ($s.offset + (.items | length)) as $offset | ($offset < .paging.total) as $more | {results: .items, iterate: $more, polling_state: (if $more then {changed_from: ${going}, as_of: .paging.as_of, $offset} else {changed_from: .paging.as_of, as_of: null, offset: 0} end)}`,
      },
    ],
    post_poll: undefined,
  });
  test.each([
    [".paging.as_of", 1],
    ["$s.changed_from", 0],
  ])("to the time of the answer: %s", (going, count) => {
    expect(told("polling/early-watermark", frozen(going))).toHaveLength(count);
  });
});

describe("polling/early-watermark of a view that the answer names", () => {
  test.each([
    ["view", ".view_id", 0],
    ["of", ".meta.snapshot_id", 0],
    ["view", ".last_id", 1],
    ["since_id", ".list_id", 1],
  ])("%s: %s", (key, value, count) => {
    const found = told("polling/early-watermark", {
      initial_setup: { "!jq": `{polling_state: {page: 1, ${key}: null}}` },
      pre_poll: undefined,
      "request/!pipe": [
        {
          "!http": {
            path: "/customers",
            params: { page: "${polling_state.page}", [key]: `\${polling_state.${key}}` },
          },
        },
        {
          "!jq": `if .page < .pages then {results: .items, iterate: true, polling_state: {page: (.page + 1), ${key}: ${value}}} else {results: .items, iterate: false, polling_state: {page: 1, ${key}: null}} end`,
        },
      ],
      post_poll: undefined,
    });
    expect(found).toHaveLength(count);
  });
});

describe("the next cycle after one that was cut, by what a comment says of it", () => {
  const window = (prePoll: string, end: string): Readonly<Record<string, unknown>> => ({
    initial_setup: {
      "!jq": "{polling_state: {from: (now - 604800 | floor), to: (now - 604800 | floor), start: 0}}",
    },
    pre_poll: { "!jq": prePoll },
    "request/!pipe": [
      {
        "!http": {
          path: "/customers",
          params: {
            from: "${polling_state.from}",
            to: "${polling_state.to}",
            start: "${polling_state.start}",
            limit: 100,
          },
        },
      },
      {
        "!jq": `\${polling_state} as $s | {results: .items, iterate: .has_more, polling_state: {from: $s.from, to: $s.to, start: (if .has_more then $s.start + 100 else ${end} end)}}`,
      },
    ],
    post_poll: undefined,
  });
  const always = ".polling_state | {polling_state: {from: .to, to: (now - 60 | floor), start: 0}}";
  test.each([
    ["a new window in each cycle", window(always, "0"), 1],
    [
      "a new window where the old one was read",
      window(
        ".polling_state | {polling_state: (if .start > 0 then . else {from: .to, to: (now - 60 | floor), start: 0} end)}",
        "0",
      ),
      0,
    ],
    ["a new window in each cycle, set back there only", window(always, "$s.start"), 1],
  ])("%s", (_, commands, count) => {
    for (const comment of [
      "A window that was cut is read on from `start`.",
      "More than 1,000 rows go on in the cycle after.",
      "A window is read to its end, over several cycles if there is much.",
    ])
      expect(told("polling/cut-cycle", { ...commands, _comment: comment })).toHaveLength(count);
    // Most windows are small.
    expect(
      told("polling/cut-cycle", { ...commands, _comment: "Windows go on where the last one ended." }),
    ).toEqual([]);
    expect(told("polling/cut-cycle", commands)).toEqual([]);
  });
});
