import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";

/** Windows, tokens and receipts of polls, and where lists end: one kind of mistake in other words, and what is right although it looks alike. */

type Commands = Readonly<Record<string, unknown>>;

const get = (params: Readonly<Record<string, unknown>>): unknown => ({
  "!http": { path: "/rows", params: { limit: 100, ...params } },
});

/** A poll in windows, with a token that goes through the pages of one. */
const windows = (more: Commands = {}): Commands => ({
  initial_setup: {
    "!jq":
      "((now - 86400) * 1000 | floor) as $start | {polling_state: {from: $start, to: $start, key: null}}",
  },
  pre_poll: {
    "!jq":
      ".polling_state as $s | {polling_state: (if $s.key == null then $s + {to: ((now - 300) * 1000 | floor)} else $s end)}",
  },
  request: {
    "!pipe": [
      get({
        changed_from: "${polling_state.from}",
        changed_to: "${polling_state.to}",
        page_key: "${polling_state.key}",
      }),
      {
        "!jq":
          "${polling_state} as $s | {results: .rows, iterate: (.next_key != null), polling_state: (if .next_key != null then $s + {key: .next_key} else $s + {from: $s.to, key: null} end)}",
      },
    ],
  },
  post_poll: { "!jq": "{polling_state: ${polling_state}}" },
  ...more,
});
const prePoll = (program: string): Commands => windows({ pre_poll: { "!jq": program } });
const tied = { _comment: "A key goes with the window that it was made for." };

describe("a place after a cycle that was cut", () => {
  test.each([
    [
      "in pre_poll",
      prePoll("{polling_state: (${polling_state} + {to: ((now - 300) * 1000 | floor), key: null})}"),
    ],
    [
      "with assignments",
      prePoll("${polling_state} | .to = ((now - 300) * 1000 | floor) | .key = null | {polling_state: .}"),
    ],
    ["in post_poll", windows({ post_poll: { "!jq": "{polling_state: (${polling_state} + {key: null})}" } })],
    [
      "in post_poll, by all names",
      windows({
        post_poll: {
          "!jq": "{polling_state: {from: ${polling_state.from}, to: ${polling_state.to}, key: null}}",
        },
      }),
    ],
    [
      "the window moves away",
      { ...prePoll("{polling_state: (${polling_state} + {to: ((now - 300) * 1000 | floor)})}"), ...tied },
    ],
    [
      "the window moves away, by all names",
      {
        ...prePoll(
          "{polling_state: {from: ${polling_state.from}, to: ((now - 300) * 1000 | floor), key: ${polling_state.key}}}",
        ),
        _comment: "A window that a cycle couldn't finish (1,000 results) is carried on.",
      },
    ],
  ])("is lost: %s", (_, commands) => {
    expect(inPolling("polling/cut-cycle", commands)).toHaveLength(1);
  });

  test.each([
    ["is kept", windows()],
    [
      "is kept by a condition the other way round",
      prePoll(
        ".polling_state as $s | {polling_state: (if $s.key != null then $s else ($s | .to = ((now - 300) * 1000 | floor)) end)}",
      ),
    ],
    [
      "is dropped where the window is",
      prePoll(
        ".polling_state as $s | {polling_state: (if $s.key == null then $s + {to: ((now - 300) * 1000 | floor), key: null} else $s end)}",
      ),
    ],
    [
      "the window moves, and nothing says that the key is of it alone",
      prePoll("{polling_state: (${polling_state} + {to: ((now - 300) * 1000 | floor)})}"),
    ],
    [
      "a list that is read anew each time",
      {
        initial_setup: { "!jq": "{polling_state: {key: null}}" },
        pre_poll: { "!jq": "{polling_state: {key: null}}" },
        request: {
          "!pipe": [
            get({ page_key: "${polling_state.key}" }),
            { "!jq": "{results: .rows, iterate: (.next_key != null), polling_state: {key: .next_key}}" },
          ],
        },
        post_poll: undefined,
      },
    ],
  ])("nothing is told: %s", (_, commands) => {
    expect(inPolling("polling/cut-cycle", commands)).toEqual([]);
  });

  const history = (commands: Commands): string[] =>
    findings(
      "polling/cut-cycle",
      "historical-sync",
      Object.fromEntries(Object.entries(commands).map(([name, json]) => [`/data_intake/1/${name}`, json])),
    );
  const byId = (setup: string): Commands => ({
    initial_setup: { "!jq": setup },
    request: {
      "!pipe": [
        { "!http": { path: "/orders", params: { after_id: "${polling_state.after}" } } },
        {
          "!jq":
            "{results: .orders, iterate: (.left > 0), polling_state: (${polling_state} + {after: ((.orders | last | .id) // ${polling_state.after})})}",
        },
      ],
    },
  });

  test("an import begins again in each cycle", () => {
    const setup = "{polling_state: {after: 0}}";
    expect(history({ ...byId(setup), pre_poll: { "!jq": setup } })).toHaveLength(1);
    expect(history({ ...byId(setup), post_poll: { "!jq": "{polling_state: {after: 0}}" } })).toHaveLength(1);
    expect(history(byId(setup))).toEqual([]);
    expect(
      history({ ...byId(setup), pre_poll: { "!jq": "{polling_state: {after: ${polling_state.after}}}" } }),
    ).toEqual([]);
    expect(
      history({
        ...byId("{polling_state: {after: 0, cycles: 0}}"),
        pre_poll: { "!jq": "{polling_state: (${polling_state} + {cycles: 0})}" },
      }),
    ).toEqual([]);
  });
});

describe("receipts", () => {
  const receipt = (http: unknown, comment?: string): Commands =>
    windows({
      post_poll: {
        ...(comment === undefined ? {} : { _comment: comment }),
        "!pipe": [{ "!http": http }, { "!jq": "{polling_state: ${polling_state}}" }],
      },
    });

  test.each([
    [
      "by the path",
      receipt({ method: "PUT", path: "/rows/receipt", body: { time: "${polling_state.to}" } }),
      "to",
    ],
    [
      "by the name",
      receipt({ method: "POST", path: "/rows/state", body: { processedUntil: "${polling_state.to}" } }),
      "to",
    ],
    ["in the path", receipt({ method: "POST", path: "/rows/ack/${polling_state.to}" }), "to"],
    [
      "by a comment",
      receipt(
        { method: "DELETE", path: "/rows", params: { older: "${polling_state.to}" } },
        "The service discards rows before it.",
      ),
      "to",
    ],
  ])("a receipt for what may not be read: %s", (_, commands, marked) => {
    expect(inPolling("polling/early-receipt", commands)).toEqual([marked]);
  });

  test.each([
    ["the start", receipt({ method: "PUT", path: "/rows/receipt", body: { time: "${polling_state.from}" } })],
    ["a note", receipt({ method: "POST", path: "/notes", body: { window: "${polling_state.to}" } })],
    [
      "a request that changes nothing",
      receipt({ path: "/rows/receipt", params: { time: "${polling_state.to}" } }),
    ],
    [
      "only where all was read",
      windows({
        post_poll: {
          "!switch": {
            jq: "if ${polling_state.key} == null then 0 else 1 end",
            cases: [
              {
                "!pipe": [
                  {
                    "!http": { method: "PUT", path: "/rows/receipt", body: { time: "${polling_state.to}" } },
                  },
                  { "!jq": "{polling_state: ${polling_state}}" },
                ],
              },
              { "!jq": "{polling_state: ${polling_state}}" },
            ],
          },
        },
      }),
    ],
  ])("nothing is told: %s", (_, commands) => {
    expect(inPolling("polling/early-receipt", commands)).toEqual([]);
  });
});

describe("a window that ends before rows are shown", () => {
  const clocked = (comment: string, end: string): Commands => ({
    ...windows({
      initial_setup: {
        "!pipe": [
          { "!http": { path: "/clock" } },
          { "!jq": "{polling_state: {from: (.epochMillis - 86400000), to: null, key: null}}" },
        ],
      },
      pre_poll: {
        "!pipe": [
          { "!http": { path: "/clock" } },
          {
            "!jq": `.epochMillis as $clock | \${polling_state} | {polling_state: (if .key == null then .to = ${end} else . end)}`,
          },
        ],
      },
    }),
    _comment: comment,
  });

  test.each([
    ["Rows show up to 2 min late.", "$clock"],
    ["Rows appear up to 90 s after the change.", "($clock)"],
    ["A row becomes visible two minutes later.", "$clock"],
  ])("is told: %s", (comment, end) => {
    expect(inPolling("polling/clock-watermark", clocked(comment, end))).toHaveLength(1);
  });

  test.each([
    ["Rows show up to 2 min late.", "($clock - 120000)"],
    ["Rows show up to half a minute late.", "($clock - 30000)"],
    ["A page has up to 2 min of rows.", "$clock"],
    ["Rows are shown at once.", "$clock"],
  ])("nothing is told: %s", (comment, end) => {
    expect(inPolling("polling/clock-watermark", clocked(comment, end))).toEqual([]);
  });
});

describe("where a list ends", () => {
  const ended = (condition: string, iterate = "(.next_key != null)"): Commands =>
    windows({
      request: {
        "!pipe": [
          get({
            changed_from: "${polling_state.from}",
            changed_to: "${polling_state.to}",
            page_key: "${polling_state.key}",
          }),
          {
            "!jq": `\${polling_state} as $s | {results: .rows, iterate: ${iterate}, polling_state: (if ${condition} then {from: $s.to, to: $s.to, key: null} else $s + {key: .next_key} end)}`,
          },
        ],
      },
    });

  test.each([
    ["(.rows | length) < 100"],
    ["(.rows|length) != 100"],
    ["(.rows | length) < 100 or .next_key == null"],
  ])("the state ends it by the length: %s", (condition) => {
    expect(inPolling("polling/other-end", ended(condition))).toHaveLength(1);
  });

  test.each([
    [".next_key == null", undefined],
    ["(.rows | length) == 0", undefined],
    ["(.rows | length) < 100", "((.rows | length) == 100)"],
    ["(.rows | length) < 100 and .next_key == null", undefined],
  ])("nothing is told: %s", (condition, iterate) => {
    expect(inPolling("polling/other-end", ended(condition, iterate))).toEqual([]);
  });

  test("a token that is kept where the window moves", () => {
    const last = (value: string): Commands => ({
      initial_setup: { "!jq": "{polling_state: {since: (now - 86400 | floor | todate), cursor: null}}" },
      pre_poll: undefined,
      post_poll: undefined,
      request: {
        "!pipe": [
          get({ updated_after: "${polling_state.since}", cursor: "${polling_state.cursor}" }),
          {
            "!jq": `\${polling_state} as $s | {results: .rows, iterate: .has_more, polling_state: (if .has_more then {since: $s.since, cursor: .next_cursor} else {since: ((.rows | last | .updated_at) // $s.since), cursor: ${value}} end)}`,
          },
        ],
      },
    });
    expect(inPolling("polling/late-start", last("$s.cursor"))).toHaveLength(1);
    expect(inPolling("polling/late-start", last("null"))).toEqual([]);
    expect(inPolling("polling/late-start", last(".next_cursor"))).toEqual([]);
  });
});
