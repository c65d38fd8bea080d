import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What a verification decides in a step before its `!switch`, by words, or by two hashes: the mistake in other forms, and what is right. */

const intake = "/data_intake/0";
const yes = { "!respond": { process_payload: true } };
const no = { "!respond": { code: 401 } };
const quiet = { "!respond": { code: 200 } };
const back = (processed: boolean, read = "piped_content.0.body.nonce") => ({
  "!respond": { process_payload: processed, body: { answer: `\${${read}}` } },
});
const choose = (jq: string, ...cases: readonly object[]) => ({ "!switch": { jq, cases } });
const pipe = (...steps: readonly object[]) => ({ "!pipe": steps });
const program = (jq: string) => ({ "!jq": jq });
const told = (rule: string, verification: object, more: Readonly<Record<string, unknown>> = {}): number =>
  findings(rule, "inbound-webhook", { [`${intake}/verification`]: verification, ...more }).length;

describe("intake/ping-processed", () => {
  const token = '.headers["x-token"] == ${data.workflow.hook_id}';
  const ping = '.body.type == "ping"';
  const kind = (first: string) => program(`{kind: (if ${first} then 0 elif ${token} then 1 else 2 end)}`);
  const route = program(
    `if ${ping} then {route: "ping"} elif ${token} then {route: "event"} else {route: "no"} end`,
  );
  const source = {
    "/workflows/0/data_pipeline/source": program('if .type == "ping" then null else {email: .email} end'),
  };
  test.each([
    [
      "a case of its own",
      choose(`if ${token} | not then 2 elif ${ping} then 1 else 0 end`, yes, yes, no),
      {},
      1,
    ],
    [
      "before the check",
      choose(`if ${ping} then 0 else 1 end`, yes, choose(`if ${token} then 0 else 1 end`, yes, no)),
      {},
      1,
    ],
    ["a number of a step before", pipe(kind(ping), choose(".kind", yes, yes, no)), {}, 1],
    ["swapped there", pipe(kind(ping), choose(".kind", yes, quiet, no)), {}, 1],
    [
      "a word of a step before",
      pipe(route, choose('["ping", "event", "no"] | index(${piped_content.1.route})', yes, yes, no)),
      {},
      1,
    ],
    ["a table of words", pipe(route, choose("{ping: 0, event: 1}[.route] // 2", yes, yes, no)), {}, 1],
    [
      "a name with its service",
      choose('if .body.event == "endpoint.url_validation" then 0 else 1 end', back(true), yes),
      {},
      1,
    ],
    [
      "a GET that is answered",
      choose(
        'if .method == "GET" and .query.nonce != null then 0 else 1 end',
        back(true, "piped_content.0.query.nonce"),
        yes,
      ),
      {},
      1,
    ],
    ["dropped", choose(`if ${token} | not then 2 elif ${ping} then 1 else 0 end`, yes, quiet, no), {}, 0],
    [
      "a pipeline that knows it",
      choose(`if ${token} | not then 2 elif ${ping} then 1 else 0 end`, yes, yes, no),
      source,
      0,
    ],
    ["another number", pipe(kind(ping), choose(".kind", quiet, yes, no)), {}, 0],
    ["another word", pipe(route, choose('["event", "ping", "no"] | index(.route)', yes, quiet, no)), {}, 0],
    [
      "an event of its own",
      choose(`if ${token} | not then 2 elif .body.type == "paid" then 1 else 0 end`, yes, yes, no),
      {},
      0,
    ],
    ["a GET with a delivery", choose('if .method == "GET" then 0 else 1 end', yes, yes), {}, 0],
  ])("%s", (_, verification, more, count) => {
    expect(told("intake/ping-processed", verification, more)).toBe(count);
  });

  test.each([
    ['The activation sends {"test": true}, which wants a plain 200.', 1],
    ["A test is a whole event.", 0],
  ])("a flag: %s", (said, count) => {
    const verification = choose(
      `if ${token} | not then 2 elif .body.test == true then 1 else 0 end`,
      yes,
      yes,
      no,
    );
    expect(told("intake/ping-processed", verification, { [`${intake}/_comment`]: said })).toBe(count);
  });
});

describe("the part of a request that is read", () => {
  const step = program(
    'if .method == "GET" and .query.nonce != null then {route: "check"} else {route: "event"} end',
  );
  const way = 'if .method == "GET" then {route: "check"} else {route: "event"} end';
  test.each([
    [
      "a word of a step before",
      pipe(step, choose('["check", "event"] | index(.route)', back(false), yes)),
      1,
    ],
    ["with its table", pipe(program(way), choose("{check: 0, event: 1}[.route]", back(false), yes)), 1],
    [
      "from the query",
      pipe(
        step,
        choose('["check", "event"] | index(.route)', back(false, "piped_content.0.query.nonce"), yes),
      ),
      0,
    ],
    ["the other word", pipe(step, choose('["event", "check"] | index(.route)', back(false), yes)), 0],
  ])("intake/body-of-get: %s", (_, verification, count) => {
    expect(told("intake/body-of-get", verification)).toBe(count);
  });

  const hashing = (text: string) =>
    pipe(
      program("{t: .headers.t}"),
      program(`{value_to_encrypt: (.t + ${text})}`),
      { "!sha": { algorithm: "sha256", secret: "<KEY>" } },
      choose("if .hash == ${piped_content.0.headers.x-signature} then 0 else 1 end", yes, no),
    );
  test.each([
    ["(${piped_content.0} | .body | tojson)", 1],
    ["(${piped_content.0.body} | tojson)", 1],
    ["(${piped_content.0}.body | tostring)", 1],
    ["(${piped_content.0} | .raw_body)", 0],
    ["(${piped_content.0.body.id} | tojson)", 0],
    ["(${piped_content.0.raw_body} | tostring)", 0],
  ])("intake/parsed-body-signed: %s", (text, count) => {
    expect(told("intake/parsed-body-signed", hashing(text))).toBe(count);
  });
});

describe("checks that are joined", () => {
  const saved = '.headers["x-token"] == ${data.workflow.hook_id}';
  const both = (jq: string) => choose(`if ${jq} then 0 else 1 end`, yes, no);
  test.each([
    ["intake/accepts-forged", `.method == "POST" or ${saved}`, 1],
    ["intake/accepts-forged", `(.method == "POST" and \${data.workflow.hook_id} != "") or ${saved}`, 1],
    ["intake/accepts-forged", `.method == "POST" and ${saved}`, 0],
    ["intake/accepts-forged", `.method == "PUT" or ${saved}`, 0],
    ["jq/either-guard", `(.body | type) == "object" or .body.event == "ping"`, 1],
    ["jq/either-guard", `(.query | has("word") | not) and .query.word != "x"`, 1],
    ["jq/either-guard", `(.query | has("word")) or .query.word == "x"`, 1],
    ["jq/either-guard", `(.body | type) == "object" and .body.event == "ping"`, 0],
    ["jq/either-guard", `(.body | type) == "array" or .body.event == "ping"`, 0],
    ["jq/either-guard", `(.body | type) == "object" or .method == "POST"`, 0],
    ["jq/either-guard", `(.query | has("word") | not) or .query.word != "x"`, 0],
    ["jq/either-guard", `(.query | has("other") | not) and .query.word != "x"`, 0],
  ])("%s: %s", (rule, jq, count) => {
    expect(told(rule, both(jq))).toBe(count);
  });

  const aged = (test: string) =>
    pipe(
      program("{value_to_encrypt: .raw_body}"),
      { "!sha": { algorithm: "sha256", secret: "<KEY>" } },
      choose(`.hash as $mac | \${piped_content.0} as $call | if ${test} then 1 else 0 end`, yes, no),
    );
  test.each([
    ['$call.headers["x-mac"] != $mac and now - $call.body.sent_at > 600', 1],
    ['$call.headers["x-mac"] != $mac or now - $call.body.sent_at > 600', 0],
  ])("a hash with a name: %s", (test, count) => {
    expect(told("intake/accepts-forged", aged(test))).toBe(count);
  });
});

describe("hashes", () => {
  const two = (
    one: object,
    other: object,
    test = "[${piped_content.2.hash}, .hash] | index(${piped_content.0.headers.x-sig})",
  ) =>
    pipe(
      program("{value_to_encrypt: .raw_body}"),
      { "!sha": one },
      program("{value_to_encrypt}"),
      { "!sha": other },
      choose(`if ${test} then 0 else 1 end`, yes, no),
    );
  const by = (algorithm: string, key: string) => ({ algorithm, secret: `\${data.workflow.${key}}` });
  test.each([
    ["intake/other-algorithm", two(by("sha256", "key"), by("sha512", "key_before")), 1],
    ["intake/other-algorithm", two(by("sha512", "key"), by("sha512", "key_before")), 0],
    ["intake/other-algorithm", two(by("sha256", "key"), by("sha512", "key")), 0],
    [
      "intake/other-algorithm",
      two(by("sha256", "key"), by("sha512", "old"), ".hash == ${piped_content.0.headers.x-sig}"),
      0,
    ],
    ["intake/accepts-forged", two({ algorithm: "sha256" }, by("sha256", "key_before")), 1],
    ["intake/accepts-forged", two(by("sha256", "key"), by("sha256", "key_before")), 0],
  ])("two of one text: %s %#", (rule, verification, count) => {
    expect(told(rule, verification)).toBe(count);
  });

  const one = (test: string) =>
    pipe(
      program("{value_to_encrypt: .raw_body}"),
      { "!sha": { algorithm: "sha256", secret: "<KEY>" } },
      choose(`if ${test} then 0 else 1 end`, yes, no),
    );
  const prefixed = { [`${intake}/_comment`]: "The header is sha256= and the HMAC of the raw body." };
  test.each([
    ['.hash == ${piped_content.0.headers}["x-acme-digest"]', 1],
    ['.hash == (${piped_content.0.headers} | .["x-acme-digest"])', 1],
    ['"sha256=" + .hash == ${piped_content.0.headers}["x-acme-digest"]', 0],
  ])("a prefix that a comment tells of: %s", (test, count) => {
    expect(told("intake/refuses-genuine", one(test), prefixed)).toBe(count);
  });

  test.each([
    ["x-acme-signature is the hex HMAC-SHA512 of the body as it was sent.", 1],
    ["x-acme-signature is the hex HMAC-SHA256 of the body as it was sent.", 0],
    ["x-acme-signature was the hex HMAC-SHA512 of the body.", 0],
  ])("%s", (said, count) => {
    const more = { [`${intake}/_comment`]: said };
    const verification = one(".hash == ${piped_content.0.headers.x-acme-signature}");
    expect(told("intake/other-algorithm", verification, more)).toBe(count);
  });
});
