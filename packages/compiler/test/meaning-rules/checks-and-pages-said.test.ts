import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What a verification lets in or drops, and how lists end: in other words, and what is right although it looks alike. */

const verified = (
  rule: string,
  verification: unknown,
  more: Readonly<Record<string, unknown>> = {},
): string[] => findings(rule, "inbound-webhook", { ...more, "/data_intake/0/verification": verification });
const answers = [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }];

describe("a token that is compared with itself", () => {
  const told = (made: string, test: string): string[] =>
    verified("jq/compared-with-itself", {
      "!pipe": [{ "!jq": made }, { "!switch": { jq: `if ${test} then 0 else 1 end`, cases: answers } }],
    });
  const ours = "${data.workflow.hook_id | default}";

  test.each([".shown == .ours", ".shown != .ours", '.ours != "" and .shown == .ours'])("%s", (test) => {
    expect(told(`{shown: ${ours}, ours: ${ours}}`, test)).toHaveLength(1);
  });

  test.each([
    [`{shown: .headers["x-token"], ours: ${ours}}`, ".shown == .ours"],
    ["{shown: 0, ours: 0}", ".shown == .ours"],
    [`{shown: ${ours}, ours: (${ours} | ascii_downcase)}`, ".shown == .ours"],
  ])("right: %s", (made, test) => {
    expect(told(made, test)).toEqual([]);
  });
});

describe("an age between two limits", () => {
  const told = (fresh: string): string[] =>
    verified("intake/accepts-old", {
      "!pipe": [
        { "!jq": '{value_to_encrypt: ((.headers["x-timestamp"] // "") + "." + .raw_body)}' },
        { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
        {
          "!switch": {
            jq: `\${piped_content.0.headers} as $h | ($h["x-timestamp"] // "0" | tonumber) as $sent | if .hash == $h["x-signature"] and (${fresh}) then 0 else 1 end`,
            cases: answers,
          },
        },
      ],
    });

  test.each(["now - $sent < 300 or $sent - now < 300", "$sent > now - 300 or $sent < now + 300"])(
    "%s",
    (fresh) => {
      expect(told(fresh)).toHaveLength(1);
    },
  );

  test.each(["now - $sent < 300 and $sent - now < 300", "(now - $sent | fabs) < 300"])(
    "right: %s",
    (fresh) => {
      expect(told(fresh)).toEqual([]);
    },
  );
});

describe("an event that is answered as a check", () => {
  const told = (test: string, body: unknown = { challenge: "${piped_content.0.body.challenge}" }): string[] =>
    verified(
      "intake/refused-event",
      {
        "!switch": {
          jq: `if ${test} then 0 elif .headers["x-token"] == \${data.workflow.hook_id} then 1 else 2 end`,
          cases: [
            { "!respond": { process_payload: false, body } },
            { "!respond": { process_payload: true } },
            { "!respond": { code: 401 } },
          ],
        },
      },
      {
        "/data_intake/0/create/!pipe/0/!http/body": {
          url: "${webhook.url}",
          events: ["job.created", "job.updated", "job.closed"],
        },
      },
    );

  test.each(['.body.event != "job.updated"', '.body.event == "job.closed"'])("%s", (test) => {
    expect(told(test)).toHaveLength(1);
  });

  test("a check", () => {
    expect(told('.body.event == "url.check"')).toEqual([]);
  });

  test("one that is dropped on purpose", () => {
    expect(told('.body.event == "job.closed"', { ok: true })).toEqual([]);
  });
});

describe("what isn't the delivery", () => {
  const told = (test: string): string[] =>
    verified("intake/refuses-genuine", {
      "!pipe": [
        {
          "!jq": `{value_to_encrypt: (if .method == "${test}" then .query.challenge // "" else .raw_body end)}`,
        },
        { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
        {
          "!switch": {
            jq: 'if ${piped_content.0.method} == "GET" then 0 elif .hash == ${piped_content.0.headers.x-hash | default} then 1 else 2 end',
            cases: [
              { "!respond": { process_payload: false, body: { answer: "${piped_content.2.hash}" } } },
              ...answers,
            ],
          },
        },
      ],
    });

  test("is hashed", () => {
    expect(told("POST")).toHaveLength(1);
    expect(told("GET")).toEqual([]);
  });
});

describe("what is signed, at the end of a sentence", () => {
  const told = (comment: string, hashed: string): string[] =>
    verified(
      "intake/signed-parts",
      {
        "!pipe": [
          { "!jq": `{value_to_encrypt: (${hashed})}` },
          { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
          {
            "!switch": {
              jq: "if .hash == ${piped_content.0.headers.x-signature} then 0 else 1 end",
              cases: answers,
            },
          },
        ],
      },
      { "/data_intake/0/_comment": comment },
    );
  const turned = '.raw_body + "." + (.headers["x-timestamp"] // "")';

  test("turned", () => {
    expect(told("X-Signature is the hex HMAC-SHA256 of TIMESTAMP.BODY.", turned)).toHaveLength(1);
  });

  test("right", () => {
    const right = '(.headers["x-timestamp"] // "") + "." + .raw_body';
    expect(told("X-Signature is the hex HMAC-SHA256 of TIMESTAMP.BODY.", right)).toEqual([]);
    expect(told("The hash is over timestamp.body.digest and more.", turned)).toEqual([]);
  });
});

describe("a header with several parts", () => {
  const told = (rule: string, comment: string, test: string): string[] =>
    verified(
      rule,
      {
        "!pipe": [
          { "!jq": "{value_to_encrypt: .raw_body}" },
          { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
          {
            "!switch": {
              jq: `.hash as $mine | (\${piped_content.0.headers.x-signature}) as $head | if ${test} then 0 else 1 end`,
              cases: answers,
            },
          },
        ],
      },
      { "/data_intake/0/_comment": comment },
    );
  const several = "X-Signature lists one or two signatures.";

  test.each([
    [several, '$head | split(",") | index($mine) == 0'],
    ["All signatures are in X-Signature.", '($head | split(",") | index($mine)) == 0'],
  ])("only the first: %s %s", (comment, test) => {
    expect(told("intake/first-signature", comment, test)).toHaveLength(1);
  });

  test.each([
    [several, '$head | split(",") | index($mine) != null'],
    [several, '$head | split(",") | index($mine) >= 0'],
    ["X-Signature is the signature.", '$head | split(",") | index($mine) == 0'],
  ])("right: %s %s", (comment, test) => {
    expect(told("intake/first-signature", comment, test)).toEqual([]);
  });

  const turned = '($head | capture("^s=(?<s>[0-9a-f]+),t=(?<t>[0-9]+)$") | .s) == $mine';
  test("another order", () => {
    expect(told("intake/header-order", "X-Signature: t=SECONDS,s=HEX.", turned)).toHaveLength(1);
    expect(told("intake/header-order", "X-Signature: s=HEX,t=SECONDS.", turned)).toEqual([]);
    expect(told("intake/header-order", "t=SECONDS,s=HEX, of old hooks s=HEX,t=SECONDS.", turned)).toEqual([]);
    expect(told("intake/header-order", "X-Signature: t=SECONDS,v=HEX.", turned)).toEqual([]);
  });
});

describe("a test call that alone is handed on", () => {
  const told = (condition: string, first = true, second = false): string[] =>
    verified("intake/ping-processed", {
      "!switch": {
        jq: `if .headers["x-token"] != \${data.workflow.hook_id} then 2 elif ${condition} then 0 else 1 end`,
        cases: [
          { "!respond": { process_payload: first } },
          { "!respond": { process_payload: second } },
          { "!respond": { code: 401 } },
        ],
      },
    });

  test.each([".body.test == true", ".body.is_test"])("%s", (condition) => {
    expect(told(condition)).toHaveLength(1);
    expect(told(condition, false, true)).toEqual([]);
    expect(told(condition, true, true)).toEqual([]);
  });

  test('an event that is called "test"', () => {
    expect(told('.body.kind == "test"')).toEqual([]);
  });
});

describe("the newest of the whole list", () => {
  const told = (comment: string): string[] =>
    findings("polling/head-watermark", "inbound-polling", {
      "/data_intake/0/initial_setup": { "!jq": "{polling_state: {marker: 0}}" },
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
      "/data_intake/0/request/!pipe/0/!http/params": { from: "${polling_state.marker}", limit: 200 },
      "/data_intake/0/request/!pipe/1": {
        _comment: comment,
        "!jq": "{results: .items, iterate: .more, polling_state: {marker: .head_marker}}",
      },
    });

  test("by the step's own comment", () => {
    expect(told("head_marker is the newest entry of the market, read or not.")).toHaveLength(1);
    expect(told("head_marker is the newest entry of the answer.")).toEqual([]);
    expect(told("head_marker is the newest entry that was read.")).toEqual([]);
  });
});
