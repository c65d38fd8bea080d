import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";

/** How a cycle ends and the next one begins, written in other forms. */

const jq = (program: string) => ({ "!jq": program });

describe("polling/late-start: a token of the list before", () => {
  const told = (end: string, post = "{polling_state: (${polling_state} | del(.names))}"): string[] =>
    inPolling("polling/late-start", {
      initial_setup: jq("{polling_state: {sync_token: null, page_token: null}}"),
      pre_poll: jq("{polling_state: (${polling_state} + {names: {a: 1}})}"),
      request: {
        "!pipe": [
          {
            "!http": {
              path: "/rows",
              params: {
                sync_token: "${polling_state.sync_token}",
                page_token: "${polling_state.page_token}",
                limit: 100,
              },
            },
          },
          jq(
            `{results: .rows, iterate: (.next_page_token != null), polling_state: (\${polling_state} + (if .next_page_token == null then ${end} else {page_token: .next_page_token} end))}`,
          ),
        ],
        _comment: "Only the last page has next_sync_token.",
      },
      post_poll: jq(post),
    });

  test("is left in the state", () => {
    expect(told("{sync_token: .next_sync_token, next_token: null}")).toHaveLength(1);
    expect(told("{sync_token: .next_sync_token}")).toHaveLength(1);
    expect(told("{sync_token: .next_sync_token}", "{polling_state: ${polling_state}}")).toHaveLength(1);
  });

  test("right: is taken out", () => {
    expect(told("{sync_token: .next_sync_token, page_token: null}")).toEqual([]);
    expect(
      told("{sync_token: .next_sync_token}", "{polling_state: (${polling_state} | .page_token = null)}"),
    ).toEqual([]);
    expect(
      told(
        "{sync_token: .next_sync_token}",
        "{polling_state: (${polling_state} | del(.page_token, .names))}",
      ),
    ).toEqual([]);
  });

  test("right: of a feed the last token is the place to go on from", () => {
    expect(told("{seen: true}")).toEqual([]);
  });
});

describe("polling/late-start: a page that is counted on in place", () => {
  const told = (page: string, step = ".page += 1"): string[] =>
    inPolling("polling/late-start", {
      initial_setup: jq("{polling_state: {job: null, page: 1}}"),
      pre_poll: {
        "!pipe": [
          { "!http": { method: "POST", path: "/jobs" } },
          jq(`{polling_state: {job: .id, page: ${page}}}`),
        ],
      },
      request: {
        "!pipe": [
          { "!http": { path: "/jobs/${polling_state.job}/rows", params: { page: "${polling_state.page}" } } },
          jq(`{results: .rows, iterate: (.page < .pages), polling_state: (\${polling_state} | ${step})}`),
        ],
      },
      post_poll: undefined,
    });

  test("and stays for the next list", () => {
    expect(told("${polling_state.page}")).toHaveLength(1);
    expect(told('"${polling_state.page}"')).toHaveLength(1);
    expect(told("${polling_state.page}", ".page = ${polling_state.page} + 1")).toHaveLength(1);
  });

  test("right: begins again", () => {
    expect(told("1")).toEqual([]);
    expect(told("${polling_state.page}", ".page = 1")).toEqual([]);
  });
});

const window = (post: string, done = "done: ($next >= .total)") => ({
  initial_setup: jq("{polling_state: {since: (now - 86400 | floor), until: 1, offset: 0, done: true}}"),
  pre_poll: jq(
    ".polling_state | {polling_state: (if .done then . + {until: (now - 60 | floor), offset: 0, done: false} else . end)}",
  ),
  request: {
    "!pipe": [
      {
        "!http": {
          path: "/rows",
          params: {
            from: "${polling_state.since}",
            to: "${polling_state.until}",
            offset: "${polling_state.offset}",
            limit: 200,
          },
        },
      },
      jq(
        `(\${polling_state.offset} + (.rows | length)) as $next | {results: .rows, iterate: ($next < .total), polling_state: (\${polling_state} + {offset: $next, ${done}})}`,
      ),
    ],
  },
  post_poll: jq(post),
});

describe("polling/cut-cycle: a count stands in another window", () => {
  const told = (post: string): string[] => inPolling("polling/cut-cycle", window(post));

  test("the start moves in each cycle", () => {
    expect(told(".polling_state | {polling_state: (. + {since: .until})}")).toHaveLength(1);
    expect(
      told(".polling_state | {polling_state: (if .until != null then . + {since: .until} else . end)}"),
    ).toHaveLength(1);
    expect(told("{polling_state: (${polling_state} + {since: ${polling_state.until}})}")).toHaveLength(1);
  });

  test("right: only behind the last page", () => {
    expect(told(".polling_state | {polling_state: (if .done then . + {since: .until} else . end)}")).toEqual(
      [],
    );
    expect(
      told(
        "{polling_state: (${polling_state} + (if ${polling_state.done} then {since: ${polling_state.until}} else {} end))}",
      ),
    ).toEqual([]);
  });
});

describe("polling/idle-key: a flag that is lowered and never asked for", () => {
  const told = (asked: string, lowered = "done: false"): string[] =>
    inPolling("polling/idle-key", {
      initial_setup: jq(
        "{polling_state: {since: (now - 86400 | floor | todate), list: null, row: 0, done: false}}",
      ),
      pre_poll: {
        "!switch": {
          jq: "if .polling_state.list == null then 0 else 1 end",
          cases: [
            {
              "!pipe": [
                { "!http": { method: "POST", path: "/lists", body: { from: "${polling_state.since}" } } },
                jq(`{polling_state: {since: \${polling_state.since}, list: .id, row: 0, ${lowered}}}`),
              ],
            },
            jq("{polling_state: .polling_state}"),
          ],
        },
      },
      request: {
        "!pipe": [
          {
            "!http": { path: "/lists/${polling_state.list}/rows", params: { skip: "${polling_state.row}" } },
          },
          jq(
            "(${polling_state.row} + (.rows | length)) as $row | {results: .rows, iterate: ($row < .total), polling_state: (${polling_state} + {row: $row, done: ($row >= .total)})}",
          ),
        ],
      },
      post_poll: {
        "!switch": {
          jq: `if ${asked} then 0 else 1 end`,
          cases: [
            jq("{polling_state: {since: ${polling_state.since}, list: null, row: 0, done: false}}"),
            jq("{polling_state: .polling_state}"),
          ],
        },
      },
    });

  test("another key is asked for instead", () => {
    expect(told(".polling_state.list != null")).toEqual(["($row >= .total)"]);
    expect(told(".polling_state.row > 0")).toEqual(["($row >= .total)"]);
    expect(told("${polling_state.list} != null")).toEqual(["($row >= .total)"]);
  });

  test("right: it is asked for", () => {
    expect(told(".polling_state.done")).toEqual([]);
    expect(told("${polling_state.done}")).toEqual([]);
    expect(told(".polling_state.done and .polling_state.row > 0")).toEqual([]);
  });
});

describe("polling/clock-watermark: lists that come late, in other words", () => {
  const told = (comment: string, until: string, name = "to"): string[] =>
    findings("polling/clock-watermark", "inbound-polling", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/initial_setup": jq(
        "{polling_state: {since: (now - 86400 | floor | todate), until: null, page: 1}}",
      ),
      "/data_intake/0/pre_poll": jq(
        `{polling_state: (.polling_state | if .page == 1 then .until = ${until} else . end)}`,
      ),
      "/data_intake/0/request": {
        "!pipe": [
          {
            "!http": {
              path: "/rows",
              params: {
                from: "${polling_state.since}",
                [name]: "${polling_state.until}",
                page: "${polling_state.page}",
              },
            },
          },
          jq(
            "${polling_state} as $s | (.page < .pages) as $more | {results: .rows, iterate: $more, polling_state: (if $more then $s + {page: ($s.page + 1)} else {since: $s.until, until: null, page: 1} end)}",
          ),
        ],
      },
      "/data_intake/0/post_poll": undefined,
    });
  const now = "(now | floor | todate)";
  const back = "(now - 120 | floor | todate)";

  test("a window that ends now", () => {
    expect(told("A row shows up within a minute of its time.", `([.since, ${now}] | max)`)).toHaveLength(1);
    expect(told("A change takes up to two minutes to show.", now, "as_of")).toHaveLength(1);
    expect(told("A change takes two minutes to be listed.", now)).toHaveLength(1);
  });

  test("right: it ends as long ago", () => {
    expect(told("A row shows up within a minute of its time.", `([.since, ${back}] | max)`)).toEqual([]);
    expect(told("A change takes up to two minutes to show.", back, "as_of")).toEqual([]);
    expect(told("It takes two minutes to read the list.", now)).toEqual([]);
  });
});

describe("jq/object-as-value: the place to go on from", () => {
  const told = (after: string, iterate: string): string[] =>
    inPolling("jq/object-as-value", {
      initial_setup: jq("{polling_state: {after: null}}"),
      pre_poll: undefined,
      request: {
        "!pipe": [
          { "!http": { path: "/rows", params: { after: "${polling_state.after}" } } },
          jq(`.meta as $meta | {results: .rows, iterate: ${iterate}, polling_state: {after: ${after}}}`),
        ],
      },
      post_poll: undefined,
    });

  test("is an object", () => {
    expect(told(".page", "(.page.next != null)")).toEqual([".page"]);
    expect(told("$meta", "($meta.next != null)")).toEqual(["$meta"]);
    expect(told(".list.page", "(.list.page.next != null)")).toEqual([".list.page"]);
  });

  test("right: is one value", () => {
    expect(told(".page.next", "(.page.next != null)")).toEqual([]);
    expect(told("$meta.next", "($meta.next != null)")).toEqual([]);
    expect(told(".next", "(.next != null)")).toEqual([]);
  });
});
