import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Reasons to skip that are joined the wrong way, days that are numbers, ages that nothing asks for and refused challenges. */

describe("jq/skips-only-both", () => {
  const told = (program: string): string[] => inSource("jq/skips-only-both", program);

  test.each([
    ["a consent", 'if (.email // "") == "" and (.may_write | not) then null else {email, name} end'],
    ["turned", "if (.may_write | not) and .email == null then null else {email, name} end"],
    [
      "a limit",
      '.person as $p | if ($p.primaryEmail // "") == "" and $p.age < 18 then null else {email: $p.primaryEmail} end',
    ],
    [
      "a choice",
      ". as $r | if .email == null and ([${custom_data.form.value}] | index($r.form)) == null then null else {email, name} end",
    ],
  ])("%s", (_, program) => {
    expect(told(program)).toHaveLength(1);
  });

  test.each([
    ["or", 'if (.email // "") == "" or (.may_write | not) then null else {email, name} end'],
    [
      "neither email nor phone",
      'if (.email // "") == "" and (.phone // "") == "" then null else {email, phone} end',
    ],
    ["a kind", 'if .email == null and .kind == "test" then null else {email, name} end'],
    ["both are there", "if .email != null and .age > 18 then {email, name} else null end"],
    [
      "a choice that may be empty",
      "if (.tags | length) > 0 and (.may_write | not) then null else {email} end",
    ],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/missing-where-present: reasons beside it", () => {
  test.each([
    ["a flag", 'if (.child or (.email // "") == "" | not) then null else {email, name} end'],
    [
      "a variable",
      '.email as $email | if (($email // "") == "" or (.tags | any(. == "x")) | not) then null else {email: $email} end',
    ],
  ])("%s", (_, program) => {
    expect(inSource("jq/missing-where-present", program)).toHaveLength(1);
  });

  test("right: whoever is no child and has an email goes on", () => {
    const program = 'if .child or (.email // "") == "" then null else {email, name} end';
    expect(inSource("jq/missing-where-present", program)).toEqual([]);
  });
});

describe("value/number-for-day", () => {
  const told = (program: string): string[] => inSource("value/number-for-day", program);
  const born = "born_on: .born_at[:10]";

  test.each([
    ["now", `{email, ${born}, seen_on: now}`, "now"],
    ["later", `{email, ${born}, due_on: (now + .days * 86400)}`, "now + .days * 86400"],
    [
      "of milliseconds",
      `{email, ${born}, joined_on: (.joined_at / 1000 | floor)}`,
      ".joined_at / 1000 | floor",
    ],
    [
      "in a branch",
      `{email, ${born}, joinDate: (if .joinedAt == null then null else .joinedAt / 1000 end)}`,
      ".joinedAt / 1000",
    ],
  ])("%s", (_, program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    ["a date", `{email, ${born}, due_on: (now + 86400 | strftime("%Y-%m-%d"))}`],
    ["a moment", `{email, ${born}, due_at: (now + 86400)}`],
    ["until", `{email, ${born}, valid_until: (now + 86400)}`],
    ["how many days", `{email, ${born}, days_on: 3, age_on: ((now - 5) / 86400)}`],
    ["no other day", "{email, due_on: (now + 86400)}"],
    ["another thousand", `{email, ${born}, weight_on: (.weight_g / 1000)}`],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("intake/unchecked-age", () => {
  const told = (comment: string, asked: string): string[] =>
    findings("intake/unchecked-age", "inbound-webhook", {
      "/data_intake/0/verification": {
        _comment: comment,
        "!pipe": [
          { "!jq": '{value_to_encrypt: (.headers["x-time"] + .raw_body)}' },
          { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
          {
            "!switch": {
              jq: `if ${asked}.hash == \${piped_content.0.headers.x-signature} then 0 else 1 end`,
              cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
            },
          },
        ],
      },
    });

  test("a comment says how old a delivery may be", () => {
    expect(told("Over five minutes old means refuse.", "")).toHaveLength(1);
    expect(told("Older than 300 seconds is a replay.", "")).toHaveLength(1);
  });

  test("right: it is asked for, or nothing is said, or something else", () => {
    const age = "now - (${piped_content.0.headers.x-time} | tonumber) < 300 and ";
    expect(told("Over five minutes old means refuse.", age)).toEqual([]);
    expect(told("The signature is over time and body.", "")).toEqual([]);
    expect(told("What isn't answered is sent again for 24 hours.", "")).toEqual([]);
  });
});

describe("intake/refused-challenge", () => {
  const told = (code: number, body: unknown): string[] =>
    findings("intake/refused-challenge", "inbound-webhook", {
      "/data_intake/0/verification": {
        "!pipe": [
          {
            "!switch": {
              jq: 'if .method == "GET" then 0 else 1 end',
              cases: [{ "!respond": { code, body } }, { "!respond": { process_payload: true } }],
            },
          },
        ],
      },
    });

  test("a challenge with a status that refuses", () => {
    expect(told(401, { challenge: "${piped_content.0.query.challenge}" })).toEqual(["401"]);
    expect(told(500, { plainToken: "${piped_content.0.body.plainToken}" })).toEqual(["500"]);
  });

  test("right: a success, or no challenge", () => {
    expect(told(200, { challenge: "${piped_content.0.query.challenge}" })).toEqual([]);
    expect(told(401, { error: "${piped_content.0.query.reason}" })).toEqual([]);
  });
});

describe("jq/empty-text: what isn't a text in the other branch", () => {
  const told = (program: string): string[] => inSource("jq/empty-text", program);
  const town = "town: (if .home == null then null else .home.town end)";

  test.each([
    ["an object", `{email, ${town}, boss: (if .boss == "" then null else .boss.name end)}`],
    ["the input", `{email, ${town}, boss: (.boss | if . == "" then null else "\\(.given) \\(.family)" end)}`],
    ["a number", `{email, ${town}, fee: (if .fee_cents == "" then null else .fee_cents / 100 end)}`],
    ["a variable", `.boss as $b | {email, ${town}, boss: (if $b != "" then $b.name else null end)}`],
  ])("%s", (_, program) => {
    expect(told(program)).toEqual(['""']);
  });

  test.each([
    ["null", `{email, ${town}, boss: (if .boss == null then null else .boss.name end)}`],
    ["a text", `{email, ${town}, name: (if .name == "" then null else .name end)}`],
    ["a conversion", `{email, ${town}, size: (if .size == "" then null else .size | tonumber / 100 end)}`],
    [
      "both are asked for",
      `{email, ${town}, fee: (if .fee == "" or .fee == null then null else .fee / 100 end)}`,
    ],
    [
      "a service that sends empty texts",
      `{email, ${town}, name: (if .name == "" then null else .name end), fee: (if .fee == "" then null else .fee / 100 end)}`,
    ],
    ["nothing is known of null", '{email, fee: (if .fee == "" then null else .fee / 100 end)}'],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });
});
