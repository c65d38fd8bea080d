import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Answers in two ways, and tokens that are made as hashes: in other words, and what is right although it looks alike. */

describe("the answers to two kinds of requests", () => {
  const told = (comment: string | undefined, read: string, ...between: readonly unknown[]): string[] =>
    findings("response/other-of-two", "inbound-webhook", {
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { path: "/me" } },
          {
            ...(comment === undefined ? {} : { _comment: comment }),
            "!switch": {
              jq: 'if .role == "team" then 0 else 1 end',
              cases: [
                { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
                { "!http": { method: "POST", path: "/regions/hooks", body: { url: "${webhook.url}" } } },
              ],
            },
          },
          ...between,
          { "!jq": `{hook_id: ${read}}` },
          { "!save": { scope: "workflow" } },
        ],
      },
    });
  const said = "The federation answers {id, …}, a region {hook: {id, …}}.";

  test.each([
    ["the plain one", said, ".id"],
    ["the one inside", said, ".hook.id"],
    ["said the other way round", "A region gets {hook: {id, url}}, the federation {id, url}.", ".id"],
    ["as a text", said, "(.id | tostring)"],
  ])("%s alone", (_, comment, read) => {
    expect(told(comment, read)).toHaveLength(1);
  });

  test.each([
    ["both", said, "(.id // .hook.id)"],
    ["both, the inner one first", said, "(.hook.id // .id)"],
    ["by the object", said, "((.hook // .) | .id)"],
    ["by a condition", said, '(if has("hook") then .hook.id else .id end)'],
    ["one answer is said", "Answers {id, …}.", ".id"],
    ["an object beside it", "It answers {id, hook: {id}}.", ".id"],
    ["what is sent", "Both get {id, …}. We send {hook: {id}}.", ".id"],
    ["nothing is said", undefined, ".id"],
  ])("right: %s", (_, comment, read) => {
    expect(told(comment, read)).toEqual([]);
  });

  test("another step between", () => {
    expect(told(said, ".id", { "!jq": "(.hook // .)" })).toEqual([]);
  });
});

describe("a token that is a hash", () => {
  interface Made {
    readonly value?: string;
    readonly algorithm?: string;
    readonly secret?: string;
  }
  const made = ({ value = "${webhook.url}", algorithm = "sha256", secret = "<HOOK_SECRET>" }: Made) => [
    { "!jq": `{value_to_encrypt: ${value}}` },
    { "!sha": { algorithm, secret } },
  ];
  const told = (
    own: Made,
    test = '.hash == (${piped_content.0} | .headers["x-hook-token"])',
    name = "token",
  ) =>
    findings("intake/other-token", "inbound-webhook", {
      "/data_intake/0/create": {
        "!pipe": [
          ...made({}),
          {
            "!http": {
              method: "POST",
              path: "/hooks",
              body: { url: "${webhook.url}", [name]: "${piped_content.2.hash}" },
            },
          },
          { "!jq": "{hook_id: .id}" },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/verification": {
        "!pipe": [
          ...made(own),
          {
            "!switch": {
              jq: `if ${test} then 0 else 1 end`,
              cases: [
                { "!respond": { process_payload: true, code: 200 } },
                { "!respond": { process_payload: false, code: 401 } },
              ],
            },
          },
        ],
      },
    });

  test.each([
    ["the body", { value: ".raw_body" }],
    ["the body with a default", { value: '(.raw_body // "")' }],
    ["another value", { value: "${data.workflow.hook_id}" }],
    ["another algorithm", { algorithm: "sha512" }],
    ["another secret", { secret: "<APP_SECRET>" }],
  ])("%s", (_, own) => {
    expect(told(own)).toHaveLength(1);
  });

  test("right: the same", () => {
    expect(told({})).toEqual([]);
    expect(told({ value: "(${webhook.url})" })).toEqual([]);
  });

  test("right: a signature with another secret", () => {
    expect(told({ value: ".raw_body", secret: "<APP_SECRET>" })).toEqual([]);
  });

  test("right: a header with a signature beside the token", () => {
    const both = '.hash == (${piped_content.0} | .headers["x-signature"])';
    expect(told({ value: ".raw_body" }, both)).toEqual([]);
    expect(
      told({ value: ".raw_body" }, `${both} and (\${piped_content.0} | .headers["x-token"]) != null`),
    ).toEqual([]);
  });

  test("right: what is sent is no token", () => {
    expect(told({ value: ".raw_body" }, undefined, "label")).toEqual([]);
  });
});
