import { describe, expect, test } from "vitest";
import { inPolling as told } from "../support/rule-findings.ts";

/** Places and windows that cycles keep or close, and cursors that nothing sends: in other words, and what is right although it looks alike. */

describe("a window that each cycle closes", () => {
  const opens = "{to: (now - 120 | floor), after_id: 0, finished: false}";
  const windows = (
    postPoll: string,
    { prePoll = `(if $st.finished then $st + ${opens} else $st end)`, sent = "after_id" } = {},
  ) => ({
    initial_setup: {
      "!jq": "{polling_state: {from: (now - 86400 | floor), to: null, after_id: 0, finished: true}}",
    },
    pre_poll: {
      "!pipe": [
        { "!http": { path: "/clock" } },
        { "!jq": `.epoch as $clock | \${polling_state} as $st | {polling_state: ${prePoll}}` },
      ],
    },
    request: {
      "!pipe": [
        {
          "!http": {
            path: "/jobs",
            params: {
              changed_from: "${polling_state.from}",
              changed_to: "${polling_state.to}",
              [sent]: "${polling_state.after_id}",
            },
          },
        },
        {
          "!jq":
            "${polling_state} as $st | {results: .jobs, iterate: .more, polling_state: ($st + {after_id: (.jobs[-1].id // $st.after_id), finished: (.more | not)})}",
        },
      ],
    },
    post_poll: { "!jq": postPoll },
  });
  const isOpen = "(if $st.finished then $st + {from: $st.to} else $st end)";

  test.each([
    ["a variable", "${polling_state} as $st | {polling_state: ($st + {from: $st.to})}", {}],
    ["a pipe", "{polling_state: (${polling_state} | . + {from: .to})}", {}],
    ["an assignment", "{polling_state: (${polling_state} | .from = .to)}", {}],
    [
      "all keys by name",
      "{polling_state: {from: ${polling_state.to}, to: ${polling_state.to}, after_id: ${polling_state.after_id}, finished: ${polling_state.finished}}}",
      {},
    ],
    [
      "the service's clock",
      "${polling_state} as $st | {polling_state: ($st + {from: $st.to})}",
      {
        prePoll:
          "(if $st.finished then $st + {to: ($clock - 120), after_id: 0, finished: false} else $st end)",
      },
    ],
  ])("it closes one that is open: %s", (_, postPoll, more) => {
    expect(told("polling/cut-cycle", windows(postPoll, more))).toHaveLength(1);
  });

  test.each([
    ["only where it was read", `\${polling_state} as $st | {polling_state: ${isOpen}}`, {}],
    [
      "the beginning doesn't ask",
      "${polling_state} as $st | {polling_state: ($st + {from: $st.to, finished: true})}",
      { prePoll: "($st + {finished: false, to: ($clock - 120)})" },
    ],
    ["the state stays", "{polling_state: ${polling_state}}", {}],
  ])("%s is right", (_, postPoll, more) => {
    expect(told("polling/cut-cycle", windows(postPoll, more)).length).toBe(0);
  });
});

describe("a cursor that nothing sends", () => {
  const graphql = (
    variables: Readonly<Record<string, unknown>>,
    failing: unknown = { "!error": "There is no list." },
  ) => ({
    initial_setup: { "!jq": "{polling_state: {after: null}}" },
    pre_poll: undefined,
    post_poll: undefined,
    request: {
      "!pipe": [
        {
          "!http": {
            method: "POST",
            path: "/graphql",
            body: {
              query:
                "query ($after: String) { people(first: 200, after: $after) { nodes { id } pageInfo { endCursor hasNextPage } } }",
              variables,
            },
          },
        },
        {
          "!switch": {
            jq: "if ((.errors // []) | length) > 0 then 0 else 1 end",
            cases: [
              failing,
              {
                "!jq":
                  ".data.people | {results: .nodes, iterate: .pageInfo.hasNextPage, polling_state: {after: .pageInfo.endCursor}}",
              },
            ],
          },
        },
      ],
    },
  });

  test("beside a case that fails", () => {
    expect(told("polling/idle-key", graphql({}))).toHaveLength(1);
    expect(told("polling/idle-key", graphql({ after: "${polling_state.after}" }))).toEqual([]);
  });

  const feed = (
    params: Readonly<Record<string, unknown>>,
    { iterate = ".more", begin = ".newest" } = {},
  ) => ({
    initial_setup: {
      "!pipe": [
        { "!http": { method: "POST", path: "/feeds" } },
        { "!jq": "{feed_id: .id}" },
        { "!save": { scope: "workflow" } },
        { "!http": { path: "/feeds/${data.workflow.feed_id}/range" } },
        { "!jq": `{polling_state: {after: ${begin}}}` },
      ],
    },
    pre_poll: undefined,
    request: {
      "!pipe": [
        { "!http": { path: "/feeds/${data.workflow.feed_id}/changes", params } },
        {
          "!jq": `{results: .changes, iterate: ${iterate}, polling_state: {after: (.changes[-1].no // \${polling_state.after})}}`,
        },
      ],
    },
    post_poll: {
      "!pipe": [
        {
          "!http": {
            method: "PUT",
            path: "/feeds/${data.workflow.feed_id}",
            body: { read_to: "${polling_state.after}" },
          },
        },
        { "!jq": "{polling_state: ${polling_state}}" },
      ],
    },
  });

  test("of something made before the first cycle", () => {
    expect(told("polling/idle-key", feed({ n: 100 }))).toHaveLength(1);
    // Such a thing may itself know how far it was read.
    expect(told("polling/same-request", feed({ n: 100 }))).toEqual([]);
    expect(told("polling/idle-key", feed({ n: 100 }, { iterate: "false" }))).toEqual([]);
    expect(told("polling/idle-key", feed({ n: 100 }, { begin: "null" }))).toEqual([]);
    expect(told("polling/idle-key", feed({ after: "${polling_state.after}" }))).toEqual([]);
  });
});

describe("a start that is moved before anything is read", () => {
  const pass = (begins: string, { end = "window_end", sendsEnd = false } = {}) => ({
    initial_setup: {
      "!jq": `{polling_state: {since: (now - 86400 | floor | todate), ${end}: null, offset: 0}}`,
    },
    pre_poll: {
      "!pipe": [
        { "!http": { path: "/clock" } },
        {
          "!jq": `{polling_state: (\${polling_state} + (if \${polling_state.offset} == 0 then ${begins} else {} end))}`,
        },
      ],
    },
    request: {
      "!pipe": [
        {
          "!http": {
            path: "/campers",
            params: {
              changed_since: "${polling_state.since}",
              limit: 50,
              offset: "${polling_state.offset}",
              ...(sendsEnd ? { changed_before: `\${polling_state.${end}}` } : {}),
            },
          },
        },
        {
          "!jq": `(\${polling_state.offset} + 50) as $next | ($next >= .meta.total) as $done | {results: .items, iterate: ($done | not), polling_state: (if $done then {since: \${polling_state.${end}}, ${end}: null, offset: 0} else {since: \${polling_state.since}, ${end}: \${polling_state.${end}}, offset: $next} end)}`,
        },
      ],
    },
    post_poll: undefined,
  });

  test.each([
    ["window_end", "{since: .utc, window_end: .utc}"],
    ["until", "{since: .utc, until: .utc}"],
    ["pass_started", "{since: .utc, pass_started: .utc}"],
    ["nextBefore", "{since: (.utc), nextBefore: .utc}"],
  ])("to what %s gets", (end, begins) => {
    expect(told("polling/early-watermark", pass(begins, { end }))).toHaveLength(1);
  });

  test.each([
    ["window_end", "{window_end: .utc}"],
    ["until", "{until: .utc, offset: 0}"],
    ["pass_started", "{since: ${polling_state.since}, pass_started: .utc}"],
    ["window_end", "{since: .last_utc, window_end: .utc}"],
  ])("right beside %s: %s", (end, begins) => {
    for (const sendsEnd of [true, false])
      expect(told("polling/early-watermark", pass(begins, { end, sendsEnd }))).toEqual([]);
  });
});

describe("a token that the last page lacks", () => {
  const listed = (
    iterate: string,
    {
      token = '(.["@odata.nextLink"] // "" | split("skiptoken=")[1])',
      results = ".value",
      since = "${polling_state.since}",
      begin = "null",
      comment = "",
    } = {},
  ) => ({
    _comment: comment,
    initial_setup: { "!jq": `{polling_state: {since: (now | floor | todate), token: ${begin}}}` },
    pre_poll: undefined,
    request: {
      "!pipe": [
        {
          "!http": {
            path: "/contacts",
            params: {
              $filter: "ModifiedAt ge ${polling_state.since}",
              $orderby: "ModifiedAt asc",
              $skiptoken: "${polling_state.token}",
            },
          },
        },
        {
          "!jq": `${token} as $token | {results: ${results}, iterate: ${iterate}, polling_state: {since: ${since}, token: $token}}`,
        },
      ],
    },
    post_poll: undefined,
  });
  const asksRecords = "((.value | length) > 0)";
  const other = '(.links.following // "" | split("skip=")[1])';
  const said = "The token is absent from the last page.";

  test.each([
    ["counted", asksRecords, {}],
    ["compared", "(.value != [])", {}],
    ["none, negated", "((.value | length) == 0 | not)", {}],
    ["mapped", asksRecords, { results: "[.value[] | {id}]" }],
    ["by a path", asksRecords, { token: '(."@odata.nextLink" // "" | split("skiptoken=") | .[1])' }],
    ["as a comment says", asksRecords, { token: other.replace("following", "page_token"), comment: said }],
  ])("records are asked for: %s", (_, iterate, more) => {
    expect(told("polling/same-request", listed(iterate, more))).toHaveLength(1);
  });

  test.each([
    ["the token is asked for", "($token != null)", {}],
    ["both are asked for", "((.value | length) > 0 and $token != null)", {}],
    ["what the service does isn't said", asksRecords, { token: other }],
    ["a next window", asksRecords, { since: "(.value[-1].ModifiedAt // ${polling_state.since})" }],
    ["the list has a token at first", asksRecords, { begin: '"start"' }],
    ["the token stays", asksRecords, { token: '(.["@odata.nextLink"] // ${polling_state.token})' }],
    ["another list", "((.more | length) > 0)", {}],
  ])("%s is right", (_, iterate, more) => {
    expect(told("polling/same-request", listed(iterate, more))).toEqual([]);
  });
});

describe("the next window", () => {
  const windows = ({
    from = "$st.to",
    opens = "after_id: 0, ",
    bound = "changed",
    says = "changed_from is inclusive, changed_to exclusive; sorted by id.",
    id = "after_id",
    order = ".jobs[-1].id // $st.after_id",
  } = {}) => ({
    initial_setup: {
      "!pipe": [
        { "!http": { path: "/clock" } },
        { "!jq": "{polling_state: {from: (.epoch - 86400), to: null, after_id: 0, finished: true}}" },
      ],
    },
    pre_poll: {
      "!pipe": [
        { "!http": { path: "/clock" } },
        {
          "!jq": `.epoch as $clock | \${polling_state} as $st | {polling_state: (if $st.finished then $st + {to: ($clock - 120), ${opens}finished: false} else $st end)}`,
        },
      ],
    },
    request: {
      "!pipe": [
        {
          _comment: says,
          "!http": {
            path: "/jobs",
            params: {
              [`${bound}_from`]: "${polling_state.from}",
              [`${bound}_to`]: "${polling_state.to}",
              [id]: "${polling_state.after_id}",
            },
          },
        },
        {
          "!jq": `\${polling_state} as $st | {results: .jobs, iterate: .more, polling_state: ($st + {after_id: (${order}), finished: (.more | not)})}`,
        },
      ],
    },
    post_poll: {
      "!jq": `\${polling_state} as $st | {polling_state: (if $st.finished then $st + {from: (${from})} else $st end)}`,
    },
  });

  test.each([
    ["the end is excluded", { from: "$st.to + 1" }],
    ["as brackets say", { from: "$st.to + 1", says: "Windows are [from, to)." }],
    ["a minute later", { from: "$st.to + 60", says: "" }],
  ])("leaves a gap: %s", (_, more) => {
    expect(told("polling/gap", windows(more))).toHaveLength(1);
  });

  test.each([
    ["where this one ends", {}],
    ["the end is included", { from: "$st.to + 1", says: "changed_from and changed_to are inclusive." }],
    ["nothing says it", { from: "$st.to + 1", says: "" }],
    ["earlier", { from: "$st.to - 60" }],
  ])("leaves none: %s", (_, more) => {
    expect(told("polling/gap", windows(more))).toEqual([]);
  });

  test.each([
    ["changed", { opens: "" }],
    ["updated", { opens: "", bound: "updated" }],
    ["another name", { opens: "", id: "id_gt" }],
  ])("goes on behind the ids of the last one: %s", (_, more) => {
    expect(told("polling/late-start", windows(more))).toHaveLength(1);
  });

  test.each([
    ["set back", {}],
    ["of what was made", { opens: "", bound: "created" }],
    ["a number of changes", { opens: "", id: "after_seq", order: ".jobs[-1].seq // $st.after_id" }],
  ])("begins anew, or goes on: %s", (_, more) => {
    expect(told("polling/late-start", windows(more))).toEqual([]);
  });

  test("its end isn't sent", () => {
    const withoutEnd = (more: Parameters<typeof windows>[0]) => {
      const { request, ...others } = windows({ from: "$st.to", ...more });
      const [step, read] = request["!pipe"] as [Record<string, object>, object];
      const { changed_to: _, ...params } = (step["!http"] as { params: Record<string, string> }).params;
      return {
        ...others,
        request: { "!pipe": [{ ...step, "!http": { path: "/jobs", params } }, read] },
      };
    };
    const rule = "polling/unsent-end";
    expect(told(rule, withoutEnd({}))).toHaveLength(1);
    expect(told(rule, withoutEnd({ says: "Both changed_from and changed_to are included." }))).toHaveLength(
      1,
    );
    expect(told(rule, withoutEnd({ says: "changed_from is inclusive." }))).toEqual([]);
    expect(told(rule, withoutEnd({ says: "" }))).toEqual([]);
    expect(told(rule, withoutEnd({ from: "$st.from" }))).toEqual([]);
    expect(told(rule, windows())).toEqual([]);
  });
});
