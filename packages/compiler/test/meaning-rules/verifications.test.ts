import { describe, expect, test } from "vitest";
import { allFindings, findings } from "../support/rule-findings.ts";

/** Rules about verifications: the same kind of mistake in other words, and what is right although it looks alike. */

const rules = [
  "accepts-forged",
  "accepts-old",
  "refuses-genuine",
  "reversed-check",
  "unsigned-time",
  "unsigned-case",
  "challenge-processed",
  "ping-processed",
];

/** What is told of a verification, without the area of the rules. */
const told = (verification: object): string[] => {
  const found = allFindings("inbound-webhook", { "/data_intake/0/verification": verification });
  return rules.filter((rule) => found.some((each) => each.rule === `intake/${rule}`));
};

const respond = (process_payload: boolean, more: object = {}): object => ({
  "!respond": { process_payload, ...more },
});
const sha = { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } };
const choose = (jq: string, cases: readonly object[]): object => ({ "!switch": { jq, cases } });
const signed = {
  "!pipe": [
    { "!jq": "{value_to_encrypt: .raw_body}" },
    sha,
    choose("if .hash == ${piped_content.0.headers.x-signature | default} then 0 else 1 end", [
      respond(true),
      respond(false),
    ]),
  ],
};

describe("a signature with its time", () => {
  const header = '(.headers["x-signature"] // "")';
  const byKey = `${header} | split(",") | map(split("=") | {key: .[0], value: .[1]}) | from_entries`;
  const bad = "(.hash != ${piped_content.1.sig.v1})";
  const late = "(now - (${piped_content.1.sig.t} | tonumber) > 300)";
  const verdict = `(if ${bad} then "forged" elif ${late} then "late" else "good" end)`;
  const byVerdict = (list: string): string => `${verdict} as $v | ${list} | index($v)`;
  const usual = `if ${bad} or ${late} then 1 else 0 end`;
  const verification = (parse: string, chosen: string, hashed = '"\\(.sig.t).\\(.raw)"'): object => ({
    "!pipe": [
      { "!jq": `{raw: .raw_body, sig: (${parse})}` },
      { "!jq": `{value_to_encrypt: ${hashed}}` },
      sha,
      choose(chosen, [respond(true), respond(false), respond(false)]),
    ],
  });

  const parsers = [
    ["pairs", byKey],
    ["pairs with a test", byKey.replace('split("=") |', 'split("=") | select(length == 2) |')],
    ["objects", `${header} | split(",") | map(split("=") | {(.[0]): .[1]}) | add`],
    ["a list of objects", `[${header} | split(",")[] | split("=") | {(.[0]): .[1]}] | add // {}`],
    ["a fold", `reduce (${header} | split(",")[] | split("=")) as $p ({}; .[$p[0]] = $p[1])`],
    ["a pattern", `${header} | capture("t=(?<t>[0-9]+),v1=(?<v1>[0-9a-f]+)")`],
    [
      "a function",
      `def field($n): split(",") | map(select(startswith($n + "="))) | first | ltrimstr($n + "="); ${header} | {t: field("t"), v1: field("v1")}`,
    ],
    [
      "a function of filters",
      `def field(n): split(",")[] | select(startswith(n + "=")) | sub("^[^=]+="; ""); ${header} | {t: field("t"), v1: field("v1")}`,
    ],
    ["places", `${header} | split(",") | {t: (.[0] | ltrimstr("t=")), v1: (.[1] | ltrimstr("v1="))}`],
    ["a pattern of other names", `${header} | capture("^t=(?<t>[0-9]+),seal=(?<v1>[0-9a-f]{64})$")`],
    [
      "two patterns",
      `${header} as $h | {t: ([$h | capture("(^|,)t=(?<t>[0-9]+)").t][0] // "0"), v1: ([$h | capture("(^|,)x=(?<v>[0-9a-f]+)").v][0] // "")}`,
    ],
    [
      "scanned",
      `${header} as $h | {t: ([$h | scan("(?:^|,)t=([0-9]+)")[0]][0] // "0"), v1: ([$h | scan("(?:^|,)v1=([0-9a-f]{64})") | .[0]][0] // "")}`,
    ],
    ["pairs scanned", `[${header} | scan("([a-z0-9]+)=([^,]*)") | {(.[0]): .[1]}] | add // {}`],
    [
      "pieces with a test",
      `${header} | [splits(", *")] | map(split("=") | select(length == 2) | {(.[0]): .[1]}) | add // {}`,
    ],
    [
      "pieces in a fold",
      `reduce (${header} | splits(", *") | capture("^(?<k>[a-z0-9]+)=(?<v>.*)$")) as $p ({t: "", v1: ""}; if $p.k == "t" then .t = $p.v elif $p.k == "v1" then .v1 = $p.v else . end)`,
    ],
  ] as const;

  test.each(parsers)("%s: right", (_, parse) => {
    expect(told(verification(parse, usual))).toEqual([]);
  });

  test.each(parsers)("%s: wrong", (_, parse) => {
    const other = usual.replace("now -", "now * 1000 -");
    const future = usual.replace(/now - (\([^)]*\))/, "$1 - now");
    expect(told(verification(parse, usual, ".raw"))).toEqual(["unsigned-time"]);
    expect(told(verification(parse, usual, '"\\(.sig.v1).\\(.raw)"'))).toEqual(["refuses-genuine"]);
    expect(told(verification(parse, other))).toEqual(["refuses-genuine"]);
    expect(told(verification(parse, future))).toEqual(["accepts-old"]);
  });

  test.each([
    ["joined", '([.sig.t, .raw] | join("."))'],
    ["added", '([.sig.t, ".", .raw] | add)'],
    ["one behind the other", '(.sig.t + "." + .raw)'],
    ["as a number", '"\\(.sig.t | tonumber).\\(.raw)"'],
    ["behind the body, as a number", '"\\(.raw)\\(.sig.t | tonumber)"'],
  ])("%s is as good", (_, hashed) => {
    expect(told(verification(byKey, usual, hashed))).toEqual([]);
  });

  const genuine =
    "(.hash == ${piped_content.1.sig.v1} and now - (${piped_content.1.sig.t} | tonumber) < 300)";
  test.each([
    ["a list of verdicts", byVerdict('["good", "late", "forged"]'), byVerdict('["forged", "late", "good"]')],
    ["a table", `{good: 0, late: 1, forged: 2}[${verdict}]`, `{good: 2, late: 1, forged: 0}[${verdict}]`],
    [
      "a table by a flag",
      `{"true": 0, "false": 1}[${genuine} | tostring]`,
      `{"true": 1, "false": 0}[${genuine} | tostring]`,
    ],
    ["the first that holds", `[${genuine}, true] | index(true)`, `[${bad} or ${late}, true] | index(true)`],
    [
      "a sum",
      `[${bad}, ${late}] | map(if . then 1 else 0 end) | add`,
      `1 - ([${bad}, ${late}] | map(if . then 1 else 0 end) | add)`,
    ],
    [
      "all",
      `if [(${bad} | not), (${late} | not)] | all then 0 else 1 end`,
      `if [(${bad} | not), (${late} | not)] | any then 0 else 1 end`,
    ],
  ])("cases by %s", (_, right, wrong) => {
    expect(told(verification(byKey, right))).toEqual([]);
    expect(told(verification(byKey, wrong))).not.toEqual([]);
  });
});

describe("one of several signatures", () => {
  const list = '(${piped_content.0.headers.x-signatures | default} | split(","))';
  test.each([
    [`.hash as $ours | any(${list}[]; . == $ours)`, `.hash as $ours | any(${list}[]; . != $ours)`],
    [`.hash | IN(${list}[])`, `.hash | IN(${list}[]) | not`],
    [`.hash as $ours | ${list} | any(. == $ours)`, `.hash as $ours | ${list} | any(. != $ours)`],
  ])("%s", (right, wrong) => {
    const verification = (test: string): object => ({
      "!pipe": [
        { "!jq": "{value_to_encrypt: .raw_body}" },
        sha,
        choose(`if (${test}) then 0 else 1 end`, [respond(true), respond(false)]),
      ],
    });
    expect(told(verification(right))).toEqual([]);
    expect(told(verification(wrong))).not.toEqual([]);
  });
});

test("a request with another member is the same one", () => {
  const verification = (test: string): object => ({
    "!pipe": [
      { "!jq": '. + {mac: (.headers["x-mac"] // "" | ascii_downcase)}' },
      {
        "!pipe": [
          { "!jq": "{value_to_encrypt: .raw_body}" },
          sha,
          choose(`if ${test} then 0 else 1 end`, [respond(true), respond(false)]),
        ],
      },
    ],
  });
  expect(told(verification(".hash == ${piped_content.0.mac}"))).toEqual([]);
  expect(told(verification(".hash != ${piped_content.0.mac}"))).toEqual(["reversed-check"]);
  expect(told(verification('.hash == "v1=" + ${piped_content.0.mac}'))).toEqual(["refuses-genuine"]);
});

describe("a signature in a header of any name", () => {
  const verification = (name: string, test: string): object => ({
    "!pipe": [
      { "!jq": "{value_to_encrypt: .raw_body}" },
      sha,
      choose(
        `if ${test.replace("NAME", `\${piped_content.0.headers.${name} | default}`)} then 0 else 1 end`,
        [respond(true), respond(false)],
      ),
    ],
  });
  test.each(["x-acme-sig", "x-seal", "acme-proof", "x-hub-mac"])("%s", (name) => {
    expect(told(verification(name, ".hash == NAME"))).toEqual([]);
    expect(told(verification(name, '("sha256=" + .hash) == NAME'))).toEqual([]);
    expect(told(verification(name, '.hash == (NAME | ltrimstr("v1="))'))).toEqual([]);
    expect(told(verification(name, '.hash == NAME or .value_to_encrypt != ""'))).toEqual(["accepts-forged"]);
    expect(told(verification(name, '.hash == ("sha256=" + NAME)'))).toEqual(["refuses-genuine"]);
  });

  test("of several nothing is known", () => {
    const both = ".hash == NAME or .hash == ${piped_content.0.headers.x-old-seal | default}";
    expect(told(verification("x-seal", both))).toEqual([]);
  });
});

describe("intake/unsigned-case", () => {
  const before = (jq: string, answer: object): object => ({ "!pipe": [choose(jq, [answer, signed])] });
  test.each([
    ["an event", 'if .body.kind == "import" then 0 else 1 end'],
    ["a flag", "if .body.live == false then 0 else 1 end"],
    ["a method", 'if .method == "PUT" then 0 else 1 end'],
    ["a parameter", "if .query.preview then 0 else 1 end"],
    ["a list", '[.body.kind == "import", true] | index(true)'],
  ])("%s", (_, jq) => {
    expect(told(before(jq, respond(true)))).toEqual(["unsigned-case"]);
    expect(told(before(jq, { "!pipe": [{ "!print_c": "taken" }, respond(true)] }))).toEqual([
      "unsigned-case",
    ]);
    expect(told(before(jq, respond(false)))).toEqual([]);
  });

  test.each([
    ["a token", 'if .headers["x-token"] == "<TOKEN>" then 0 else 1 end'],
    ["what was saved", "if .body.key == ${data.workflow.hook_id} then 0 else 1 end"],
    ["nothing saved yet", 'if ${data.workflow.hook_id | default} == "" then 0 else 1 end'],
  ])("%s is another proof", (_, jq) => {
    expect(told(before(jq, respond(true)))).toEqual([]);
  });

  test("no signature is none", () => {
    const absent = 'if .headers["x-signature"] == null then 0 else 1 end';
    expect(told(before(absent, respond(true)))).toEqual(["accepts-forged"]);
    expect(told(before(absent, respond(false)))).toEqual([]);
  });
});

describe("intake/challenge-processed", () => {
  const answered = (process_payload: boolean, answer: object): object =>
    choose('if (.headers["x-hello"] // "") != "" then 0 else 1 end', [
      respond(process_payload, answer),
      signed,
    ]);
  test.each([
    ["a header", { headers: { "x-hello": "${piped_content.0.headers.x-hello}" } }],
    ["a member", { body: { echo: "${piped_content.0.headers.x-hello}" } }],
    ["the whole body", { body: "${piped_content.0.headers.x-hello}" }],
  ])("%s is given back", (_, answer) => {
    expect(told({ "!pipe": [answered(true, answer)] })).toEqual(["challenge-processed"]);
    expect(told({ "!pipe": [answered(false, answer)] })).toEqual([]);
  });

  const kinds =
    '(if .hash != ${piped_content.0.headers.x-signature | default} then "no" elif ${piped_content.0.body.kind | default} == "ping" then "ping" else "yes" end)';
  test.each([
    ["a table", `{no: 0, ping: 1, yes: 2}[${kinds}]`],
    ["a list", `${kinds} as $kind | ["no", "ping", "yes"] | index($kind)`],
  ])("a signed check is chosen by %s", (_, jq) => {
    const verification = (...[check, other]: [boolean, boolean]): object => ({
      "!pipe": [
        { "!jq": "{value_to_encrypt: .raw_body}" },
        sha,
        choose(jq, [
          respond(false),
          respond(check, { body: { nonce: "${piped_content.0.body.nonce}" } }),
          respond(other, { body: { id: "${piped_content.0.body.id}" } }),
        ]),
      ],
    });
    expect(told(verification(false, true))).toEqual([]);
    const plain = verification(true, true);
    const text = JSON.stringify(plain).replace('"body":{"id":"${piped_content.0.body.id}"}', '"code":200');
    expect(told(JSON.parse(text) as object)).toEqual(["challenge-processed"]);
  });

  test("a step makes the answer", () => {
    const steps = (process_payload: boolean): object =>
      choose("if .query.hello != null then 0 else 1 end", [
        {
          "!pipe": [
            { "!jq": "{hello: .query.hello}" },
            respond(process_payload, { body: { hello: "${piped_content.1.hello}" } }),
          ],
        },
        signed,
      ]);
    expect(told(steps(true))).toEqual(["challenge-processed"]);
    expect(told(steps(false))).toEqual([]);
  });
});

describe("intake/other-algorithm by what is asked for", () => {
  const verification = (algorithm: string): object => ({
    "!pipe": [
      { "!jq": "{value_to_encrypt: .raw_body}" },
      { "!sha": { algorithm, secret: "<SIGNING_SECRET>" } },
      {
        "!switch": {
          jq: "if .hash == ${piped_content.0.headers.x-signature} then 0 else 1 end",
          cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
        },
      },
    ],
  });
  test.each([
    ["sha512", { signing: "sha256" }, 1],
    ["sha512", { signature: { method: "HMAC-SHA256" } }, 1],
    ["sha1", { "hook[digest]": "SHA-256" }, 1],
    ["sha256", { algorithm: "sha3-256" }, 1],
    ["sha3_256", { algorithm: "SHA3_256" }, 0],
    ["sha256", { algorithm: "hmac_sha256" }, 0],
    ["sha256", { name: "sha" }, 0],
    // Which one is for the signature isn't known.
    ["sha256", { signing: "sha512", checksum: "md5" }, 0],
    ["sha256", { events: ["sha512"] }, 0],
  ])("%s, %j", (algorithm, body, told) => {
    expect(
      findings("intake/other-algorithm", "inbound-webhook", {
        "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", ...body },
        "/data_intake/0/verification": verification(algorithm),
      }),
    ).toHaveLength(told);
  });
});

describe("intake/refused-event", () => {
  const told = (events: readonly string[], test: string, first: boolean): string[] =>
    findings("intake/refused-event", "inbound-webhook", {
      "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", events },
      "/data_intake/0/verification": {
        "!pipe": [
          { "!jq": "{value_to_encrypt: .raw_body}" },
          { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
          {
            "!switch": {
              jq: `if .hash != \${piped_content.0.headers.x-signature | default} then 2 elif ${test} then 0 else 1 end`,
              cases: [
                { "!respond": { process_payload: first, code: 200 } },
                { "!respond": { process_payload: !first, code: 200 } },
                { "!respond": { code: 401 } },
              ],
            },
          },
        ],
      },
    });
  const body = "${piped_content.0.body.event}";
  const header = "${piped_content.0.headers.x-acme-event | default}";
  test.each<readonly [readonly string[], string, boolean, number]>([
    [["order.paid"], `${body} == "order.paid"`, false, 1],
    [["order.paid"], `${header} != "order.paid"`, true, 1],
    [["order.paid", "order.sent"], `${body}`, false, 1],
    [["order.paid", "order.sent"], `(${header} | startswith("order."))`, false, 1],
    [["order.paid"], `${body} == "order.paid"`, true, 0],
    [["order.paid", "order.sent"], `${body} == "ping"`, false, 0],
    // Some of what is registered may be left out.
    [["order.paid", "order.sent"], `${body} == "order.paid"`, false, 0],
    // Nothing is known of other members and headers.
    [["order.paid"], '${piped_content.0.headers.x-acme-hello | default} != ""', false, 0],
    [["order.paid"], "${piped_content.0.body.kind} != null", false, 0],
    [["ping"], `${body} == "ping"`, false, 0],
  ])("%s: %s, %s", (events, condition, first, count) => {
    expect(told(events, condition, first)).toHaveLength(count);
  });
});
