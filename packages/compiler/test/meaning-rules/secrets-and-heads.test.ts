import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";

/** Secrets that a change renews, hashes that nothing compares, heads of whole lists, and windows that are closed unread. */

const jq = (program: string) => ({ "!jq": program });
const respond = (process_payload: boolean) => ({
  "!respond": { process_payload, code: process_payload ? 200 : 401 },
});
const choose = (program: string) => ({ "!switch": { jq: program, cases: [respond(true), respond(false)] } });
const sha = { "!sha": { algorithm: "sha256", secret: "${data.workflow.hook_secret}" } };
const signature = "${piped_content.0.headers.x-signature | default}";

describe("intake/unsaved-secret: nothing is saved", () => {
  const http = (method: string, path: string) => ({
    "!http": { method, path, body: { url: "${webhook.url}" } },
  });
  const told = (comment: string, method = "PUT", own?: string, steps: readonly object[] = []): string[] =>
    findings("intake/unsaved-secret", "inbound-webhook", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/create": {
        "!pipe": [
          http("POST", "/hooks"),
          jq("{hook_id: .id, hook_secret: .secret}"),
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/update": {
        ...(own === undefined ? {} : { _comment: own }),
        "!pipe": [http(method, "/hooks/${data.workflow.hook_id}"), ...steps],
      },
      "/data_intake/0/verification": {
        "!pipe": [
          jq("{value_to_encrypt: .raw_body}"),
          sha,
          choose(`if .hash == ${signature} then 0 else 1 end`),
        ],
      },
    });

  test.each([
    ["A PUT rolls the secret."],
    ["Calls are signed. Each PUT gives the hook a new secret; the old one is void."],
    ["Every update issues a new signing key."],
    ["With each change the secret is renewed."],
  ])("%s", (comment) => {
    expect(told(comment)).toEqual(['"!http"']);
  });

  test("a comment in update", () => {
    expect(told("One hook a list.", "PATCH", "The answer has a new secret.")).toEqual(['"!http"']);
  });

  test.each([
    ["A PUT keeps id and secret."],
    ["The secret is not renewed by a PUT."],
    ["A PUT only renews the secret when asked to."],
    ["A PUT may roll the secret."],
    ["One hook a list, with a secret of its own."],
    ["The POST makes a new secret."],
    ["A DELETE and a POST make a new secret, a PUT changes the list."],
  ])("right: %s", (comment) => {
    expect(told(comment)).toEqual([]);
  });

  test("right: another method, or it is saved", () => {
    expect(told("A PUT rolls the secret.", "PATCH")).toEqual([]);
    const saved = [jq("{hook_secret: .secret}"), { "!save": { scope: "workflow" } }];
    expect(told("A PUT rolls the secret.", "PUT", undefined, saved)).toEqual([]);
  });
});

describe("intake/accepts-forged: a hash that nothing compares", () => {
  const told = (...steps: readonly object[]): string[] =>
    findings("intake/accepts-forged", "inbound-webhook", {
      "/data_intake/0/verification": { "!pipe": [jq("{value_to_encrypt: .raw_body}"), sha, ...steps] },
    });
  const list = `("${signature}" | split(","))`;

  test.each([
    [`("v1=" + .hash) as $mine | if (${list} | length) > 0 then 0 else 1 end`],
    [`.hash as $mine | if "${signature}" != "" then 0 else 1 end`],
    [`if (.hash | length) == ("${signature}" | length) then 0 else 1 end`],
    [`if .hash != null and "${signature}" != "" then 0 else 1 end`],
    [
      '.hash as $hash | if "${piped_content.0.headers.x-signature | default}" | test("^[0-9a-f]{64}$") then 0 else 1 end',
    ],
  ])("%s", (program) => {
    expect(told(choose(program))).toEqual(['"!sha"']);
  });

  test.each([
    [`("v1=" + .hash) as $mine | if (${list} | index($mine)) != null then 0 else 1 end`],
    [`if (${list} | index("v1=" + .hash)) != null then 0 else 1 end`],
    [`if (.hash | length) == 64 and .hash == "${signature}" then 0 else 1 end`],
    [`.hash as $a | $a as $b | if $b == "${signature}" then 0 else 1 end`],
    [`if .hash != null and .hash == "${signature}" then 0 else 1 end`],
    [`if "\${piped_content.2.hash}" == "${signature}" then 0 else 1 end`],
  ])("right: %s", (program) => {
    expect(told(choose(program))).toEqual([]);
  });
});

describe("polling/head-watermark: of what is polled", () => {
  const told = (comment: string, value = ".head"): string[] =>
    findings("polling/head-watermark", "inbound-polling", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/initial_setup": jq("{polling_state: {after: 0}}"),
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/request": {
        "!pipe": [
          { "!http": { path: "/log", params: { after: "${polling_state.after}", limit: 200 } } },
          jq(
            `(.items[-1].seq // \${polling_state.after}) as $seq | {results: .items, iterate: ($seq < .head), polling_state: {after: ${value}}}`,
          ),
        ],
      },
      "/data_intake/0/post_poll": undefined,
    });

  test.each([
    ["head is the number of the newest entry of the site; entries after the given one come in order."],
    ["head: the latest seq in the log."],
    ["head is the newest entry there is."],
  ])("%s", (comment) => {
    expect(told(comment)).toEqual([".head"]);
  });

  test.each([
    ["head is the newest entry of the page."],
    ["head is the number of the last entry in this answer."],
    ["head is the newest entry of the site that was given."],
    ["head is the latest entry in the list."],
    ["The log has a head."],
  ])("right: %s", (comment) => {
    expect(told(comment)).toEqual([]);
  });

  test("right: the last one that was read", () => {
    expect(told("head is the number of the newest entry of the site.", "$seq")).toEqual([]);
  });
});

describe("polling/cut-cycle: the place begins again by itself", () => {
  const told = (post: string, after = "(if $more then .items[-1].id + 1 else 0 end)"): string[] =>
    inPolling("polling/cut-cycle", {
      initial_setup: jq("(now - 86400 | todate) as $t | {polling_state: {since: $t, until: $t, after: 0}}"),
      pre_poll: jq(
        "${polling_state} as $s | {polling_state: (if $s.after == 0 then $s + {until: (now - 120 | todate)} else $s end)}",
      ),
      request: {
        "!pipe": [
          {
            "!http": {
              path: "/orders",
              params: {
                changed_from: "${polling_state.since}",
                changed_to: "${polling_state.until}",
                min_id: "${polling_state.after}",
                sort: "id",
                limit: 250,
              },
            },
          },
          jq(
            `(.items | length == 250) as $more | {results: .items, iterate: $more, polling_state: (\${polling_state} + {after: ${after}})}`,
          ),
        ],
      },
      post_poll: jq(post),
    });

  test("its window is closed after each cycle", () => {
    expect(told("${polling_state} | .since = .until | {polling_state: .}")).toHaveLength(1);
    expect(told("{polling_state: (${polling_state} + {since: ${polling_state.until}})}")).toHaveLength(1);
  });

  test("right: only once it is read", () => {
    expect(
      told("${polling_state} | if .after == 0 then .since = .until else . end | {polling_state: .}"),
    ).toEqual([]);
    expect(told("{polling_state: ${polling_state}}")).toEqual([]);
  });
});
