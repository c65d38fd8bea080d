import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";

/** Ends of windows and of pages, secrets that a change renews, and hashes that nothing compares. */

const jq = (program: string) => ({ "!jq": program });

const window = {
  initial_setup: jq("{polling_state: {from: (now - 86400 | floor), until: null, offset: 0, done: false}}"),
  pre_poll: jq(
    ".polling_state | {polling_state: {from: .from, until: (.until // (now - 60 | floor)), offset: .offset, done: false}}",
  ),
  post_poll: jq(
    ".polling_state | if .done then {polling_state: {from: .until, until: null, offset: 0, done: false}} else {polling_state: .} end",
  ),
};
const asked = (params: object, state: string) => ({
  "!pipe": [
    { "!http": { path: "/orders", params: { offset: "${polling_state.offset}", limit: 100, ...params } } },
    jq(
      `(\${polling_state.offset} + (.items | length)) as $next | ($next < .total) as $more | {results: .items, iterate: $more, polling_state: ${state}}`,
    ),
  ],
});
const bounds = { changed_from: "${polling_state.from}", changed_before: "${polling_state.until}" };
const kept =
  "{from: ${polling_state.from}, until: ${polling_state.until}, offset: $next, done: ($more | not)}";

describe("polling/early-watermark: a key in quotes", () => {
  const closing = {
    initial_setup: jq(
      "(now - 86400 | floor | todate) as $start | {polling_state: {from: $start, until: $start, offset: 0}}",
    ),
    pre_poll: jq(
      "if .polling_state.offset == 0 then {polling_state: (.polling_state + {until: (now - 60 | floor | todate)})} else {polling_state: .polling_state} end",
    ),
    post_poll: undefined,
  };
  const told = (from: string): string[] =>
    inPolling("polling/early-watermark", {
      ...closing,
      request: asked(
        bounds,
        `(if $more then {from: ${from}, until: "\${polling_state.until}", offset: $next} else {from: "\${polling_state.until}", until: "\${polling_state.until}", offset: 0} end)`,
      ),
    });

  test("the end of the window", () => {
    expect(told('"${polling_state.until}"')).toEqual(['"${polling_state.until}"']);
    expect(told("${polling_state.until}")).toEqual(["${polling_state.until}"]);
  });

  test("right: its start, in quotes or not", () => {
    expect(told('"${polling_state.from}"')).toEqual([]);
    expect(told("${polling_state.from}")).toEqual([]);
  });
});

describe("polling/mixed-kinds: what was there, or else a new end", () => {
  const told = (until: string): string[] =>
    inPolling("polling/mixed-kinds", {
      ...window,
      pre_poll: jq(
        `.polling_state | {polling_state: {from: .from, until: (.until // ${until}), offset: .offset, done: false}}`,
      ),
      request: asked(bounds, kept),
    });

  test("a date", () => {
    expect(told("(now - 60 | todate)")).toEqual(["(.until // (now - 60 | todate))"]);
    expect(told("((now - 60) * 1000 | floor)")).toEqual(["(.until // ((now - 60) * 1000 | floor))"]);
  });

  test("right: seconds", () => {
    expect(told("(now - 60 | floor)")).toEqual([]);
    expect(told("(now | . - 60)")).toEqual([]);
  });
});

describe("polling/mixed-ends: through a step before the request", () => {
  const told = (until: string): string[] =>
    inPolling("polling/mixed-ends", {
      initial_setup: jq("{polling_state: {from: (now - 86400 | floor), to: null, page: 1}}"),
      pre_poll: jq(`.polling_state | if .to == null then .to = ${until} else . end | {polling_state: .}`),
      request: {
        "!pipe": [
          jq('.polling_state + {shops: ("${custom_data.list.value}" | split(","))}'),
          {
            "!http": {
              path: "/alarms",
              params: {
                raised_from: "${piped_content.1.from}",
                raised_before: "${piped_content.1.to}",
                page: "${piped_content.1.page}",
                limit: 100,
              },
            },
          },
          jq(
            "${piped_content.1} as $s | (.page < .pages) as $more | {results: .alarms, iterate: $more, polling_state: (if $more then {from: $s.from, to: $s.to, page: ($s.page + 1)} else {from: $s.to, to: null, page: 1} end)}",
          ),
        ],
      },
      post_poll: undefined,
    });

  test("a date and a number", () => {
    expect(told('(now - 60 | strftime("%Y-%m-%dT%H:%M:%SZ"))')).toEqual(["${piped_content.1.from}"]);
    expect(told("((now - 60) * 1000 | floor)")).toEqual(["${piped_content.1.from}"]);
  });

  test("right: both in seconds", () => {
    expect(told("(now - 60 | floor)")).toEqual([]);
  });
});

describe("polling/idle-key", () => {
  const told = (params: object, post: object = window.post_poll, state = kept): string[] =>
    inPolling("polling/idle-key", { ...window, request: asked(params, state), post_poll: post });
  const acknowledged = {
    "!pipe": [
      { "!http": { method: "PUT", path: "/mark", body: { exported_before: "${polling_state.from}" } } },
      jq("{polling_state: ${polling_state}}"),
    ],
  };
  const closed =
    "(if $more then ${polling_state} + {offset: $next} else {from: ${polling_state.until}, until: null, offset: 0, done: true} end)";

  test("the start of a window isn't sent", () => {
    expect(told({ changed_before: "${polling_state.until}" })).toHaveLength(1);
    expect(told({ changed_before: "${polling_state.until}" }, acknowledged, closed)).toHaveLength(1);
  });

  test("right: it is", () => {
    expect(told(bounds)).toEqual([]);
    expect(told(bounds, acknowledged, closed)).toEqual([]);
  });

  test("right: only a log shows it", () => {
    const shown = (text: string): string[] =>
      inPolling("polling/idle-key", {
        initial_setup: jq("{polling_state: {page: 1, seen: 0}}"),
        pre_poll: undefined,
        request: {
          "!pipe": [
            { "!http": { path: "/orders", params: { page: "${polling_state.page}" } } },
            jq(
              "{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), seen: (${polling_state.seen} + (.items | length))}}",
            ),
            { "!print_c": text },
          ],
        },
        post_poll: undefined,
      });
    expect(shown("Orders so far: ${piped_content.2.polling_state.seen}")).toEqual([]);
    expect(shown("A page was read.")).toHaveLength(1);
  });
});

describe("polling/wrong-end: beside what a customer chose", () => {
  const told = (
    last: string,
    kinds = '(${custom_data.list.value} | split(",") | map(ltrimstr("a.")) | join(","))',
  ): string[] =>
    inPolling("polling/wrong-end", {
      initial_setup: jq("{polling_state: {after: 0}}"),
      pre_poll: undefined,
      request: {
        "!pipe": [
          jq(`{kinds: ${kinds}}`),
          {
            "!http": {
              path: "/rows",
              params: {
                kinds: "${piped_content.1.kinds}",
                after: "${polling_state.after}",
                sort: "id",
                limit: 50,
              },
            },
          },
          jq(
            `.rows as $rows | {results: $rows, iterate: (($rows | length) == 50), polling_state: {after: (${last} // \${polling_state.after})}}`,
          ),
        ],
      },
      post_poll: undefined,
    });

  test("the first row", () => {
    expect(told("$rows[0].id")).toEqual(["$rows[0].id"]);
    expect(told("$rows[0].id", '"${custom_data.list.value}"')).toEqual(["$rows[0].id"]);
  });

  test("right: the last row, or another step that tells pages apart", () => {
    expect(told("$rows[-1].id")).toEqual([]);
    expect(told("$rows[0].id", '(if ${polling_state.after} == 0 then "a" else "b" end)')).toEqual([]);
  });
});

describe("polling/wrong-end: OData", () => {
  const told = (newest: string): string[] =>
    inPolling("polling/wrong-end", {
      initial_setup: jq("{polling_state: {mark: (now - 86400 | floor | todate), newest: null, token: null}}"),
      pre_poll: undefined,
      request: {
        "!pipe": [
          {
            "!http": {
              path: "/Contacts",
              params: {
                $filter: "ModifiedAt ge ${polling_state.mark}",
                $orderby: "ModifiedAt asc",
                $skiptoken: "${polling_state.token}",
              },
            },
          },
          jq(
            `(.["@odata.nextLink"] // "" | split("skiptoken=")[1]) as $token | {results: .value, iterate: ($token != null), polling_state: {mark: \${polling_state.mark}, newest: (${newest} // \${polling_state.newest}), token: $token}}`,
          ),
        ],
      },
      post_poll: jq(
        "{polling_state: (if ${polling_state.token} == null and ${polling_state.newest} != null then {mark: ${polling_state.newest}, newest: null, token: null} else ${polling_state} end)}",
      ),
    });

  test("the first record has the earliest time", () => {
    expect(told(".value[0].ModifiedAt")).toHaveLength(1);
    expect(told("(.value | first | .ModifiedAt)")).toHaveLength(1);
  });

  test("right: the last one, or the greatest", () => {
    expect(told(".value[-1].ModifiedAt")).toEqual([]);
    expect(told("([.value[].ModifiedAt] | max)")).toEqual([]);
  });
});

describe("polling/dropped-key: no state on one way", () => {
  const told = (program: string): string[] =>
    inPolling("polling/dropped-key", {
      initial_setup: { "!pipe": [{ "!http": { path: "/feed/bounds" } }, jq(program)] },
      pre_poll: undefined,
      request: {
        "!pipe": [
          { "!http": { path: "/feed", params: { after: "${polling_state.after}" } } },
          jq(
            "{results: .items, iterate: .has_more, polling_state: {after: (.items[-1].seq // ${polling_state.after})}}",
          ),
        ],
      },
      post_poll: undefined,
    });
  const all = 'if "${custom_data.list.value}" == "all" then {polling_state: {after: .oldest}}';

  test("an object without a state", () => {
    expect(told(`${all} else {} end`)).toEqual(["{}"]);
    expect(told(`${all} else {polling_state: {}} end`)).toEqual(["{}"]);
    expect(told(`${all} else {start: .newest} end`)).toEqual(["{start: .newest}"]);
  });

  test("right: a state on both ways, or none that can be", () => {
    expect(told(`${all} else {polling_state: {after: .newest}} end`)).toEqual([]);
    expect(told(`${all} else error("No list.") end`)).toEqual([]);
  });
});

describe("jq/contradiction", () => {
  const told = (program: string): string[] =>
    findings("jq/contradiction", "outbound", {
      "/workflows/0/setup/select/form_fields/0/required": false,
      "/workflows/0/data_pipeline/target": {
        "!pipe": [jq(program), { "!http": { method: "POST", path: "/x", body: "${piped_content.1}" } }],
      },
    });

  test("right: the empty text is asked for beside a default number", () => {
    expect(
      told('{days: ("${custom_data.list.value | default:0}" | if . == "" then 0 else tonumber end)}'),
    ).toEqual([]);
    expect(
      told('{days: (${custom_data.list.value | default:0} | if . == "" then 0 else tonumber end)}'),
    ).toEqual([]);
  });
});
