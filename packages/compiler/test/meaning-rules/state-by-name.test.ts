import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";

/** Pages that an answer numbers and counts by short names, and places, tokens and answers that go by a name: in other words, and what is right although it looks alike. */

interface Pages {
  readonly program: string;
  readonly comment?: string;
  readonly before?: string;
  readonly start?: number;
}

describe("pages by their number and count", () => {
  const told = (rule: string, { program, comment, before, start = 1 }: Pages): string[] =>
    inPolling(rule, {
      _comment: comment ?? "A list.",
      initial_setup: {
        "!jq": `(\${custom_data.list.value} | tonumber) as $start | {polling_state: {from_ms: $start, to_ms: $start, page: ${start}}}`,
      },
      pre_poll: {
        "!jq":
          before ??
          ".polling_state as $s | {polling_state: {from_ms: $s.from_ms, to_ms: (if $s.page == 1 then ([((now - 120) * 1000 | floor), $s.from_ms] | max) else $s.to_ms end), page: $s.page}}",
      },
      post_poll: undefined,
      request: {
        "!pipe": [
          {
            "!http": {
              path: "/entries",
              params: {
                from_ms: "${polling_state.from_ms}",
                to_ms: "${polling_state.to_ms}",
                page: "${polling_state.page}",
                size: 50,
              },
            },
          },
          { "!jq": program },
        ],
      },
    });
  const spans = (more: string, next = "($s.page + 1)", before = ""): string =>
    `\${polling_state} as $s | ${before}(${more}) as $more | {results: .entries, iterate: $more, polling_state: (if $more then ($s + {page: ${next}}) else {from_ms: $s.to_ms, to_ms: $s.to_ms, page: 1} end)}`;

  test.each([
    ["before the last", "$s.page + 1 < .page.count", ""],
    ["by the number of the answer", ".page.number + 1 < .page.count", ""],
    ["by a variable", "$page.number + 1 < $page.total", ".page as $page | "],
    ["with a total", ".paging.number + 1 < .paging.total", ""],
  ])("ends early: %s", (_, more, before) => {
    expect(told("polling/ends-early", { program: spans(more, undefined, before) })).not.toEqual([]);
  });

  test("a comment alone says that it counts pages", () => {
    const program =
      "${polling_state} as $s | .n as $n | ($n > $s.page + 1) as $more | {results: .entries, iterate: $more, polling_state: ($s + {page: ($s.page + 1)})}";
    expect(told("polling/ends-early", { program, comment: "n is the number of pages." })).not.toEqual([]);
    expect(told("polling/ends-early", { program })).toEqual([]);
    expect(told("polling/ends-early", { program, comment: "n is the number of pages left." })).toEqual([]);
  });

  test.each([
    ["the page that was read", "$s.page < .page.count", ""],
    ["by the number of the answer", ".page.number < .page.count", ""],
    ["records", "$s.page * 50 < .page.count", ""],
    ["records in all", ".page.number * 50 < .page.total", ""],
    ["records of this page", ".page.count == 50", ""],
    ["a total by a variable", "$page.number < $page.total", ".page as $page | "],
    ["a total that a pattern takes", "$number < $total", ".page as {$number, $total} | "],
  ])("right: %s", (_, more, before) => {
    for (const rule of ["polling/ends-early", "polling/asks-on", "polling/same-request"])
      expect(told(rule, { program: spans(more, undefined, before) })).toEqual([]);
  });

  test("the number of the page that was read", () => {
    const rules = ["polling/same-request", "polling/echoed-page"];
    const found = (next: string): string[] =>
      rules.flatMap((rule) => told(rule, { program: spans("$s.page < .page.count", next) }));
    expect(found(".page.number")).toHaveLength(1);
    expect(found("(.page.number + 1)")).toEqual([]);
  });

  test("pre_poll begins at the first page again", () => {
    const before = (page: string): string =>
      `.polling_state as $s | {polling_state: {from_ms: $s.from_ms, to_ms: (if $s.page == 1 then ([((now - 120) * 1000 | floor), $s.from_ms] | max) else $s.to_ms end), page: ${page}}}`;
    const program = spans("$s.page < .page.count");
    expect(told("polling/cut-cycle", { program, before: before("1") })).toEqual(["1"]);
    expect(told("polling/cut-cycle", { program, before: before("$s.page") })).toEqual([]);
  });

  test("a cycle that never asks where it was cut may begin anew each time", () => {
    const before =
      "{polling_state: {from_ms: .polling_state.from_ms, to_ms: ((now - 120) * 1000 | floor), page: 1}}";
    const program = spans("$s.page < .page.count");
    expect(told("polling/cut-cycle", { program, before })).toEqual([]);
  });
});

describe("what is sent by the name of a key", () => {
  const told = (params: unknown, state: string, setup = "(${custom_data.list.value} | tonumber)"): string[] =>
    inPolling("polling/idle-key", {
      initial_setup: { "!jq": `{polling_state: {since: ${setup}, until: null, page: 1}}` },
      pre_poll: {
        "!jq": "${polling_state} as $s | {polling_state: ($s + {until: ([(now | floor), $s.since] | max)})}",
      },
      post_poll: undefined,
      request: {
        "!pipe": [
          { "!http": { path: "/entries", params } },
          {
            "!jq": `\${polling_state} as $s | {results: .items, iterate: .has_more, polling_state: (if .has_more then ($s + {page: ($s.page + 1)}) else {since: ${state}, until: null, page: 1} end)}`,
          },
        ],
      },
    });
  const sent = { until: "${polling_state.until}", page: "${polling_state.page}" };

  test("the choice instead of what became of it", () => {
    expect(told({ since: "${custom_data.list.value}", ...sent }, "$s.until")).toEqual([
      '"${custom_data.list.value}"',
    ]);
    expect(told({ since: "${custom_data.list.value}", ...sent }, ".items[-1].at")).toHaveLength(1);
  });

  test.each([
    ["the key", { since: "${polling_state.since}", ...sent }, "$s.until"],
    ["both", { since: "${polling_state.since}", list: "${custom_data.list.value}", ...sent }, "$s.until"],
    ["nothing moves it", { since: "${custom_data.list.value}", ...sent }, "$s.since"],
  ])("right: %s", (_, params, state) => {
    expect(told(params, state)).toEqual([]);
  });

  test("a start that has nothing to do with the choice", () => {
    expect(told({ since: "${custom_data.list.value}", ...sent }, "$s.until", "0")).toEqual([]);
  });

  test("the start of an import beside a cursor", () => {
    const kept = (params: unknown, key = "changed_before"): string[] =>
      inPolling("polling/idle-key", {
        initial_setup: { "!jq": `{polling_state: {after: null, ${key}: (now | floor)}}` },
        pre_poll: undefined,
        post_poll: undefined,
        request: {
          "!pipe": [
            { "!http": { path: "/hires", params } },
            {
              "!jq":
                "{results: .hires, iterate: (.next != null), polling_state: (${polling_state} + {after: .next})}",
            },
          ],
        },
      });
    expect(kept({ after: "${polling_state.after}" })).toEqual(["(now | floor)"]);
    const both = { after: "${polling_state.after}", changed_before: "${polling_state.changed_before}" };
    expect(kept(both)).toEqual([]);
    expect(kept({ after: "${polling_state.after}" }, "started_at")).toEqual([]);
  });
});

describe("tokens of a feed", () => {
  const feed = (comment: string, after: string, next = ".next_token", path = "/changes") => ({
    _comment: comment,
    initial_setup: { "!jq": "{polling_state: {token: null}}" },
    pre_poll: undefined,
    request: {
      "!pipe": [
        { "!http": { path, params: { token: "${polling_state.token}", limit: 100 } } },
        { "!jq": `{results: .changes, iterate: .more, polling_state: {token: ${next}}}` },
      ],
    },
    post_poll: {
      "!pipe": [
        {
          "!http": { method: "POST", path: "/changes/read", body: { token: "${polling_state.token}" } },
        },
        { "!jq": `{polling_state: {token: ${after}}}` },
      ],
    },
  });
  const kept = "${polling_state.token}";
  const always = "GET /changes answers {changes, next_token, more}; next_token is always there.";

  test.each([
    ["of changes", always, undefined],
    ["of which a comment says how it begins", `Without a token it starts with all. ${always}`, "/people"],
    ["also behind the last", "Each answer has next_token, also after the last change.", undefined],
  ])("given up in each cycle: %s", (_, comment, path) => {
    expect(inPolling("polling/forgotten-place", feed(comment, "null", undefined, path))).toEqual(["null"]);
    expect(inPolling("polling/forgotten-place", feed(comment, kept, undefined, path))).toEqual([]);
  });

  test.each([
    ["nothing is said", "GET /changes answers {changes, next_token, more}.", undefined],
    ["it ends with the list", "next_token is always there, and null on the last page.", undefined],
    ["a list that is read anew", always, "/people"],
  ])("right: %s", (_, comment, path) => {
    expect(inPolling("polling/forgotten-place", feed(comment, "null", undefined, path))).toEqual([]);
  });

  test("the id of a record instead of it", () => {
    const answers = "GET /changes answers {changes, next_token, more}.";
    const told = (comment: string, next: string): string[] =>
      inPolling("polling/opaque-place", feed(comment, kept, next));
    expect(told(answers, ".changes[-1].change_id")).toEqual([".changes[-1].change_id"]);
    expect(told(answers, "(.changes | last | .change_id)")).toHaveLength(1);
    expect(told(answers, ".next_token")).toEqual([]);
    expect(told("GET /changes answers {changes, more}.", ".changes[-1].change_id")).toEqual([]);
  });
});

describe("registrations", () => {
  const early = (comment: string, read: string, more: Readonly<Record<string, unknown>> = {}): string[] =>
    findings("intake/early-challenge", "inbound-webhook", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
          { "!jq": "{hook_id: .id, token: .token}" },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/update": {
        "!pipe": [
          {
            "!http": {
              method: "PATCH",
              path: "/hooks/${data.workflow.hook_id}",
              body: { url: "${webhook.url}" },
            },
          },
          { "!jq": "{token: .token}" },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/verification": {
        "!pipe": [
          {
            "!jq": `(${read}) as $token | if .method == "GET" then {kind: 0, challenge: .query.challenge} elif .headers["x-token"] == $token then {kind: 1} else {kind: 2} end`,
          },
          {
            "!switch": {
              jq: ".kind",
              cases: [
                {
                  "!respond": {
                    code: 200,
                    process_payload: false,
                    body: { challenge: "${piped_content.1.challenge}" },
                  },
                },
                { "!respond": { code: 200, process_payload: true } },
                { "!respond": { code: 403, process_payload: false } },
              ],
            },
          },
        ],
      },
      ...more,
    });

  test.each([
    "While an endpoint is being made the service calls it with GET ?challenge=….",
    "The challenge comes before create has saved the token.",
    "A challenge comes as the hook is being registered.",
  ])("a token that isn't saved yet: %s", (comment) => {
    expect(early(comment, "${data.workflow.token}")).toEqual(["token"]);
    expect(early(comment, "${data.workflow.token | default}")).toEqual([]);
  });

  test("nothing says when the challenge comes", () => {
    expect(early("The service sends a challenge once a week.", "${data.workflow.token}")).toEqual([]);
  });

  test("update sends the list without the URL, and renews a token", () => {
    const told = (body: unknown, ...before: readonly unknown[]): string[] =>
      findings("intake/update-without-url", "inbound-webhook", {
        "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", events: ["a.made", "a.left"] },
        "/data_intake/0/update": {
          "!pipe": [
            ...before,
            { "!http": { method: "PATCH", path: "/hooks/${data.workflow.hook_id}", body } },
            { "!http": { method: "POST", path: "/hooks/${data.workflow.hook_id}/renew" } },
          ],
        },
      });
    expect(told({ events: ["a.made", "a.left"] })).toEqual(['"!http"']);
    expect(told({ url: "${webhook.url}" })).toEqual([]);
    expect(
      told({ events: ["a.made", "a.left"] }, { "!http": { method: "POST", path: "/x", body: {} } }),
    ).toEqual([]);
  });
});
