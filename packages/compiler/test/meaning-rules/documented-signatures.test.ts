import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

const hashed = (text: string, condition: string): object => ({
  "!pipe": [
    { "!jq": `{value_to_encrypt: ${text}}` },
    { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
    {
      "!switch": {
        jq: condition.includes(" as $")
          ? condition.replace(/^(.+? as \$\w+ \| )(.*)$/, "$1if $2 then 0 else 1 end")
          : `if ${condition} then 0 else 1 end`,
        cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
      },
    },
  ],
});

const told = (rule: string, comment: unknown, verification: object): number =>
  findings(rule, "inbound-webhook", {
    "/data_intake/0/_comment": comment,
    "/data_intake/0/verification": verification,
  }).length;

describe("a comment says how the signature is written", () => {
  const header = "${piped_content.0.headers.acme-mac | default}";
  test.each([
    ["Acme-Mac: sha256=HEX, the HMAC of the raw body.", `.hash == ${header}`, 1],
    ["Acme-Mac: sha256=HEX, the HMAC of the raw body.", `"sha256=" + .hash == ${header}`, 0],
    ["Acme-Mac: sha256=HEX, the HMAC of the raw body.", `.hash == (${header} | ltrimstr("sha256="))`, 0],
    ["Acme-Mac: sha256=HEX, the HMAC of the raw body.", `.hash == (${header} | split("=") | .[1])`, 0],
    ["Acme-Mac: sha256=HEX, the HMAC of the raw body.", `.hash == ${header}[7:]`, 0],
    // Another header, one with further parts, and nothing that is said.
    ["Acme-Hash: sha256=HEX", `.hash == ${header}`, 0],
    ["Acme-Mac: t=…,v1=HEX", `.hash == ${header}`, 1],
    ["Acme-Mac is alg=sha256;sig=HEX", `.hash == ${header}`, 1],
    ["Acme-Mac is sig=HEX;alg=sha256", `.hash == ${header}`, 0],
    ["Acme-Mac: t=SECONDS,v1=HEX", `(${header} | split(",") | index($__hash)) != null`, 1],
    ["Acme-Mac: t=SECONDS,v1=HEX", `(${header} | split(",") | index("v1=" + $__hash)) != null`, 0],
    ["Acme-Mac: t=SECONDS,v1=HEX", `.hash == (${header} | split("v1=") | last)`, 0],
    ["Acme-Mac: t=SECONDS,v1=HEX", `.hash == (${header} | capture("v1=(?<v1>.+)").v1)`, 0],
    ["Acme-Mac: t=SECONDS,v1=HEX", `.hash as $h | ${header} | endswith("v1=" + $h)`, 0],
    ["Acme-Mac: sha256= and the hex HMAC of the body.", `.hash == ${header}`, 1],
    ['Acme-Mac is "sha256=" and the HMAC of the raw body.', `.hash == ${header}`, 1],
    ["The signature is `sha256=` and the hash of the raw bytes.", `.hash == ${header}`, 1],
    ["The service signs the body and sends sha256=HEX; the secret is saved.", `.hash == ${header}`, 1],
    // Described in brackets, or by the beginning of a sample.
    ["Acme-Mac: sha256=<hex HMAC of the raw body>.", `.hash == ${header}`, 1],
    ["Acme-Mac: sha256=<hex HMAC of the raw body>.", `"sha256=" + .hash == ${header}`, 0],
    ["Acme-Mac: sha256={hmac}", `.hash == ${header}`, 1],
    ["Acme-Mac: sha256=[lower-case hex digest]", `.hash == ${header}`, 1],
    ["Acme-Mac: v0=<hash>", `.hash == ${header}`, 1],
    ["Acme-Mac: sha256=9f86d081884c…", `.hash == ${header}`, 1],
    ["Acme-Mac: sha256=9f86d081884c… (the HMAC)", `.hash == (${header} | ltrimstr("sha256="))`, 0],
    [
      "Deliveries are signed: Acme-Mac is `sha256=` plus the HMAC of the body in hex.",
      `.hash == ${header}`,
      1,
    ],
    ["Acme-Mac has the form sha256=DIGEST.", `.hash == ${header}`, 1],
    ["Acme-Mac is the HMAC after sha256=.", `.hash == ${header}`, 1],
    ["Acme-Mac: t=<unix seconds>,v1=<hex HMAC of t, a dot and the body>", `.hash == ${header}`, 1],
    ["Acme-Mac=<hex HMAC of the raw body> in the header.", `.hash == ${header}`, 0],
    ["Acme-Mac: <hex HMAC of the raw body>", `.hash == ${header}`, 0],
    ["Acme-Mac: HMAC of the raw body.", `.hash == ${header}`, 0],
    ["The query has sig=<hash of the URL>; Acme-Mac is the HMAC.", `.hash == ${header}`, 0],
    ["Acme-Mac is the hex HMAC with sha256= in front.", `.hash == ${header}`, 1],
    ["Acme-Mac: the HMAC, prefixed with sha256=.", `.hash == ${header}`, 1],
    ["Acme-Mac: sha256= and the hex HMAC of the body.", `.hash == (${header} | sub("^[^=]*="; ""))`, 0],
    ["Acme-Mac: sha256= and the hex HMAC of the body.", `.hash == (${header} | gsub("sha256="; ""))`, 0],
    ["Acme-Mac: sha256= and the hex HMAC of the body.", `"sha256=\\(.hash)" == ${header}`, 0],
    ["A check has a challenge, and wants sha256= and its HMAC back.", `.hash == ${header}`, 0],
    ["Acme-Signature: sha256= and the hex HMAC; Acme-Mac is older.", `.hash == ${header}`, 0],
    ["Acme-Mac is the HMAC of the raw body.", `.hash == ${header}`, 0],
    ["Acme-Mac is the HMAC of the raw body, as hex in UPPER case.", `.hash == ${header}`, 1],
    ["Acme-Mac is the HMAC of the raw body, as hex in UPPER case.", `(.hash | ascii_upcase) == ${header}`, 0],
    [
      "Acme-Mac is the HMAC of the raw body, as hex in UPPER case.",
      `.hash == (${header} | ascii_downcase)`,
      0,
    ],
    ["Acme-Mac is the HMAC, upper-case hex.", `.hash == ${header}`, 1],
    ["Acme-Mac is the HMAC in lower-case hex.", `.hash == ${header}`, 0],
    ["Acme-Mac is the HMAC in lower-case hex.", `(.hash | ascii_upcase) == ${header}`, 1],
  ])("%s %s", (comment, condition, count) => {
    const test = condition.includes("$__hash") ? `.hash as $__hash | ${condition}` : condition;
    expect(told("intake/refuses-genuine", comment, hashed(".raw_body", test))).toBe(count);
    expect(told("intake/refuses-genuine", ["Something else.", comment], hashed(".raw_body", test))).toBe(
      count,
    );
  });
});

describe("a comment says how the time of a delivery is written", () => {
  const text = '((.headers["acme-sent"] // "") + .raw_body)';
  const sent = "(${piped_content.0.headers.acme-sent | default:0} | tonumber)";
  const signed = ".hash == ${piped_content.0.headers.acme-mac | default}";
  const milliseconds = "Acme-Sent is the time of sending in milliseconds.";
  const seconds = "Acme-Sent: 1767225600";
  test.each([
    ["intake/refuses-genuine", milliseconds, `(now - ${sent} | fabs) < 300`, 1],
    ["intake/refuses-genuine", milliseconds, `(now * 1000 - ${sent} | fabs) < 300000`, 0],
    ["intake/refuses-genuine", seconds, `(now * 1000 - ${sent}) < 300000`, 1],
    ["intake/refuses-genuine", seconds, `(now - ${sent} | fabs) < 300`, 0],
    ["intake/accepts-old", "Acme-Sent: 1767225600123 (milliseconds since 1970).", `(now - ${sent}) < 300`, 1],
    ["intake/accepts-old", milliseconds, `(now * 1000 - ${sent}) < 300000`, 0],
    // Who only signs the time doesn't look at it.
    ["intake/accepts-old", milliseconds, "true", 0],
    ["intake/refuses-genuine", "Acme-Sent is the time of sending.", `(now - ${sent}) < 300`, 0],
  ])("%s: %s %s", (rule, comment, condition, count) => {
    expect(told(rule, comment, hashed(text, `${signed} and ${condition}`))).toBe(count);
  });
});

describe("intake/accepts-forged", () => {
  test.each([
    [".value_to_encrypt == ${piped_content.0.headers.x-signature}", "value_to_encrypt"],
    ['${piped_content.0.headers.x-signature} != ""', '"!sha"'],
  ])("the hash isn't read: %s", (condition, marked) => {
    const [found] = findings("intake/accepts-forged", "inbound-webhook", {
      "/data_intake/0/verification": hashed(".raw_body", condition),
    });
    expect(found).toContain(marked);
  });
});

describe("intake/other-separator", () => {
  const verification = (first: string, second: string): object =>
    hashed(
      `((.headers["x-sig"] // "" | split("${first}") | map(select(startswith("t=")) | .[2:]) | first) + .raw_body)`,
      `(\${piped_content.0.headers.x-sig | default} | split("${second}") | index("v1=" + \${piped_content.2.hash})) != null`,
    );
  test.each([
    [";", ",", 1],
    [",", ",", 0],
  ])("%s and %s", (first, second, count) => {
    expect(told("intake/other-separator", undefined, verification(first, second))).toBe(count);
  });
});

describe("intake/other-place", () => {
  const chosenBy = (condition: string, given: string): object => ({
    "!pipe": [
      {
        "!switch": {
          jq: `if ${condition} then 0 else 1 end`,
          cases: [
            { "!respond": { code: 200, body: { code: given } } },
            { "!respond": { process_payload: true } },
          ],
        },
      },
    ],
  });
  test.each([
    ['(.body.code // "") != ""', "${piped_content.0.query.code}", 1],
    ['.headers["code"] != null', "${piped_content.0.query.code}", 1],
    ['(.query.code // "") != ""', "${piped_content.0.query.code}", 0],
    [".query.code != null or .body.code != null", "${piped_content.0.query.code}", 0],
    ['.body.type == "check"', "${piped_content.0.query.code}", 0],
    ['.method == "GET"', "${piped_content.0.query.code}", 0],
  ])("%s, %s", (condition, given, count) => {
    expect(told("intake/other-place", undefined, chosenBy(condition, given))).toBe(count);
  });
});

describe("intake/id-as-secret", () => {
  const verification = (condition: string): object => ({
    "!switch": {
      jq: `if ${condition} then 0 else 1 end`,
      cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 403 } }],
    },
  });
  const registered = (saved: string): object => ({
    "!pipe": [
      { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
      { "!jq": saved },
      { "!save": { scope: "workflow" } },
    ],
  });
  test.each([
    ["{hook_id: .id, token: .token}", '.headers["x-token"] == ${data.workflow.hook_id}', 1],
    ["{hook_id: .id, token: .token}", '${data.workflow.hook_id} == .headers["x-hook-secret"]', 1],
    ["{hook_id: .id, token: .token}", '.headers["x-token"] == ${data.workflow.token}', 0],
    // What is sent may be the id, where nothing else is saved or the header has none.
    ["{hook_id: .id}", '.headers["x-token"] == ${data.workflow.hook_id}', 0],
    ["{hook_id: .id, token: .token}", '.headers["x-hook"] == ${data.workflow.hook_id}', 0],
  ])("%s, %s", (saved, condition, count) => {
    const found = findings("intake/id-as-secret", "inbound-webhook", {
      "/data_intake/0/create": registered(saved),
      "/data_intake/0/verification": verification(condition),
    });
    expect(found).toHaveLength(count);
  });
});
