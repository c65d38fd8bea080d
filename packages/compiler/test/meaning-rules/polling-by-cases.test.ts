import { describe, expect, test } from "vitest";
import { inPolling } from "../support/rule-findings.ts";
import { cases, get, jq } from "../support/steps.ts";

/** What is known of a state although a customer, or the state itself, decides by which case it is made. */

const feed = (position: string, begun: unknown, ended: unknown) => ({
  initial_setup: begun,
  pre_poll: undefined,
  request: {
    _comment: "Entries with a position above after, oldest first.",
    "!pipe": [
      get("/feed", { after: "${polling_state.position}", limit: 100 }),
      jq(
        `{results: .entries, iterate: .has_more, polling_state: {position: (${position} // \${polling_state.position}), acked: \${polling_state.acked}}}`,
      ),
    ],
  },
  post_poll: ended,
});
const begun = cases(
  'if .custom_data.list.value == "all" then 0 else 1 end',
  jq("{polling_state: {position: 0, acked: 0}}"),
  { "!pipe": [get("/feed/head"), jq("{polling_state: {position: .position, acked: .position}}")] },
);
const ended = cases(
  "if .polling_state.position == .polling_state.acked then 0 else 1 end",
  jq("{polling_state: .polling_state}"),
  jq("{polling_state: {position: ${polling_state.position}, acked: ${polling_state.position}}}"),
);

describe("polling/wrong-end: the state begins and ends in one of two cases", () => {
  test.each([
    [".entries[0].position", 1],
    [".entries[-1].position", 0],
  ])("%s", (position, count) => {
    expect(inPolling("polling/wrong-end", feed(position, begun, ended))).toHaveLength(count);
  });
  test("right: a case that begins somewhere else than the other", () => {
    const back = cases(
      "if .polling_state.acked == null then 0 else 1 end",
      jq("{polling_state: {position: 0, acked: 0}}"),
      jq("{polling_state: .polling_state}"),
    );
    expect(inPolling("polling/wrong-end", feed(".entries[-1].position", begun, back))).toEqual([]);
  });
});

describe("polling/wrong-end: a time and an id that are one place", () => {
  const told = (since: string, id: string, sort?: string): string[] =>
    inPolling("polling/wrong-end", {
      initial_setup: jq('{polling_state: {since: "2020-01-01T00:00:00Z", last_id: "0"}}'),
      pre_poll: undefined,
      request: {
        _comment: sort === undefined ? "The list is sorted by (modified_at, id)." : "The samples.",
        "!pipe": [
          get("/samples", {
            modified_since: "${polling_state.since}",
            after_id: "${polling_state.last_id}",
            limit: 100,
            sort,
          }),
          jq(
            `.samples as $s | {results: $s, iterate: ($s | length == 100), polling_state: (if $s == [] then \${polling_state} else {since: ${since}, last_id: ${id}} end)}`,
          ),
        ],
      },
      post_poll: undefined,
    });
  test.each([
    ["$s[-1].modified_at", "$s[0].id", "modified_at", 1],
    ["$s[-1].modified_at", "$s[-1].id", undefined, 0],
    // The newest of a list that goes down is where the next cycle begins.
    ["$s[0].modified_at", "$s[-1].id", "-modified_at", 0],
  ])("%s and %s, sorted by %s", (since, id, sort, count) => {
    expect(told(since, id, sort)).toHaveLength(count);
  });
});

describe("polling/standing-cursor: each case begins with the same place", () => {
  const told = (first: string, second: string, moved: string): string[] =>
    inPolling("polling/standing-cursor", {
      initial_setup: cases(
        'if .custom_data.list.value == "all" then 0 else 1 end',
        jq(`{polling_state: {since: "2020-01-01T00:00:00Z", last_id: ${first}}}`),
        jq(`{polling_state: {since: (now | floor | todate), last_id: ${second}}}`),
      ),
      pre_poll: undefined,
      request: {
        "!pipe": [
          get("/samples", {
            since: "${polling_state.since}",
            after_id: "${polling_state.last_id}",
            limit: 50,
          }),
          jq(
            `.samples as $s | {results: $s, iterate: ($s | length == 50), polling_state: {since: ($s[-1].modified_at // \${polling_state.since}), last_id: ${moved}}}`,
          ),
        ],
      },
      post_poll: undefined,
    });
  test.each([
    ['"0"', '"0"', "${polling_state.last_id}", 1],
    ["null", "null", "${polling_state.last_id}", 1],
    ['"0"', '"0"', "($s[-1].id // ${polling_state.last_id})", 0],
    ['"0"', '"9000"', "${polling_state.last_id}", 0],
  ])("%s or %s, then %s", (first, second, moved, count) => {
    expect(told(first, second, moved)).toHaveLength(count);
  });
});

describe("polling/ends-early: by the token for later changes", () => {
  test.each([
    [".next_sync_token != null", 1],
    [".next_page_token != null", 0],
    [".next_sync_token == null", 0],
  ])("%s", (iterate, count) => {
    const found = inPolling("polling/ends-early", {
      initial_setup: { "!pipe": [get("/sync"), jq("{polling_state: {sync: .sync_token, page: null}}")] },
      pre_poll: undefined,
      request: {
        "!pipe": [
          get("/changes", { sync_token: "${polling_state.sync}", page_token: "${polling_state.page}" }),
          jq(
            `{results: .changes, iterate: (${iterate}), polling_state: {sync: (.next_sync_token // \${polling_state.sync}), page: .next_page_token}}`,
          ),
        ],
      },
      post_poll: undefined,
    });
    expect(found).toHaveLength(count);
  });
});

describe("polling/forgotten-key: what the end of a cycle keeps", () => {
  const told = (kept: string, taken = "{from: .polling_state.since}"): string[] =>
    inPolling("polling/forgotten-key", {
      initial_setup: jq("{polling_state: {since: (now - 86400 | floor), job: null, finished: null}}"),
      pre_poll: {
        "!pipe": [
          jq(taken),
          { "!http": { method: "POST", path: "/exports", body: "${piped_content.1}" } },
          jq("{polling_state: (${polling_state} + {job: .id, until: .until})}"),
        ],
      },
      request: {
        "!pipe": [
          get("/exports/${polling_state.job}/rows"),
          jq("{results: .rows, iterate: .has_more, polling_state: (${polling_state} + {since: .read_at})}"),
        ],
      },
      post_poll: jq(`{polling_state: (${kept})}`),
    });
  test.each([
    ["{finished: null}", undefined, 1],
    ["${polling_state} + {finished: null}", undefined, 0],
    ["{since: .polling_state.since, finished: null}", undefined, 0],
    // A key that may be missing is asked for.
    ["{finished: null}", '{from: (.polling_state.since // "start")}', 0],
  ])("%s, %s", (kept, taken, count) => {
    expect(told(kept, taken)).toHaveLength(count);
  });
});

describe("polling/empty-window: nothing opens it", () => {
  const told = (opens: string, since: string, times = "todate"): string[] =>
    inPolling("polling/empty-window", {
      initial_setup: jq(
        `(now - 86400 | floor | ${times}) as $start | {polling_state: {since: $start, until: $start, page: 1}}`,
      ),
      pre_poll: jq(
        `.polling_state | if ${opens} then .until = (now | floor | ${times}) else . end | {polling_state: .}`,
      ),
      request: {
        "!pipe": [
          get("/orders", {
            from: "${polling_state.since}",
            to: "${polling_state.until}",
            page: "${polling_state.page}",
          }),
          jq(
            `(\${polling_state.page} < .pages) as $more | {results: .orders, iterate: $more, polling_state: (\${polling_state} | if $more then .page += 1 else {since: ${since}, until: .until, page: 1} end)}`,
          ),
        ],
      },
      post_poll: undefined,
    });
  test.each([
    [".page > 1", ".until", undefined, 1],
    [".page == 1", ".until", undefined, 0],
    [".page <= 1", ".until", undefined, 0],
    // From a day to itself is a day.
    [".page > 1", ".until", 'strftime("%Y-%m-%d")', 0],
  ])("%s", (opens, since, times, count) => {
    expect(told(opens, since, times)).toHaveLength(count);
  });
});

describe("polling/lost-choice: the first request begins where it was not chosen", () => {
  const chosen = "(now - (${custom_data.list.value} | tonumber) * 86400 | floor)";
  const told = (begun: string, prepares: unknown): string[] =>
    inPolling("polling/lost-choice", {
      initial_setup: jq(`{polling_state: ${begun}}`),
      pre_poll: prepares,
      request: {
        "!pipe": [
          get("/orders", { from: "${polling_state.since}", cursor: "${polling_state.cursor}" }),
          jq(
            "{results: .orders, iterate: (.next_cursor != null), polling_state: (${polling_state} + {high: .read_at, cursor: .next_cursor})}",
          ),
        ],
      },
      post_poll: undefined,
    });
  const late = `{since: ${chosen}, high: (now | floor), cursor: null}`;
  const early = `{since: ${chosen}, high: ${chosen}, cursor: null}`;
  const moved = jq("{polling_state: (.polling_state | if .cursor == null then .since = .high else . end)}");
  const byCase = cases(
    "if .polling_state.cursor == null then 0 else 1 end",
    jq("{polling_state: (.polling_state + {since: .polling_state.high})}"),
    jq("{polling_state: .polling_state}"),
  );
  test.each([
    ["a copy of the newest", late, moved, 1],
    ["the same by a case", late, byCase, 1],
    ["the present time", late, jq("{polling_state: (.polling_state + {since: (now | floor)})}"), 1],
    ["the newest begins there too", early, moved, 0],
    ["the other end is set", late, jq("{polling_state: (.polling_state + {until: (now | floor)})}"), 0],
    [
      "only later cycles",
      late,
      jq("{polling_state: (.polling_state | if .cursor then .since = .high else . end)}"),
      0,
    ],
  ])("%s", (_, begun, prepares, count) => {
    expect(told(begun, prepares)).toHaveLength(count);
  });
});
