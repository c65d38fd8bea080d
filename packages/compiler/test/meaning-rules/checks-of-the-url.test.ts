import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Checks of a webhook's URL that are taken for deliveries, each beside right ones that look alike. */

const back = { "!respond": { code: 200, body: { challenge: "${piped_content.0.body.challenge}" } } };
const backOfQuery = { "!respond": { process_payload: false, body: "${piped_content.0.query.challenge}" } };
const accept = { "!respond": { process_payload: true, code: 202 } };
const refuse = { "!respond": { code: 403 } };
const signed = {
  "!pipe": [
    { "!jq": "{value_to_encrypt: .raw_body}" },
    { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
    {
      "!switch": {
        jq: "if .hash == ${piped_content.0.headers.x-signature | default} then 0 else 1 end",
        cases: [accept, refuse],
      },
    },
  ],
};

const told = (jq: string, ...cases: unknown[]): string[] =>
  findings("intake/exchanged-challenge", "inbound-webhook", {
    "/data_intake/0/verification": { "!pipe": [{ "!switch": { jq, cases } }] },
  });

describe("intake/exchanged-challenge", () => {
  test.each([
    ["the method", 'if .method == "GET" then 1 else 0 end', [backOfQuery, signed], '.method == "GET"'],
    ["another method", 'if .method == "POST" then 0 else 1 end', [backOfQuery, signed], '.method == "POST"'],
    ["not", 'if (.method == "GET" | not) then 0 else 1 end', [backOfQuery, signed], '.method == "GET"'],
    ["a word", 'if .body.type == "handshake" then 1 else 0 end', [back, signed], '.body.type == "handshake"'],
    [
      "a word with its kind",
      'if .body.event != "endpoint.url_validation" then 0 else 1 end',
      [back, accept],
      '.body.event != "endpoint.url_validation"',
    ],
    [
      "a later branch",
      'if .headers["x-token"] != ${data.workflow.hook_id | default} then 2 elif .method == "GET" then 0 else 1 end',
      [accept, backOfQuery, refuse],
      '.method == "GET"',
    ],
  ])("%s", (_, jq, cases, marked) => {
    expect(told(jq, ...cases)).toEqual([marked]);
  });

  test.each([
    ["the method", 'if .method == "GET" then 0 else 1 end', [backOfQuery, signed]],
    ["a word", 'if .body.type == "url_check" then 0 else 1 end', [back, signed]],
    ["what an event is called", 'if .body.type == "event_callback" then 1 else 0 end', [back, signed]],
    ["what isn't an event", 'if .body.type != "event" then 0 else 1 end', [back, accept]],
    ["a word of an event", 'if .body.event == "order.verified" then 1 else 0 end', [back, signed]],
    [
      "three ways",
      'if .method == "GET" then 0 elif .headers["x-token"] == ${data.workflow.hook_id | default} then 1 else 2 end',
      [backOfQuery, accept, refuse],
    ],
  ])("right: %s", (_, jq, cases) => {
    expect(told(jq, ...cases)).toEqual([]);
  });

  test("where a token is read", () => {
    const jq = (asked: string): string =>
      `(if ${asked} then .query.token else .headers["x-token"] end) as $t | if $t == "" then 1 else 0 end`;
    expect(told(jq('.method == "GET"'), accept, refuse)).toEqual([]);
    expect(told(jq('.method == "POST"'), accept, refuse)).toEqual(['.method == "POST"']);
  });
});
