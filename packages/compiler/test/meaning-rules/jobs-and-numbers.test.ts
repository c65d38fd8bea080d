import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";

/** What a state keeps of exports, windows and numbers: the same kind of mistake in other words, and what is right although it looks alike. */

const jq = (program: string) => ({ "!jq": program });

/** An intake that orders an export, reads its pages, and deletes it. */
const exported = ({
  asked = "since",
  order = jq("{polling_state: .}"),
  condition = 'if .export == "" then 0 else 1 end',
  request = "{results: .items, iterate: (${polling_state.page} < ${polling_state.pages}), polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}",
  method = "DELETE",
  closed = '{since: ${polling_state.taken}, export: "", taken: "", page: 1, pages: 0}',
  setup = '{since: (now - 86400 | todate), export: "", taken: "", page: 1, pages: 0}',
}: {
  asked?: string;
  order?: object;
  condition?: string;
  request?: string;
  method?: string;
  closed?: string;
  setup?: string;
} = {}) => ({
  initial_setup: jq(`{polling_state: ${setup}}`),
  pre_poll: {
    "!pipe": [
      jq("${polling_state}"),
      {
        "!switch": {
          jq: condition,
          cases: [
            {
              "!pipe": [
                {
                  "!http": {
                    method: "POST",
                    path: "/exports",
                    body: { kind: "gifts", changed_since: `\${polling_state.${asked}}` },
                  },
                },
                jq(
                  "{polling_state: {since: ${polling_state.since}, export: .id, taken: .taken_at, page: 1, pages: .page_count}}",
                ),
              ],
            },
            order,
          ],
        },
      },
    ],
  },
  request: {
    "!pipe": [
      { "!http": { path: "/exports/${polling_state.export}/pages/${polling_state.page}" } },
      jq(request),
    ],
  },
  post_poll: {
    "!pipe": [
      jq("${polling_state}"),
      {
        "!switch": {
          jq: "if .page > .pages then 0 else 1 end",
          cases: [
            {
              "!pipe": [
                { "!http": { method, path: "/exports/${polling_state.export}" } },
                jq(`{polling_state: ${closed}}`),
              ],
            },
            jq("{polling_state: .}"),
          ],
        },
      },
    ],
  },
});

describe("polling/kept-deleted", () => {
  const told = (...given: Parameters<typeof exported>): string[] =>
    inPolling("polling/kept-deleted", exported(...given));

  test.each([
    ['{since: ${polling_state.taken}, export: ${polling_state.export}, taken: "", page: 1, pages: 0}'],
    ["(${polling_state} + {since: ${polling_state.taken}, export: ${polling_state.export}, page: 1})"],
    ["(${polling_state} | .export = ${polling_state.export} | .page = 1)"],
  ])("%s", (closed) => {
    expect(told({ closed })).toEqual(["${polling_state.export}"]);
  });

  test("with the rest of the state", () => {
    const closed = "(${polling_state} + {since: ${polling_state.taken}, page: 1})";
    expect(told({ closed })).toEqual(["{since: ${polling_state.taken}, page: 1}"]);
  });

  test("right", () => {
    expect(told()).toEqual([]);
    expect(told({ closed: "(${polling_state} + {export: null, page: 1})" })).toEqual([]);
    // It only asks for it.
    const kept = "(${polling_state} + {since: ${polling_state.taken}, page: 1})";
    expect(told({ method: "GET", closed: kept })).toEqual([]);
  });

  test("right: each cycle orders a new one", () => {
    const { pre_poll: _, ...others } = exported({ closed: "(${polling_state} + {page: 1})" });
    const pre_poll = {
      "!pipe": [
        { "!http": { method: "POST", path: "/exports" } },
        jq("{polling_state: (${polling_state} + {export: .id, page: 1})}"),
      ],
    };
    expect(inPolling("polling/kept-deleted", { ...others, pre_poll })).toEqual([]);
  });
});

describe("polling/empty-there", () => {
  const told = (...given: Parameters<typeof exported>): string[] =>
    inPolling("polling/empty-there", exported(...given));

  test.each([
    ['if .export == "" then 0 else 1 end'],
    ['if .export != "" then 1 else 0 end'],
    ['if ${polling_state.export} == "" then 0 else 1 end'],
    ['if (.export // "") == "" then 0 else 1 end'],
  ])("%s", (condition) => {
    expect(told({ asked: "taken", condition })).toEqual(["taken"]);
    expect(told({ asked: "since", condition })).toEqual([]);
  });

  test("right: it stays there", () => {
    const closed =
      '{since: ${polling_state.taken}, export: "", taken: ${polling_state.taken}, page: 1, pages: 0}';
    expect(told({ asked: "taken", closed })).toEqual([]);
  });

  test("right: it begins with a value", () => {
    const setup = '{since: (now - 86400 | todate), export: "", taken: "2026-01-01", page: 1, pages: 0}';
    expect(told({ asked: "taken", setup })).toEqual([]);
  });

  test("right: a cursor may be missing where the time beside it is there", () => {
    const told = (cursor: string): string[] =>
      inPolling("polling/empty-there", {
        initial_setup: jq('{polling_state: {cursor: "", since: ""}}'),
        pre_poll: jq("{polling_state: ${polling_state}}"),
        request: {
          "!pipe": [
            jq("${polling_state}"),
            {
              "!switch": {
                jq: 'if .cursor == "" then 0 else 1 end',
                cases: [
                  { "!http": { path: "/rows", params: { since: "${polling_state.since}" } } },
                  { "!http": { path: "/rows", params: { cursor: "${polling_state.cursor}" } } },
                ],
              },
            },
            jq(`{results: .rows, iterate: .more, polling_state: {cursor: ${cursor}, since: .taken_at}}`),
          ],
        },
        post_poll: jq("{polling_state: ${polling_state}}"),
      });
    expect(told('(.next // "")')).toEqual([]);
    expect(told(".next")).toEqual([]);
  });

  test("right: nothing may be there", () => {
    expect(told({ asked: "taken | default" })).toEqual([]);
  });
});

describe("polling/clock-watermark", () => {
  test("a state that a step hands on to a `!switch`", () => {
    const closed = '{since: (now | todate), export: "", taken: "", page: 1, pages: 0}';
    expect(inPolling("polling/clock-watermark", exported({ closed }))).toEqual(["(now | todate)"]);
    expect(inPolling("polling/clock-watermark", exported())).toEqual([]);
  });
});

describe("polling/numbers-with-gaps", () => {
  const told = (comment: string, seq: string, param = "after"): string[] =>
    findings("polling/numbers-with-gaps", "inbound-polling", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/initial_setup": jq("{polling_state: {seq: 0}}"),
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
      "/data_intake/0/request/!pipe": [
        { "!http": { path: "/entries", params: { [param]: "${polling_state.seq}", limit: 50 } } },
        jq(`\${polling_state} as $s | {results: .items, iterate: .more, polling_state: {seq: ${seq}}}`),
      ],
    });
  const counted = "$s.seq + (.items | length)";

  test.each([
    ["Numbers only grow, with gaps: all centres share them."],
    ["The numbers of entries have gaps."],
    ["seq grows, but there may be gaps, as numbers aren't consecutive."],
    ["Sequence numbers are not consecutive."],
  ])("%s", (comment) => {
    expect(told(comment, `(${counted})`)).toEqual([counted]);
  });

  test.each([
    ["(if .more then $s.seq + (.items | length) else $s.seq end)", [counted]],
    ["((.items | length) as $n | $s.seq + $n)", ["(.items | length) as $n | $s.seq + $n"]],
    ["($s.seq + 50)", ["$s.seq + 50"]],
    ["(.items[-1].seq // $s.seq)", []],
    ["($s.seq + (.items[-1].seq // 0))", []],
  ])("%s", (seq, at) => {
    expect(told("Numbers have gaps.", seq)).toEqual(at);
  });

  test("right", () => {
    expect(told("Numbers have no gaps.", `(${counted})`)).toEqual([]);
    expect(told("Numbers grow without gaps.", `(${counted})`)).toEqual([]);
    expect(told("Numbers never have gaps.", `(${counted})`)).toEqual([]);
    expect(told("Numbers only grow.", `(${counted})`)).toEqual([]);
    expect(told("Numbers have gaps.", `(${counted})`, "offset")).toEqual([]);
  });
});
