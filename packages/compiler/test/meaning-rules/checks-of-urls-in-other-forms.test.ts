import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Checks of a URL, tokens and ages of deliveries, in the forms in which programs write them. */

const respond = (code: number, processed: boolean, more: Readonly<Record<string, unknown>> = {}) => ({
  "!respond": { code, process_payload: processed, ...more },
});
const told = (rule: string, verification: unknown, more: Readonly<Record<string, unknown>> = {}): string[] =>
  findings(rule, "inbound-webhook", { "/data_intake/0/verification": verification, ...more });
const switched = (jq: string, ...cases: unknown[]) => ({ "!switch": { jq, cases } });
const signed = (...steps: unknown[]) => ({
  "!pipe": [
    { "!jq": "{value_to_encrypt: .raw_body}" },
    { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
    ...steps,
  ],
});
const equal = ".hash == ${piped_content.0.headers.x-signature | default}";
const isSigned = signed(switched(`if ${equal} then 0 else 1 end`, respond(200, true), respond(401, false)));

describe("a check of the URL that is processed like an event", () => {
  const echo = { headers: { "X-Hook-Secret": "${piped_content.0.headers.x-hook-secret}" } };
  const shaken = (processed: boolean, jq = '.headers["x-hook-secret"]') =>
    switched(`if ${jq} then 0 else 1 end`, respond(200, processed, echo), isSigned);

  test.each([
    '.headers["x-hook-secret"]',
    '.headers["x-hook-secret"] != null',
    '.method == "OPTIONS"',
    '(.headers["x-hook-secret"] // "") != ""',
  ])("by a header or a method, and given back: %s", (jq) => {
    expect(told("intake/ping-processed", shaken(true, jq))).toHaveLength(1);
    expect(told("intake/ping-processed", shaken(false, jq))).toEqual([]);
  });

  test("a method by another name", () => {
    const jq = (number: number) =>
      `(\${piped_content.0.method} | ascii_upcase) as $m | if $m == "GET" then ${number} elif ${equal} then 1 else 2 end`;
    const answers = (processed: boolean) =>
      signed(
        switched(
          jq(0),
          respond(200, processed, { body: { response: "${piped_content.2.hash}" } }),
          respond(200, true),
          respond(403, false),
        ),
      );
    expect(told("intake/ping-processed", answers(true))).toHaveLength(1);
    expect(told("intake/ping-processed", answers(false))).toEqual([]);
  });

  const quiet = (word: string, processed: boolean, body?: unknown) =>
    signed(
      switched(
        `if .hash != \${piped_content.0.headers.x-signature | default} then 2 elif \${piped_content.0.body.event | default} == "${word}" then 1 else 0 end`,
        respond(200, true),
        respond(200, processed, body === undefined ? {} : { body }),
        respond(401, false),
      ),
    );

  test.each(["hook.test", "keepalive", "heartbeat"])(
    "%s, where its case is the same as that of events",
    (word) => {
      expect(told("intake/ping-processed", quiet(word, true))).toHaveLength(1);
      expect(told("intake/ping-processed", quiet(word, false))).toEqual([]);
    },
  );

  test("right: an event, or what the pipeline knows", () => {
    expect(told("intake/ping-processed", quiet("order.paid", true))).toEqual([]);
    expect(told("intake/ping-processed", quiet("hook.test", true, { seen: true }))).toEqual([]);
    const source = {
      "/workflows/0/data_pipeline/source": {
        "!jq": 'if .event == "hook.test" then null else {email: .email} end',
      },
    };
    expect(told("intake/ping-processed", quiet("hook.test", true), source)).toEqual([]);
  });
});

describe("exchanged cases of a check", () => {
  const answer = respond(200, false, { body: "${piped_content.0.query.challenge}" });
  const exchanged = (condition: string, first = answer, second: unknown = isSigned) => [
    told("intake/exchanged-challenge", switched(`if ${condition} then 1 else 0 end`, first, second)),
    told("intake/exchanged-challenge", switched(`if ${condition} then 0 else 1 end`, first, second)),
  ];

  test.each([
    '.method == "GET" and (.query.challenge // "") != ""',
    ".query.challenge",
    ".query.challenge != null",
    '(.query.challenge // "") != ""',
  ])("%s", (condition) => {
    const [bad, good] = exchanged(condition);
    expect(bad).toHaveLength(1);
    expect(good).toEqual([]);
  });

  test("where a step has taken the challenge out", () => {
    const verification = (first: number, second: number) => ({
      "!pipe": [
        { "!jq": '{type: .body.type, nonce: .body.nonce, key: .headers["x-key"]}' },
        switched(
          `if .type == "ping" then ${first} else ${second} end`,
          respond(200, false, { body: { nonce: "${piped_content.1.nonce}" } }),
          switched(
            "if .key == ${data.workflow.hook_id} then 0 else 1 end",
            respond(204, true),
            respond(403, false),
          ),
        ),
      ],
    });
    expect(told("intake/exchanged-challenge", verification(1, 0))).toHaveLength(1);
    expect(told("intake/exchanged-challenge", verification(0, 1))).toEqual([]);
  });

  test("the check is refused, and its answer goes to others", () => {
    const verification = (...cases: unknown[]) =>
      switched(
        'if .query.challenge then 0 elif .body.state != "<STATE>" then 1 else 2 end',
        ...cases,
        respond(202, true),
      );
    expect(told("intake/exchanged-challenge", verification(respond(403, false), answer))).toHaveLength(1);
    expect(told("intake/exchanged-challenge", verification(answer, respond(403, false)))).toEqual([]);
  });

  test("right: the check has to be genuine, too", () => {
    const jq =
      'if .method == "GET" and .query.token != ${data.workflow.hook_id} then 2 elif .method == "GET" then 0 else 1 end';
    expect(
      told("intake/exchanged-challenge", switched(jq, answer, respond(200, true), respond(403, false))),
    ).toEqual([]);
  });
});

describe("a token that was saved", () => {
  const saved = {
    "/data_intake/0/create": {
      "!pipe": [
        { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
        { "!jq": "{hook_id: .id, hook_key: .key}" },
        { "!save": { scope: "workflow" } },
      ],
    },
  };
  const jq = (condition: string, yes: number) => `if ${condition} then ${yes} else ${1 - yes} end`;
  const checked = (condition: string, yes: number): string[] =>
    told(
      "intake/reversed-check",
      switched(jq(condition, yes), respond(200, true), respond(403, false)),
      saved,
    );

  test.each([
    '.headers["x-key"] == ${data.workflow.hook_key}',
    '(.body.key // "") == "${data.workflow.hook_key}"',
    '(${data.workflow.hook_key | default}) != "" and .headers["x-key"] == ${data.workflow.hook_key}',
  ])("refused where it is right: %s", (condition) => {
    expect(checked(condition, 1)).toHaveLength(1);
    expect(checked(condition, 0)).toEqual([]);
  });

  test("right: with the check of the URL, or where it is no secret", () => {
    const answered = switched(
      'if .query.token == ${data.workflow.hook_key} then 1 elif .headers["x-key"] == ${data.workflow.hook_key} then 0 else 2 end',
      respond(200, true),
      respond(200, false, { body: "${piped_content.0.query.challenge}" }),
      respond(403, false),
    );
    expect(told("intake/reversed-check", answered, saved)).toEqual([]);
    expect(checked('.body.hook == "${data.workflow.hook_id}"', 1)).toEqual([]);
  });
});

describe("hashes and ages", () => {
  const aged = (test: string, ...steps: unknown[]) => ({
    "!pipe": [
      { "!jq": '{value_to_encrypt: (.headers["x-time"] + "." + .raw_body)}' },
      { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
      ...steps,
      switched(test, respond(200, true), respond(401, false), respond(400, false)),
    ],
  });
  const sent = '($h["x-time"] // "0" | tonumber? // 0)';
  const age = (operator: string, reckoned = `(now - ${sent} | fabs)`): string =>
    `\${piped_content.0.headers} as $h | if ${reckoned} ${operator} 300 then 2 elif .hash == $h["x-signature"] then 0 else 1 end`;

  test("what is young is refused", () => {
    expect(told("intake/refuses-genuine", aged(age("<")))).toHaveLength(1);
    expect(told("intake/refuses-genuine", aged(age(">")))).toEqual([]);
    expect(told("intake/refuses-genuine", aged(age("<", `(${sent} - now | fabs)`)))).toHaveLength(1);
  });

  test("the hash is compared with capitals", () => {
    const compared = (cased: string) =>
      signed(
        switched(
          `if .hash == (\${piped_content.0.body.signature | default} | ${cased}) then 0 else 1 end`,
          respond(200, true),
          respond(401, false),
        ),
      );
    expect(told("intake/refuses-genuine", compared("ascii_upcase"))).toHaveLength(1);
    expect(told("intake/refuses-genuine", compared("ascii_downcase"))).toEqual([]);
  });

  test("a comment says capital digits", () => {
    const verification = (read: string) => ({
      _comment: "X-Signature is the HMAC of the raw body in capital hex digits.",
      ...signed(
        switched(
          `if ${read} == \${piped_content.0.headers.x-signature | default} then 0 else 1 end`,
          respond(200, true),
          respond(401, false),
        ),
      ),
    });
    expect(told("intake/refuses-genuine", verification(".hash"))).toHaveLength(1);
    expect(told("intake/refuses-genuine", verification("(.hash | ascii_upcase)"))).toEqual([]);
  });

  test("a GET has no body", () => {
    const asked = (part: string) =>
      switched(
        `if .method == "GET" and .${part}.mode == "confirm" then 0 else 1 end`,
        respond(200, false, { body: "${piped_content.0.query.challenge}" }),
        isSigned,
      );
    expect(told("intake/body-of-get", asked("body"))).toEqual([".body.mode"]);
    expect(told("intake/body-of-get", asked("query"))).toEqual([]);
    const token = (part: string) =>
      switched(
        `(if .method == "GET" then ${part} else .headers["x-token"] end) as $t | if $t == "<TOKEN>" then 0 else 1 end`,
        respond(200, true),
        respond(403, false),
      );
    expect(told("intake/body-of-get", token(".body.token"))).toEqual([".body.token"]);
    expect(told("intake/body-of-get", token("(.body.token // .query.token)"))).toEqual([]);
  });

  test("the text that was hashed is compared, and the hash is given back to a check", () => {
    const verification = (read: string) =>
      signed(
        switched(
          `if \${piped_content.0.method} == "GET" then 0 elif ${read} == \${piped_content.0.headers.x-hash | default} then 1 else 2 end`,
          respond(200, false, { body: { answer: "${piped_content.2.hash}" } }),
          respond(200, true),
          respond(401, false),
        ),
      );
    expect(told("intake/accepts-forged", verification(".value_to_encrypt"))).toHaveLength(1);
    expect(told("intake/accepts-forged", verification(".hash"))).toEqual([]);
  });
});
