import { describe, expect, test } from "vitest";
import { findings, inPolling as told } from "../support/rule-findings.ts";

/** States, watermarks and windows of polls, and what histories give: the same kind of mistake in other words, and what is right although it looks alike. */

describe("stages of a state", () => {
  const stages = (
    prePoll: string,
    ordered: string,
    ready: string,
    request: string,
    read: string,
  ): Readonly<Record<string, unknown>> => ({
    initial_setup: { "!jq": '{polling_state: {phase: "idle", job: null}}' },
    pre_poll: {
      "!switch": {
        jq: prePoll,
        cases: [
          {
            "!pipe": [
              { "!http": { method: "POST", path: "/jobs" } },
              { "!jq": `{polling_state: {phase: ${ordered}, job: .id}}` },
            ],
          },
          {
            "!pipe": [
              { "!http": { path: "/jobs/${polling_state.job}" } },
              {
                "!jq": `.done as $done | \${polling_state} | .phase = (if $done then ${ready} else .phase end) | {polling_state: .}`,
              },
            ],
          },
          { "!jq": "{polling_state: ${polling_state}}" },
        ],
      },
    },
    request: {
      "!switch": {
        jq: request,
        cases: [
          { "!jq": "{results: [], iterate: false, polling_state: ${polling_state}}" },
          {
            "!pipe": [
              { "!http": { path: "/jobs/${polling_state.job}/rows" } },
              {
                "!jq": `{results: .rows, iterate: false, polling_state: (\${polling_state} + {phase: ${read}})}`,
              },
            ],
          },
        ],
      },
    },
    post_poll: undefined,
  });
  const prePoll = 'if .polling_state.phase == "idle" then 0 else 1 end';
  const request = 'if ${polling_state.phase} == "ready" then 1 else 0 end';
  const right = [prePoll, '"waiting"', '"ready"', request, '"idle"'] as const;

  test.each([
    ["idle again", [prePoll, '"idle"', '"ready"', request, '"idle"']],
    [
      "a stage that only its own case sets",
      [prePoll.replace('"idle"', '"ready"'), '"ready"', '"idle"', request, '"idle"'],
    ],
    [
      "with a variable",
      [
        '.polling_state.phase as $p | if $p == "idle" or $p == "done" then 0 else 1 end',
        '"idle"',
        '"ready"',
        request,
        '"done"',
      ],
    ],
  ])("nothing leads to it: %s", (_, way) => {
    expect(
      told("polling/unreached-stage", stages(...(way as [string, string, string, string, string]))),
    ).toHaveLength(1);
  });

  test.each([
    ["done", '"done"'],
    ["on one way", '(if (.rows | length) > 0 then "done" else "idle" end)'],
  ])("nothing leads out of it: %s", (_, read) => {
    const waiting = prePoll.replace("else 1", 'elif .polling_state.phase == "waiting" then 1 else 2');
    expect(told("polling/last-stage", stages(waiting, '"waiting"', '"ready"', request, read))).toEqual([
      '"done"',
    ]);
  });

  test.each([
    ["as it should be", right],
    ["with words of its own", [prePoll.replace('"waiting"', '"w"'), '"w"', '"ready"', request, '"idle"']],
    [
      "back by another case",
      [
        'if .polling_state.phase == "idle" or .polling_state.phase == "done" then 0 else 1 end',
        '"waiting"',
        '"ready"',
        request,
        '"done"',
      ],
    ],
    ["what the service says", [prePoll, ".state", '"ready"', request, '"idle"']],
  ])("%s is right", (_, way) => {
    const commands = stages(...(way as [string, string, string, string, string]));
    for (const rule of ["polling/unreached-stage", "polling/last-stage"])
      expect(told(rule, commands)).toEqual([]);
  });

  test("a job's pages are read like others", () => {
    const paged = (iterate: string): Readonly<Record<string, unknown>> => {
      const commands = stages(...right);
      const rows = {
        "!pipe": [
          { "!http": { path: "/jobs/${polling_state.job}/rows", params: { page: "${polling_state.page}" } } },
          {
            "!jq": `${iterate} as $last | {results: .rows, iterate: ($last | not), polling_state: (\${polling_state} | if $last then .phase = "idle" | .page = 1 else .page += 1 end)}`,
          },
        ],
      };
      const [waiting] = (commands["request"] as { "!switch": { cases: unknown[] } })["!switch"].cases;
      return {
        ...commands,
        initial_setup: { "!jq": '{polling_state: {phase: "idle", job: null, page: 1}}' },
        request: { "!switch": { jq: request, cases: [waiting, rows] } },
      };
    };
    expect(told("polling/ends-early", paged("(.pages >= .page)"))).toEqual(["$last | not"]);
    expect(told("polling/ends-early", paged("(.page >= .pages)"))).toEqual([]);
    expect(told("polling/ends-early", paged("(.rows == [])"))).toEqual([]);
  });
});

describe("a watermark beside a cursor", () => {
  const window = (going: string, last = "{since: ${polling_state.until}, until: null, after: null}") => ({
    initial_setup: { "!jq": "{polling_state: {since: (now - 86400 | todate), until: null, after: null}}" },
    pre_poll: {
      "!jq":
        "{polling_state: (if ${polling_state.after} == null then {since: ${polling_state.since}, until: (now - 60 | todate), after: null} else ${polling_state} end)}",
    },
    post_poll: undefined,
    request: {
      "!pipe": [
        {
          "!http": {
            path: "/customers",
            params: {
              from: "${polling_state.since}",
              to: "${polling_state.until}",
              after: "${polling_state.after}",
            },
          },
        },
        {
          "!jq": `.page as $page | {results: .items, iterate: $page.has_next, polling_state: (if $page.has_next then ${going} else ${last} end)}`,
        },
      ],
    },
  });

  test.each([
    ["the end", "{since: ${polling_state.until}, until: ${polling_state.until}, after: $page.end_cursor}"],
    [
      "the greatest",
      "{since: ([.items[].updated_at] | max), until: ${polling_state.until}, after: $page.end_cursor}",
    ],
  ])("%s moves on the way that goes on", (_, going) => {
    expect(told("polling/early-watermark", window(going))).toHaveLength(1);
  });

  test.each([
    ["it stays", "{since: ${polling_state.since}, until: ${polling_state.until}, after: $page.end_cursor}"],
    ["all stays", "(${polling_state} + {after: $page.end_cursor})"],
  ])("%s while pages are read", (_, going) => {
    for (const rule of ["polling/early-watermark", "polling/clock-watermark", "polling/cut-cycle"])
      expect(told(rule, window(going))).toEqual([]);
  });

  test("the clock behind the last page", () => {
    const clock = (since: string) => ({
      initial_setup: { "!jq": "{polling_state: {since: (now - 86400 | todate), after: null}}" },
      pre_poll: undefined,
      post_poll: undefined,
      request: {
        "!pipe": [
          {
            "!http": {
              path: "/customers",
              params: { from: "${polling_state.since}", after: "${polling_state.after}" },
            },
          },
          {
            "!jq": `{results: .items, iterate: (.next_cursor != null), polling_state: {since: (if .next_cursor != null then \${polling_state.since} else ${since} end), after: .next_cursor}}`,
          },
        ],
      },
    });
    expect(told("polling/clock-watermark", clock("(now | todate)"))).toEqual(["now | todate"]);
    expect(told("polling/clock-watermark", clock(".as_of"))).toEqual([]);
    expect(
      told("polling/clock-watermark", clock("(.items[-1].updated_at // ${polling_state.since})")),
    ).toEqual([]);
  });

  test("a cursor that is cleared although the cycle was cut", () => {
    const cleared = (state: string) => ({
      initial_setup: { "!jq": "{polling_state: {since: (now - 86400 | todate), after: null}}" },
      pre_poll: undefined,
      post_poll: { "!jq": `{polling_state: ${state}}` },
      request: {
        "!pipe": [
          {
            "!http": {
              path: "/customers",
              params: { from: "${polling_state.since}", after: "${polling_state.after}" },
            },
          },
          {
            "!jq":
              "{results: .items, iterate: (.next_cursor != null), polling_state: {since: (if .next_cursor != null then ${polling_state.since} else .as_of end), after: .next_cursor}}",
          },
        ],
      },
    });
    expect(told("polling/cut-cycle", cleared("{since: ${polling_state.since}, after: null}"))).toHaveLength(
      1,
    );
    expect(told("polling/cut-cycle", cleared("${polling_state}"))).toEqual([]);
    // A list without a watermark is read from its beginning in each cycle.
    const whole = {
      initial_setup: { "!jq": "{polling_state: {after: null}}" },
      pre_poll: undefined,
      post_poll: { "!jq": "{polling_state: {after: null}}" },
      request: {
        "!pipe": [
          { "!http": { path: "/customers", params: { after: "${polling_state.after}" } } },
          {
            "!jq": "{results: .items, iterate: (.next_cursor != null), polling_state: {after: .next_cursor}}",
          },
        ],
      },
    };
    expect(told("polling/cut-cycle", whole)).toEqual([]);
  });
});

describe("the end of a window that the service says", () => {
  const asked = (prePoll: string, last: string) => ({
    initial_setup: { "!jq": "{polling_state: {from: (now - 86400 | todate), to: null, after: null}}" },
    pre_poll: { "!pipe": [{ "!http": { path: "/clock" } }, { "!jq": prePoll }] },
    post_poll: undefined,
    request: {
      "!pipe": [
        {
          "!http": {
            method: "POST",
            path: "/graphql",
            body: {
              query:
                "query($from: DateTime!, $to: DateTime!, $after: String) { people(from: $from, to: $to, after: $after) { nodes { id email } pageInfo { hasNextPage endCursor } } }",
              variables: {
                from: "${polling_state.from}",
                to: "${polling_state.to}",
                after: "${polling_state.after}",
              },
            },
          },
        },
        {
          "!jq": `.data.people as {nodes: $people, pageInfo: $page} | \${polling_state} as $was | {results: $people, iterate: $page.hasNextPage, polling_state: (if $page.hasNextPage then $was + {after: $page.endCursor} else ${last} end)}`,
        },
      ],
    },
  });
  const opens = "{polling_state: (${polling_state} + {to: (${polling_state.to} // .settled)})}";

  test.each([
    ["kept by a variable", opens, "{from: $was.to, to: $was.to, after: null}"],
    ["kept with the whole state", opens, "($was + {from: $was.to, after: null})"],
    [
      "asked for with an if",
      ".settled as $now | {polling_state: (${polling_state} + {to: (if ${polling_state.to} == null then $now else ${polling_state.to} end)})}",
      "{from: $was.to, to: $was.to, after: null}",
    ],
  ])("%s", (_, prePoll, last) => {
    expect(told("polling/window-course", asked(prePoll, last))).toHaveLength(1);
  });

  test.each([
    ["closed", opens, "{from: $was.to, to: null, after: null}"],
    [
      "another one each time",
      "{polling_state: (${polling_state} + {to: .settled})}",
      "{from: $was.to, to: $was.to, after: null}",
    ],
    [
      "opened where the last one is through",
      ".settled as $now | {polling_state: (${polling_state} | if .after == null then .to = $now else . end)}",
      "{from: $was.to, to: $was.to, after: null}",
    ],
  ])("%s is right", (_, prePoll, last) => {
    for (const rule of ["polling/window-course", "polling/cut-cycle", "polling/empty-window"])
      expect(told(rule, asked(prePoll, last))).toEqual([]);
  });
});

describe("what a historical poll gives", () => {
  const history = (results: string, path = "/shops/${custom_data.shop.value}/orders"): string[] =>
    findings("polling/history-envelope", "historical-sync", {
      "/data_intake/1/request": {
        "!pipe": [
          { "!http": { path, params: { cursor: "${polling_state.cursor}" } } },
          {
            "!jq": `{results: ${results}, iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}`,
          },
        ],
      },
      "/workflows/0/data_pipeline/source": { "!jq": "{email: .order.customer.email, total: .order.total}" },
    });

  test.each([
    [".data"],
    ["[.data[] | select(.total > 0)]"],
    ["[.data[] | . + {kind: .state}]"],
    ["(.items | map({at: .created_at} + .))"],
    [".orders.nodes"],
  ])("bare records: %s", (results) => {
    expect(history(results)).toHaveLength(1);
  });

  test.each([
    ["[.data[] | {order: .}]", undefined],
    ["[.data[] | . + {order: .}]", undefined],
    [".data", "/shops/${custom_data.shop.value}/events"],
    [".events.nodes", undefined],
  ])("%s is right", (results, path) => {
    expect(history(results, path)).toEqual([]);
  });
});

test("a key that counts up is no stage", () => {
  const commands = {
    initial_setup: { "!jq": "{polling_state: {line: 1}}" },
    pre_poll: undefined,
    post_poll: undefined,
    request: {
      "!pipe": [
        { "!http": { path: "/rows", params: { line: "${polling_state.line}" } } },
        { "!jq": "{results: .rows, iterate: .more, polling_state: (${polling_state} | .line += 500)}" },
      ],
    },
  };
  expect(told("polling/last-stage", commands)).toEqual([]);
});
