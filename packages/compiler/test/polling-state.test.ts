import { compile } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { exampleDocument } from "./rule-examples.ts";

/** D9, D33: reads of keys of `polling_state` that are there, or aren't, when the first cycle runs. */

/** `initial_setup`, `pre_poll` and `post_poll` are jq programs; `request` is the steps before its last one. */
interface Poll {
  readonly initial_setup?: string;
  readonly pre_poll?: string;
  readonly request: readonly unknown[];
  readonly last?: string;
  readonly post_poll?: string;
}

const get = (params: Readonly<Record<string, string>> = {}) => ({
  "!http": { path: "/lists/${custom_data.list.value}/customers", params },
});
const choose = (jq: string, ...cases: readonly unknown[]) => ({ "!switch": { jq, cases } });
const cursor = get({ cursor: "${polling_state.cursor}" });
const page = "{results: .items, iterate: .more, polling_state: {cursor: .next}}";

const right: Readonly<Record<string, Poll>> = {
  "a case where there is a state": {
    request: [choose("if ${polling_state} == {} then 0 else 1 end", get(), cursor)],
  },
  "a case where there is the key": {
    request: [choose('if (${polling_state} | has("cursor")) then 1 else 0 end', get(), cursor)],
  },
  "a case by the input": { request: [choose("if .polling_state.cursor then 1 else 0 end", get(), cursor)] },
  "a case by a default": {
    request: [choose('if ${polling_state.cursor | default} == "" then 0 else 1 end', get(), cursor)],
  },
  "a case by another key": {
    initial_setup: "{polling_state: {page: 1}}",
    request: [choose("if ${polling_state.page} == 1 then 0 else 1 end", get(), cursor)],
    last: "{results: .items, iterate: .more, polling_state: {page: (${polling_state.page} + 1), cursor: .next}}",
  },
  "a key that the end of a cycle drops, and a case asks for": {
    request: [choose("if .polling_state.cursor then 1 else 0 end", get(), cursor)],
    post_poll: "{polling_state: {}}",
  },
  "a case within a case": {
    request: [
      choose("if ${polling_state} == {} then 0 else 1 end", get(), {
        "!pipe": [{ "!print_c": "next" }, choose("0", cursor)],
      }),
    ],
  },
  "a key that a step before the first request sets": {
    pre_poll: "{polling_state: (${polling_state} + {cursor: null})}",
    request: [cursor],
  },
  "a default": { request: [get({ cursor: "${polling_state.cursor | default}" })] },
};

const wrong: Readonly<Record<string, readonly [Poll, rule: string]>> = {
  "nothing sets it before": [{ request: [cursor] }, "polling/unset-key"],
  "a hole is read whether its branch is taken or not": [
    {
      request: [
        { "!jq": 'if (${polling_state} | has("cursor")) then ${polling_state.cursor} else "" end' },
        get({ cursor: "${piped_content.1}" }),
      ],
    },
    "polling/unset-key",
  ],
  "only the end of a cycle sets it, and pre_poll passes the state on": [
    {
      initial_setup: "{polling_state: {since: 0}}",
      pre_poll: "{polling_state: (${polling_state} + {since: 1})}",
      request: [cursor],
      last: "{results: .items, iterate: false, polling_state: ${polling_state}}",
      post_poll: "{polling_state: (${polling_state} + {cursor: 1})}",
    },
    "polling/unset-key",
  ],
  "a key that is there from the start is dropped, and a case reads it": [
    {
      initial_setup: "{polling_state: {cursor: null, queue: []}}",
      request: [choose("if (.polling_state.queue | length) == 0 then 0 else 1 end", get(), cursor)],
      last: "{results: .items, iterate: .more, polling_state: {queue: .queue}}",
    },
    "polling/dropped-key",
  ],
};

function findings({ request, last = page, ...others }: Poll): readonly string[] {
  const programs = Object.entries(others).map(([name, program]) => [name, { "!jq": program }]);
  const intake = {
    type: "polling",
    name: "customers",
    ...Object.fromEntries(programs),
    request: { "!pipe": [...request, { "!jq": last }] },
  };
  const bad = JSON.stringify(intake);
  const { text } = exampleDocument({ in: "inbound-polling", at: "/data_intake/0", bad, good: "" }, bad);
  return compile(text, { uri: "a.app.json" })
    .diagnostics.filter(({ severity }) => severity === "error" || severity === "warning")
    .map(({ finding }) => finding.rule.id);
}

describe("right", () => {
  test.each(Object.entries(right))("%s", (_, poll) => expect(findings(poll)).toEqual([]));
});

describe("wrong", () => {
  test.each(Object.entries(wrong))("%s", (_, [poll, rule]) => expect(findings(poll)).toEqual([rule]));
});
