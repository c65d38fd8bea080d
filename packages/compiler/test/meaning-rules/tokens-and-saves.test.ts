import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";

/** Tokens for the next cycle, what a setup saves, and answers that comments show: in other words, and what is right although it looks alike. */

describe("what initial_setup saves in some cases only", () => {
  const make = { "!http": { method: "POST", path: "/feeds", body: { list: "${custom_data.list.value}" } } };
  const saved = [{ "!jq": "{feed_id: .id}" }, { "!save": { scope: "workflow" } }];
  const found = { "!jq": "{feed_id: .feeds[0].id}" };
  const choose = (
    cases: readonly unknown[],
    jq = "if (.feeds | length) == 0 then 0 else 1 end",
  ): unknown => ({
    "!switch": { jq, cases },
  });
  const told = (...steps: readonly unknown[]): string[] =>
    inPolling("intake/sometimes-saved", {
      initial_setup: {
        "!pipe": [{ "!http": { path: "/feeds" } }, ...steps, { "!jq": "{polling_state: {page: 1}}" }],
      },
      pre_poll: undefined,
      post_poll: undefined,
      request: {
        "!pipe": [
          { "!http": { path: "/feeds/${data.workflow.feed_id}", params: { page: "${polling_state.page}" } } },
          {
            "!jq":
              "{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1)}}",
          },
        ],
      },
    });

  test.each([
    ["where it is found again", [choose([{ "!pipe": [make, ...saved] }, found])]],
    ["where it is made", [choose([make, { "!pipe": [found, ...saved.slice(1)] }])]],
    [
      "in a case of a case",
      [choose([{ "!pipe": [make, choose([{ "!pipe": saved }, found])] }, { "!pipe": saved }])],
    ],
    ["in a pipe in it", [{ "!pipe": [choose([{ "!pipe": [make, ...saved] }, found])] }]],
  ])("%s", (_, steps) => {
    expect(told(...steps)).toEqual(["feed_id"]);
  });

  test.each([
    ["behind the cases", [choose([make, { "!jq": ".feeds[0]" }]), ...saved]],
    ["in each", [choose([{ "!pipe": [make, ...saved] }, { "!pipe": [found, ...saved.slice(1)] }])]],
    ["the other one refuses", [choose([{ "!pipe": [make, ...saved] }, { "!error": "No feed." }])]],
    [
      "it asks whether it was saved before",
      [
        choose(
          [{ "!pipe": [make, ...saved] }, found],
          'if ${data.workflow.feed_id | default} == "" then 0 else 1 end',
        ),
      ],
    ],
    [
      "one of two saves",
      [
        choose([{ "!pipe": [make, ...saved] }, found]),
        choose([{ "!jq": "." }, { "!pipe": [{ "!jq": "{feed_id}" }, ...saved.slice(1)] }]),
      ],
    ],
  ])("%s", (_, steps) => {
    expect(told(...steps)).toEqual([]);
  });

  test("a pipeline reads it", () => {
    const changes = {
      "/data_intake/0/initial_setup": {
        "!pipe": [
          { "!http": { path: "/feeds" } },
          choose([{ "!pipe": [make, ...saved] }, found]),
          { "!jq": "{polling_state: {page: 1, since: null}}" },
        ],
      },
      "/workflows/0/data_pipeline/source": {
        "!pipe": [
          { "!http": { path: "/feeds/${data.workflow.feed_id}/people/${piped_content.0.id}" } },
          { "!jq": "{email: .email}" },
        ],
      },
    };
    expect(findings("intake/sometimes-saved", "inbound-polling", changes)).toEqual(["feed_id"]);
  });
});

describe("a token that the last page gives for the next cycle", () => {
  const comment = "The last page has next_sync_token and no page token.";
  const polled = (
    rule: string,
    {
      state = "$s + (if .next_page_token == null then {sync_token: .next_sync_token, page_token: null} else {page_token: .next_page_token} end)",
      iterate = ".next_page_token != null",
      sent = true,
      post = "{polling_state: ${polling_state}}",
      said = comment,
    } = {},
  ): string[] =>
    inPolling(rule, {
      _comment: said,
      initial_setup: { "!jq": "{polling_state: {sync_token: null, page_token: null}}" },
      pre_poll: undefined,
      request: {
        "!pipe": [
          {
            "!http": {
              path: "/members",
              params: {
                ...(sent ? { sync_token: "${polling_state.sync_token}" } : {}),
                page_token: "${polling_state.page_token}",
              },
            },
          },
          {
            "!jq": `\${polling_state} as $s | {results: .rows, iterate: (${iterate}), polling_state: (${state})}`,
          },
        ],
      },
      post_poll: { "!jq": post },
    });

  test.each([
    "{polling_state: {sync_token: null, page_token: null}}",
    "{polling_state: (${polling_state} + {sync_token: null})}",
    "{polling_state: (${polling_state} | .sync_token = null)}",
    "{polling_state: (${polling_state} | del(.sync_token) | .page_token = null)}",
  ])("post_poll sets it back: %s", (post) => {
    expect(polled("polling/forgotten-place", { post })).toHaveLength(1);
  });

  test.each([
    "{polling_state: (${polling_state} + {page_token: null})}",
    "{polling_state: (${polling_state} | del(.page_token))}",
  ])("right: %s", (post) => {
    expect(polled("polling/forgotten-place", { post })).toEqual([]);
  });

  test("a list that is read from its beginning each time", () => {
    const commands = (key: string) => ({
      initial_setup: { "!jq": `{polling_state: {${key}: null}}` },
      pre_poll: undefined,
      request: {
        "!pipe": [
          { "!http": { path: "/members", params: { [key]: `\${polling_state.${key}}` } } },
          { "!jq": `{results: .rows, iterate: .more, polling_state: {${key}: .rows[-1].id}}` },
        ],
      },
      post_poll: { "!jq": `{polling_state: {${key}: null}}` },
    });
    expect(inPolling("polling/forgotten-place", commands("since_id"))).toEqual([]);
    expect(inPolling("polling/forgotten-place", commands("cursor"))).toEqual([]);
  });

  test.each([
    [{}, 0],
    [{ sent: false }, 1],
    [{ sent: false, post: "{polling_state: (${polling_state} | del(.sections))}" }, 1],
    [
      {
        sent: false,
        state: "$s + {sync_token: (.next_sync_token // $s.sync_token), page_token: .next_page_token}",
      },
      1,
    ],
    [{ post: "{polling_state: (${polling_state} | del(.sections))}" }, 0],
  ])("no list is asked for with it: %j", (more, count) => {
    expect(polled("polling/idle-key", more)).toHaveLength(count);
  });

  test.each([
    [".next_sync_token != null", comment, 1],
    [".next_sync_token | not | not", comment, 1],
    [".next_sync_token != null", "next_sync_token comes with the last page.", 1],
    [".next_sync_token != null", "Rows: {rows, next_sync_token (on the last page), next_page_token}", 1],
    [".next_sync_token == null", comment, 0],
    [".next_page_token != null", comment, 0],
    [".next_sync_token != null", "Each page has next_sync_token.", 0],
    [".next_sync_token != null", "The last page has next_sync_token null.", 0],
    [".next_page_token != null", "The last page has next_page_token null.", 0],
    [".next_page_token != null", "next_page_token is in the last answer empty.", 0],
  ])("iterate asks %s: %s", (iterate, said, count) => {
    expect(polled("polling/ends-early", { iterate, said })).toHaveLength(count);
  });
});

describe("members that a comment shows in another record", () => {
  const visit = {
    _comment: "{id, status, customer_id, flues}",
    "!http": { path: "/visits/${piped_content.0.visit_id}" },
  };
  const person = {
    _comment: "{id, email, given, family}",
    "!http": { path: "/customers/${piped_content.1.customer_id}" },
  };
  const told = (steps: readonly unknown[]): string[] =>
    findings("response/documented-elsewhere", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": { "!pipe": steps },
    });

  test.each([
    ["{email: .email, flues: .flues}", [".flues"]],
    [
      "${piped_content.2} as $visit | {email: .email, flues: $visit.flues, is: $visit.status}",
      ["$visit.flues"],
    ],
    ["{email: .email, flues: ${piped_content.2.flues}}", ["flues"]],
    ["${piped_content.1} as $p | {email: $p.email, name: $p.given}", ["$p.email"]],
  ])("%s", (program, marked) => {
    expect(told([visit, person, { "!jq": program }])).toEqual(marked);
  });

  test.each([
    "${piped_content.1} as $visit | {email: .email, flues: $visit.flues}",
    "{email: .email, city: .city}",
    "{email: .email, flues: ${piped_content.1.flues}}",
    "{email: .email, flues: ${piped_content.2.flues | default}}",
  ])("right: %s", (program) => {
    expect(told([visit, person, { "!jq": program }])).toEqual([]);
  });

  test("what the comment leaves open", () => {
    const open = { ...person, _comment: "{id, email, given, ...}" };
    expect(told([visit, open, { "!jq": "{email: .email, flues: .flues}" }])).toEqual([]);
    const sent = { ...person, _comment: "Takes {id, email, given, family}." };
    expect(told([visit, sent, { "!jq": "{email: .email, flues: .flues}" }])).toEqual([]);
  });
});

describe("places and counts", () => {
  const after = (value: string, sort = "updated_at,id"): string[] =>
    inPolling("polling/last-for-latest", {
      initial_setup: { "!jq": '{polling_state: {after: ((now - 86400 | todate) + ",0")}}' },
      pre_poll: undefined,
      post_poll: undefined,
      request: {
        "!pipe": [
          { "!http": { path: "/matters", params: { after: "${polling_state.after}", sort } } },
          {
            "!jq": `. as $doc | {results: .data, iterate: .more, polling_state: (if (.data | length) == 0 then \${polling_state} else ${value} end)}`,
          },
        ],
      },
    });
  test.each([
    ['($doc.data[0] | {after: (.updated_at + "," + .id)})', 1],
    ['{after: ($doc.data[0].updated_at + "," + $doc.data[0].id)}', 1],
    ['(.data | first | {after: (.updated_at + "," + .id)})', 1],
    ['($doc.data[-1] | {after: (.updated_at + "," + .id)})', 0],
    ['(.data | last | {after: (.["updated_at"] + "," + .id)})', 0],
  ])("%s", (value, count) => {
    expect(after(value)).toHaveLength(count);
  });
  test.each([
    [".meta.page.number", 1],
    [".paging.current", 1],
    [".pagination.number // 1", 1],
    [".meta.page.last", 0],
    [".meta.number", 0],
    [".pages.number", 0],
  ])("total_pages: %s", (program, count) => {
    expect(
      findings("api/miscounted-pages", "outbound", {
        "/api/pagination": {
          style: { type: "page", page_number: { param: "page", value: 1 } },
          parser: { total_pages: { "!jq": program } },
        },
      }),
    ).toHaveLength(count);
  });
});
