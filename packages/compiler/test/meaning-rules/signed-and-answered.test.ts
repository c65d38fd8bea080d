import { describe, expect, test } from "vitest";
import { allFindings, findings } from "../support/rule-findings.ts";

/** What is hashed, how it is compared, and what answers to checks of a URL give back, each beside right ones that look like the mistake. */

const equal = "if .hash == ${piped_content.0.headers.x-acme-signature} then 0 else 1 end";
const cases = [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }];
const told = (rule: string, said: string, made: string, decides = equal): string[] =>
  findings(rule, "inbound-webhook", {
    "/data_intake/0/_comment": said,
    "/data_intake/0/verification": {
      "!pipe": [
        { "!jq": made },
        { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
        { "!switch": { jq: decides, cases } },
      ],
    },
  });

describe("intake/signed-parts", () => {
  const nonce =
    "X-Acme-Signature is the hex HMAC-SHA256 of nonce, line feed, raw body, keyed with the secret.";
  const three =
    "x-acme-signature: hex HMAC-SHA256, keyed with the secret, of delivery, time and untouched body joined by full stops.";
  const h = (name: string): string => `.headers["x-acme-${name}"]`;

  test.each([
    ["the body alone", nonce, "{value_to_encrypt: .raw_body}", ".raw_body"],
    [
      "one is missing",
      three,
      `{value_to_encrypt: (${h("time")} + "." + .raw_body)}`,
      `${h("time")} + "." + .raw_body`,
    ],
    [
      "exchanged, in a list",
      three,
      `{value_to_encrypt: ([${h("time")}, ${h("delivery")}, .raw_body] | map(. // "") | join("."))}`,
      `[${h("time")}, ${h("delivery")}, .raw_body] | map(. // "") | join(".")`,
    ],
    [
      "exchanged, in a text",
      "Signed is the SHA256 HMAC over x-acme-time, a dot and the body as it came.",
      `{value_to_encrypt: "\\(.raw_body).\\(${h("time")})"}`,
      `"\\(.raw_body).\\(${h("time")})"`,
    ],
    [
      "exchanged, with variables",
      nonce,
      `${h("nonce")} as $nonce | {value_to_encrypt: (.raw_body + "\\n" + $nonce)}`,
      `.raw_body + "\\n" + $nonce`,
    ],
  ])("%s", (_, said, made, marked) => {
    expect(told("intake/signed-parts", said, made)).toEqual([marked.replaceAll("\\n", "\\n")]);
  });

  test.each([
    ["as said", nonce, `{value_to_encrypt: ((${h("nonce")} // "") + "\\n" + .raw_body)}`],
    [
      "as said, in a list",
      three,
      `{value_to_encrypt: ([${h("delivery")}, ${h("time")}, .raw_body] | join("."))}`,
    ],
    [
      "the body alone is said",
      "X-Acme-Signature is the hex HMAC of the raw body, lower-case hex.",
      "{value_to_encrypt: .raw_body}",
    ],
    [
      "in either case",
      "The hex HMAC-SHA256 of the raw body, in either case.",
      "{value_to_encrypt: .raw_body}",
    ],
    ["other names", three, `{value_to_encrypt: ([${h("number")}, ${h("sent")}, .raw_body] | join("."))}`],
    ["what isn't known", three, '{value_to_encrypt: ([.headers[], .raw_body] | join("."))}'],
    [
      "a sentence",
      "The signature is an HMAC of what we send you, which is the body in most cases.",
      "{value_to_encrypt: .raw_body}",
    ],
  ])("right: %s", (_, said, made) => {
    expect(told("intake/signed-parts", said, made)).toEqual([]);
  });
});

describe("intake/encoded-hash", () => {
  const hex = "X-Acme-Signature is the hex HMAC-SHA256 of the raw body.";
  const made = "{value_to_encrypt: .raw_body}";

  test("base64 of hex", () => {
    const decides = (hash: string): string =>
      `\${piped_content.0.headers} as $h | if $h["x-acme-signature"] == ${hash} then 0 else 1 end`;
    expect(told("intake/encoded-hash", hex, made, decides("(.hash | @base64)"))).toEqual([".hash | @base64"]);
    expect(told("intake/encoded-hash", hex, made, decides(".hash"))).toEqual([]);
    expect(told("intake/encoded-hash", hex, made, decides("(.hash | ascii_upcase)"))).toEqual([]);
    const other = "X-Acme-Signature is the base64 of the hex HMAC-SHA256 of the raw body.";
    expect(told("intake/encoded-hash", other, made, decides("(.hash | @base64)"))).toEqual([]);
  });
});

describe("intake/parsed-body-signed: made in a step before", () => {
  const told = (signed: string): string[] =>
    findings("intake/parsed-body-signed", "inbound-webhook", {
      "/data_intake/0/verification": {
        "!pipe": [
          {
            "!jq": `{t: .headers["x-acme-time"], signed: ((.headers["x-acme-time"] // "") + "." + ${signed})}`,
          },
          { "!jq": "{value_to_encrypt: .signed}" },
          { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
          { "!switch": { jq: equal, cases } },
        ],
      },
    });

  test("parsed and not", () => {
    expect(told("(.body | tojson)")).toEqual([".body | tojson"]);
    expect(told(".raw_body")).toEqual([]);
  });
});

describe("intake/accepts-forged: either of two checks", () => {
  const told = (check: string): string[] =>
    findings("intake/accepts-forged", "inbound-webhook", {
      "/data_intake/0/verification": {
        "!pipe": [
          {
            "!jq":
              '((.headers["x-acme-signature"] // "") | [scan("([a-z0-9]+)=([^,]*)")] | map({key: .[0], value: .[1]}) | from_entries) as $sig | {t: ($sig.t // ""), v1: ($sig.v1 // ""), signed: (($sig.t // "") + "." + .raw_body)}',
          },
          { "!jq": "{value_to_encrypt: .signed}" },
          { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
          { "!jq": check },
          { "!switch": { jq: "if . then 0 else 1 end", cases } },
        ],
      },
    });
  const sig = "${piped_content.1} as $sig | ";

  test("joined by or", () => {
    const either = `${sig}.hash == $sig.v1 or ((now - ($sig.t | tonumber? // 0)) | fabs) <= 300`;
    expect(told(either)).toEqual([`"${either}"`]);
    const neither = `${sig}(.hash != $sig.v1 and now - ($sig.t | tonumber? // 0) > 300) | not`;
    expect(told(neither)).toEqual([`"${neither}"`]);
  });

  test("right: both", () => {
    expect(told(`${sig}.hash == $sig.v1 and ((now - ($sig.t | tonumber? // 0)) | fabs) <= 300`)).toEqual([]);
    expect(told(`${sig}(.hash != $sig.v1 or now - ($sig.t | tonumber? // 0) > 300) | not`)).toEqual([]);
  });
});

describe("intake/body-of-get", () => {
  const answered = (
    decides: string,
    read: string,
    said?: string,
    before: readonly unknown[] = [],
  ): string[] =>
    findings("intake/body-of-get", "inbound-webhook", {
      ...(said === undefined ? {} : { "/data_intake/0/_comment": said }),
      "/data_intake/0/verification": {
        "!pipe": [
          ...before,
          {
            "!switch": {
              jq: decides,
              cases: [
                { "!respond": { code: 200, body: { challenge: read } } },
                { "!respond": { process_payload: true } },
              ],
            },
          },
        ],
      },
    });
  const get = 'if .method == "GET" then 0 else 1 end';

  test.each([
    ["the raw body", get, "${piped_content.0.raw_body}", undefined, []],
    ["a member of it", get, "${piped_content.0.body.challenge | default}", undefined, []],
    [
      "by a word",
      "{challenge: 0, other: 1}[.]",
      "${piped_content.0.body.challenge}",
      undefined,
      [{ "!jq": 'if .method == "GET" then "challenge" else "other" end' }],
    ],
    [
      "as a comment says",
      "if .body.challenge == null then 1 else 0 end",
      "${piped_content.0.body.challenge}",
      "Acme calls GET with ?challenge=… and wants it back.",
      [],
    ],
  ])("%s", (_, decides, read, said, before) => {
    expect(answered(decides, read, said, before)).toEqual([read.replace(/^\$\{|(?: \| default)?\}$/g, "")]);
  });

  test.each([
    ["the query", get, "${piped_content.0.query.challenge}", undefined],
    ["a POST", 'if .method == "POST" then 0 else 1 end', "${piped_content.0.body.challenge}", undefined],
    [
      "nothing says how",
      "if .body.challenge == null then 1 else 0 end",
      "${piped_content.0.body.challenge}",
      undefined,
    ],
    [
      "a comment says POST",
      "if .body.challenge == null then 1 else 0 end",
      "${piped_content.0.body.challenge}",
      "The challenge comes in a POST, never a GET.",
    ],
  ])("right: %s", (_, decides, read, said) => {
    expect(answered(decides, read, said)).toEqual([]);
  });
});

describe("jq/mixed-units: the age of a delivery", () => {
  const told = (age: string, said: string): string[] =>
    findings("jq/mixed-units", "inbound-webhook", {
      "/data_intake/0/_comment": said,
      "/data_intake/0/verification": {
        "!pipe": [
          { "!switch": { jq: `\${piped_content.0} as $call | if ${age} > 600 then 1 else 0 end`, cases } },
        ],
      },
    });
  const said = "sent_at in the body is in unix seconds; older than 10 min is a replay.";

  test("seconds off milliseconds", () => {
    expect(told("now * 1000 - $call.body.sent_at", said)).toEqual(["$call.body.sent_at"]);
    expect(told("now - $call.body.sent_at", said)).toEqual([]);
    expect(told("now * 1000 - $call.body.sent_at", "sent_at in the body is in unix milliseconds.")).toEqual(
      [],
    );
  });
});

describe("variables of GraphQL, and lists in requests", () => {
  const sent = (type: string, value: unknown): string[] =>
    findings("http/graphql-variable-type", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!http": {
          method: "POST",
          path: "/graphql",
          body: { query: `mutation($x: ${type}) { go(x: $x) { id } }`, variables: { x: value } },
        },
      },
    });

  test.each([
    ["Int!", "100", '"100"'],
    ["Float", "1.5", '"1.5"'],
    ["Boolean!", "true", '"true"'],
    ["Boolean", 1, "1"],
    ["String!", 5, "5"],
    ["ID!", ["a"], '["a"]'],
    ["Int!", null, "null"],
    ["[Int!]!", "5", '"5"'],
    ["Int!", "${piped_content.0.n}0", '"${piped_content.0.n}0"'],
  ])("%s %s", (type, value, marked) => {
    expect(sent(type, value)).toEqual([marked]);
  });

  test.each([
    ["Int!", 100],
    ["ID!", 7],
    ["ID!", "7"],
    ["[ID!]", "a"],
    ["[ID!]", ["a"]],
    ["Int", null],
    ["Stage!", "OPEN"],
    ["JSON", ["a"]],
    ["DateTime!", "2024-01-01T00:00:00Z"],
  ])("right: %s %s", (type, value) => {
    expect(sent(type, value)).toEqual([]);
  });

  const made = (variables: string): string[] =>
    findings("http/graphql-variable-type", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          {
            "!jq": `{query: "mutation($n: Int!, $ids: [ID!]) { go(n: $n, ids: $ids) { id } }", variables: ${variables}}`,
          },
          { "!http": { method: "POST", path: "/graphql", body: "${piped_content.1}" } },
        ],
      },
    });

  test("made by a program", () => {
    expect(made('{n: "5", ids: []}')).toEqual(['"5"']);
    expect(made("{n: (.n | tostring), ids: []}")).toEqual(["(.n | tostring)"]);
    expect(made("{n: (.n | tonumber), ids: [.id]}")).toEqual([]);
    expect(made("{n: .n, ids: .id}")).toEqual([]);
  });

  const joined = (channels: string, type: string): string[] =>
    findings("http/graphql-variable-type", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": `{line: .email, channels: ${channels}}` },
          {
            _comment: `input RemindInput { line: String channels: ${type} }`,
            "!http": {
              method: "POST",
              path: "/graphql",
              body: {
                query: "mutation Remind($input: RemindInput!) { remind(input: $input) { id } }",
                variables: { input: "${piped_content.1}" },
              },
            },
          },
        ],
      },
    });

  test("a list of an input type", () => {
    expect(joined('(.ways | join(","))', "[Channel!]!")).toEqual(['(.ways | join(","))']);
    expect(joined(".ways", "[Channel!]!")).toEqual([]);
    expect(joined('(.ways | join(","))', "String!")).toEqual([]);
  });

  const field = (said: string, addons: string): string[] =>
    findings("http/list-form-field", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { _comment: said, "!jq": `{email: .email, addons: ${addons}}` },
          {
            "!http": {
              method: "POST",
              path: "/people",
              headers: { "Content-Type": "application/x-www-form-urlencoded" },
              body: "${piped_content.1}",
            },
          },
        ],
      },
    });

  test.each([
    "Form fields are flat: a list goes as text with commas.",
    "The form has no arrays.",
    "Lists are sent as a single string.",
  ])("a list in a form: %s", (said) => {
    expect(field(said, "[.a, .b]")).toEqual(['"${piped_content.1}"']);
    expect(field(said, '([.a, .b] | join(","))')).toEqual([]);
  });

  test("right: a form that takes lists", () => {
    expect(field("A list is sent as several fields.", "[.a, .b]")).toEqual([]);
  });
});

describe("pipeline/passed-over and pipeline/whole-for-part", () => {
  const steps = (rule: string, last: unknown): string[] =>
    allFindings("outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: "/prices" } },
          { "!jq": "{price: .prices[0].amount, unit: {floor: 1}}" },
          { "!http": { method: "POST", path: "/quotes", body: "${piped_content.2}" } },
          { "!jq": "{quoteId: .id, due: (now | todate)}" },
          { "!http": { method: "POST", path: "/entries", body: last } },
        ],
      },
    }).flatMap((each) => (each.rule === rule ? [each.marked] : []));

  test("what nothing reads", () => {
    const rule = "pipeline/passed-over";
    expect(steps(rule, { quote: "${piped_content.2.price}", due: "${piped_content.4.due}" })).toEqual([
      "piped_content.2.price",
    ]);
    expect(steps(rule, { quote_id: "${piped_content.1.id}", due: "${piped_content.4.due}" })).toEqual([
      "piped_content.1.id",
    ]);
    expect(steps(rule, { quote: "${piped_content.4.quoteId}", due: "${piped_content.4.due}" })).toEqual([]);
    expect(steps(rule, { price: "${piped_content.2.price}", due: "${piped_content.4.due}" })).toEqual([]);
    expect(steps(rule, { quote: "${piped_content.2.price}", all: "${piped_content.4}" })).toEqual([]);
  });

  test("all of an object", () => {
    const rule = "pipeline/whole-for-part";
    expect(steps(rule, { unit: "${piped_content.2}" })).toEqual(["piped_content.2"]);
    expect(steps(rule, { unit: "${piped_content.2.unit}" })).toEqual([]);
    expect(steps(rule, { offer: "${piped_content.2}" })).toEqual([]);
    expect(steps(rule, "${piped_content.2}")).toEqual([]);
  });
});
