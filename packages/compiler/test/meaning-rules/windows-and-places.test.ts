import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";

/** Windows, tokens and receipts of polls, places in lists, and where imports end: one kind of mistake in other words, and what is right although it looks alike. */

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
