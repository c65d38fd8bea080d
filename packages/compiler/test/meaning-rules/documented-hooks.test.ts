import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

const answer = (condition: string, body: unknown, headers?: object): object => ({
  "!pipe": [
    {
      "!switch": {
        jq: `if ${condition} then 0 else 1 end`,
        cases: [
          { "!respond": { code: 200, ...(headers === undefined ? {} : { headers }), body } },
          { "!respond": { process_payload: true } },
        ],
      },
    },
  ],
});

const told = (rule: string, comment: unknown, verification: object): number =>
  findings(rule, "inbound-webhook", {
    "/data_intake/0/_comment": comment,
    "/data_intake/0/verification": verification,
  }).length;

const inQuery = "${piped_content.0.query.challenge}";
const inBody = "${piped_content.0.body.challenge}";

describe("a comment says where the challenge comes", () => {
  test.each([
    ['The service posts {"type": "check", "challenge": "…"} and wants the challenge back.', inQuery, 1],
    ["While a hook is made, it sends {type: ping, challenge} and waits for the challenge.", inQuery, 1],
    ['The target gets {"kind": "challenge", "challenge": "q8Zr…"}, unsigned.', inQuery, 1],
    ['The service posts {"type": "check", "challenge": "…"} and wants the challenge back.', inBody, 0],
    ["It calls the URL with GET ?challenge=… and wants the challenge back.", inQuery, 0],
    ["It posts {challenge}, or asks with GET ?challenge=…", inQuery, 0],
    ["The service posts {event, person}.", inQuery, 0],
    ["It sends a challenge first.", inQuery, 0],
  ])("%s", (comment, read, count) => {
    const verification = answer('.body.type == "check"', { challenge: read });
    expect(told("intake/query-of-post", comment, verification)).toBe(count);
  });
});

describe("a comment says what the answer to a challenge is", () => {
  const object = { challenge: inBody };
  const text = { "content-type": "text/plain" };
  test.each([
    ["It posts a challenge and wants the text back as text/plain.", object, undefined, 1],
    ["A handshake wants the challenge back as text.", object, undefined, 1],
    ["A handshake wants the challenge back as plain text.", inBody, text, 0],
    ["It posts {type: ping, challenge} and wants {echo: challenge} back.", object, undefined, 1],
    ["It posts {type: ping, challenge} and wants {echo: challenge} back.", { echo: inBody }, undefined, 0],
    ['A challenge has to be answered with 200 and {"challenge": the same text}.', inBody, text, 1],
    ['It wants {"challenge": the same text} for its challenge.', object, undefined, 0],
    ["It wants {challenge} back, the nonce that it sent.", object, undefined, 0],
    // What else stands in braces, and what two comments say.
    ["It sends {type, challenge} and wants its challenge back.", inBody, text, 0],
    ["Form bodies: every value is a text. The challenge comes back.", object, undefined, 0],
    ["GET wants the challenge back as text; a ping wants {nonce} back.", object, undefined, 0],
  ])("%s", (comment, body, headers, count) => {
    expect(told("intake/documented-challenge", comment, answer('.body.type == "check"', body, headers))).toBe(
      count,
    );
  });
});

describe("a comment says how old a delivery may be", () => {
  const checked = (test: string): object => ({
    "!pipe": [
      { "!jq": '{value_to_encrypt: (.headers["x-timestamp"] + "." + .raw_body)}' },
      { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
      {
        "!switch": {
          jq: `if .hash == \${piped_content.0.headers.x-signature} and ${test} then 0 else 1 end`,
          cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
        },
      },
    ],
  });
  const time = "(${piped_content.0.headers.x-timestamp} | tonumber)";
  test.each([
    ["Older than five minutes is a replay.", `now - ${time} < 3600`, 1],
    ["X-Timestamp is in Unix seconds; older than 5 minutes is refused.", `now - ${time} < 3600`, 1],
    [
      "Notices whose time is more than 300 seconds off must be turned away.",
      `(now - ${time} | fabs) <= 3000`,
      1,
    ],
    ["Ten minutes is the most that the time may be off.", `now - ${time} < 60`, 1],
    ["Over five minutes old means refuse.", `now - ${time} < 20`, 1],
    ["Older than five minutes is a replay.", `now - ${time} < 300`, 0],
    ["Older than five minutes is a replay.", `now - ${time} < 250`, 0],
    ["Older than five minutes is a replay.", `now - ${time} < 360`, 0],
    // A time that something else lives, and none at all.
    ["A delivery is tried again for two days.", `now - ${time} < 300`, 0],
    ["A cursor older than five minutes is refused.", `now - ${time} < 3600`, 0],
    [
      "Older than five minutes is a replay; ten minutes is the most that the time may be off.",
      `now - ${time} < 3600`,
      0,
    ],
    ["Deliveries are signed.", `now - ${time} < 3600`, 0],
  ])("%s %s", (comment, test, count) => {
    expect(told("intake/other-tolerance", comment, checked(test))).toBe(count);
  });
});

describe("a comment says that a secret is told once", () => {
  const saved = "{hook_id: .id, hook_secret: .secret}";
  const changed = (place: string, comment: string): number =>
    findings("intake/lost-secret", "inbound-webhook", {
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
          { "!jq": saved },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/update": {
        "!pipe": [
          {
            "!http": {
              method: "PUT",
              path: "/hooks/${data.workflow.hook_id}",
              body: { url: "${webhook.url}" },
            },
          },
          { "!jq": saved },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/verification": {
        "!switch": {
          jq: 'if .headers["x-key"] == ${data.workflow.hook_secret} then 0 else 1 end',
          cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
        },
      },
      [place]: comment,
    }).length;
  const made = "/data_intake/0/create/!pipe/1/_comment";
  const update = "/data_intake/0/update/_comment";
  test.each([
    [made, "{id: 77, secret: …}; the secret is told this once.", 1],
    [made, "The signing secret is in this answer only.", 1],
    [made, "The signing secret is shown in this answer and never again.", 1],
    ["/data_intake/0/_comment", "The secret is only in the answer to the first POST.", 1],
    [update, "Every PUT makes a new secret, and only this answer shows it.", 0],
    [made, "The answer has the id and the secret.", 0],
  ])("%s %s", (place, comment, count) => {
    expect(changed(place, comment)).toBe(count);
  });
});
