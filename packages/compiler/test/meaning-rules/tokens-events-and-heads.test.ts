import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";

/** What a variable carries into a check, a table of events, and what comments say of the newest record. */

const registered = (events: readonly string[]) => ({
  "/data_intake/0/create": {
    "!pipe": [
      { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}", events } } },
      { "!jq": "{hook_id: .id, hook_token: .token}" },
      { "!save": { scope: "workflow" } },
    ],
  },
});

describe("intake/id-as-secret: a header in a variable", () => {
  const told = (jq: string): string[] =>
    findings("intake/id-as-secret", "inbound-webhook", {
      ...registered(["member.joined"]),
      "/data_intake/0/verification": {
        "!switch": {
          jq,
          cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
        },
      },
    });
  test.each([
    [
      '(.headers["x-hook-token"] // "") as $sent | if $sent != "" and $sent == ${data.workflow.hook_id} then 0 else 1 end',
      1,
    ],
    ['${data.workflow.hook_id} as $known | if .headers["x-hook-token"] == $known then 0 else 1 end', 1],
    [
      '(.headers["x-hook-token"] // "") as $sent | if $sent != "" and $sent == ${data.workflow.hook_token} then 0 else 1 end',
      0,
    ],
    ['(.headers["x-hook-id"] // "") as $sent | if $sent == ${data.workflow.hook_id} then 0 else 1 end', 0],
  ])("%s", (jq, count) => {
    expect(told(jq)).toHaveLength(count);
  });
});

describe("jq/no-such-key: events that are registered", () => {
  const told = (program: string, events = ["member.joined", "member.renewed", "member.lapsed"]): string[] =>
    findings("jq/no-such-key", "inbound-webhook", {
      ...registered(events),
      "/workflows/0/data_pipeline/source": { "!jq": program },
    });
  const table = '{"member.joined": "in", "member.lapsed": "out"}[.event]';
  test.each([
    [`{email: .email, _tags: [${table}]}`, 1],
    [`. as $m | {email: .email, _tags: [{"member.joined": "in", "member.lapsed": "out"}[$m.event]]}`, 1],
    // What becomes of the other one is said.
    [`{email: .email, _tags: [${table} // "member"]}`, 0],
    [`{email: .email, _tags: [${table} // empty]}`, 0],
    [`{email: .email, _tags: [${table} | values]}`, 0],
    [`if .event == "member.renewed" then null else {email: .email, _tags: [${table}]} end`, 0],
    [`if (.event | endswith("renewed")) then null else {email: .email, _tags: [${table}]} end`, 0],
    // Events of something else, and a member that isn't the event.
    ['{email: .email, _tags: [{"joined": "in", "lapsed": "out"}[.event]]}', 0],
    ['{email: .email, _tags: [{"member.joined": "in", "member.lapsed": "out"}[.reason]]}', 0],
  ])("%s", (program, count) => {
    expect(told(program)).toHaveLength(count);
  });
  test("where all are there", () => {
    expect(told(`{email: .email, _tags: [${table}]}`, ["member.joined", "member.lapsed"])).toEqual([]);
  });
});

describe("polling/head-watermark: what is said of the newest record", () => {
  const told = (comment: string): string[] =>
    inPolling("polling/head-watermark", {
      _comment: comment,
      initial_setup: { "!jq": "{polling_state: {after_seq: 0}}" },
      pre_poll: undefined,
      post_poll: undefined,
      request: {
        "!pipe": [
          { "!http": { path: "/orders", params: { after_seq: "${polling_state.after_seq}", limit: 100 } } },
          {
            "!jq":
              "{results: .orders, iterate: ((.orders | length) == 100), polling_state: {after_seq: (.newest_seq // ${polling_state.after_seq})}}",
          },
        ],
      },
    });
  test.each([
    ["Answer: {orders: […], newest_seq: the highest number the site has}.", 1],
    ["newest_seq is the last number that our shop holds.", 1],
    ["newest_seq: the highest number this page has.", 0],
    ["newest_seq is the highest number the answer has.", 0],
  ])("%s", (comment, count) => {
    expect(told(comment)).toHaveLength(count);
  });
});
