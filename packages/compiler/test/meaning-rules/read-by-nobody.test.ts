import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Answers, members and saved values that nothing reads, and values that are read of the wrong thing: in other words, and right ones that look alike. */

const workflow = "/workflows/0";
const list = {
  id: "list",
  label: "List",
  type: "dropdown",
  options: {
    "!pipe": [{ "!http": { path: "/lists" } }, { "!jq": "[.items[] | {display: .name, value: .id}]" }],
  },
};
const choice = (required: boolean, ...values: (string | number)[]) => ({
  id: "term",
  label: "Valid for",
  type: "dropdown",
  required,
  options: values.map((value) => ({ display: `Option ${value}`, value })),
});

describe("unused/required-field", () => {
  const told = (program: string, field: unknown): string[] =>
    findings("unused/required-field", "outbound", {
      [`${workflow}/setup/select/form_fields`]: [list, field],
      [`${workflow}/data_pipeline/target`]: {
        "!pipe": [
          { "!jq": program },
          {
            "!http": {
              method: "POST",
              path: "/lists/${custom_data.list.value}/cards",
              body: "${piped_content.1}",
            },
          },
        ],
      },
    });
  const days = choice(true, "30", "365");
  test.each([
    ["{email: .email, until: (now + 30 * 86400 | todate)}", days, "30"],
    ['{email: .email, until: (now + ("365" | tonumber) * 86400 | todate)}', days, '"365"'],
    ['{email: .email, reason: "travel"}', choice(true, "travel", "other"), '"travel"'],
    ['. + {reason: ("travel" | ascii_upcase)}', choice(true, "travel", "other"), '"travel"'],
    ["{email: .email}", days, '"term"'],
    // Two of them: which one is meant can't be said.
    ['if .vip then {days: 30} else {days: "365"} end', days, '"term"'],
  ])("%s", (program, field, marked) => {
    expect(told(program, field)).toEqual([marked]);
  });
  test.each([
    ["{email: .email, until: (now + (${custom_data.term.value} | tonumber) * 86400 | todate)}", days],
    ['if ${custom_data.term.value} == "30" then {short: true} else {short: false} end', days],
    // What may be skipped is a hint, and what is asked in a form of two without choices that are written out, too.
    ["{email: .email, until: (now + 30 * 86400 | todate)}", choice(false, "30", "365")],
    ["{email: .email}", { id: "term", label: "Valid for", type: "text" }],
  ])("right: %s", (program, field) => {
    expect(told(program, field)).toEqual([]);
  });
});

describe("unused/made-member", () => {
  const told = (program: string, body: unknown): string[] =>
    findings("unused/made-member", "outbound", {
      [`${workflow}/data_pipeline/target`]: {
        "!pipe": [
          { "!jq": program },
          { "!http": { method: "PUT", path: "/groups/${piped_content.1.group}/people", body } },
        ],
      },
    });
  test.each([
    ["{group: .city, person: .}", { email: "${piped_content.0.email}" }, "person: ."],
    ["{group: .city, person: (. + {tags: []})}", "${piped_content.0}", "person: (. + {tags: []})"],
    ["{group: .city, age: (now - .born | floor)}", "${piped_content.0}", "age: (now - .born | floor)"],
  ])("%s", (program, body, marked) => {
    expect(told(program, body)).toEqual([marked]);
  });
  test.each([
    ["{group: .city, person: .}", "${piped_content.1.person}"],
    ["{group: .city, person: (. + {tags: []})}", "${piped_content.1}"],
    ["{group: .city, person: (. + {tags: []})}", { person: "${piped_content.1.person}" }],
    // Copies and constants are a hint only.
    ["{group: .city, town: .city}", "${piped_content.0}"],
    ['{group: .city, kind: "person"}', "${piped_content.0}"],
    ['{group: .city, name: (.name // "")}', "${piped_content.0}"],
  ])("right: %s", (program, body) => {
    expect(told(program, body)).toEqual([]);
  });
});

describe("jq/member-above", () => {
  const told = (program: string): string[] => inSource("jq/member-above", program);
  test.each([
    ['.event as $event | .booking | {email, late: (.event == "late")}', ".event"],
    ['.topic as $t | .gift.donor | {email, tag: (if .topic == "returned" then "R" else "D" end)}', ".topic"],
    [
      '.event as $e | .booking | . as $b | {email: $b.email, kind: {"on": "On", "off": "Off"}[$e], off: (if .event == "off" then true else false end)}',
      ".event",
    ],
    ['.event as $e | .booking | {email, on: ($e == "on"), also: (.event == "on")}', ".event"],
  ])("%s", (program, marked) => {
    expect(told(program)).toEqual([marked]);
  });
  test.each([
    '.event as $event | .booking | {email, late: ($event == "late")}',
    ".id as $order | .customer | {email, id: .id, order: $order}",
    '.state as $s | .visit | {email, state: .state, order: $s, gone: (.state == "gone")}',
    '.event as $e | {email: .booking.email, late: (.event == "late"), e: $e}',
    '.event as $e | .booking as $b | {email: $b.email, late: (.event == "late")}',
    '.event as $e | .items | map({name: .event}) | {email: "", items: ., e: $e}',
  ])("right: %s", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/all-for-any", () => {
  const kinds = {
    id: "kinds",
    label: "Kinds",
    type: "multiselect",
    options: [
      { display: "Desk", value: "desk" },
      { display: "Room", value: "room" },
    ],
  };
  const told = (program: string): string[] =>
    inSource("jq/all-for-any", program, { [`${workflow}/setup/select/form_fields/1`]: kinds });
  test.each([
    ". as $b | if all(${custom_data.kinds.value}[]; . == $b.kind) then $b else null end",
    "${custom_data.kinds.value} as $kinds | .kind as $k | if all($kinds[]; $k == .) then {k: $k} else null end",
  ])("%s", (program) => {
    expect(told(program)).toEqual(["all"]);
  });
  test.each([
    ". as $b | if any(${custom_data.kinds.value}[]; . == $b.kind) then $b else null end",
    ". as $b | if all(${custom_data.kinds.value}[]; . != $b.kind) then null else $b end",
    'if all(.items[]; .state == "done") then . else null end',
    ". as $b | if all(.items[]; . == $b.kind) then . else null end",
    'if all(${custom_data.kinds.value}[]; . == "desk") then . else null end',
  ])("right: %s", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/always-in-range, of codes", () => {
  const told = (comment: string, condition: string): string[] =>
    inSource("jq/always-in-range", `{email: .email, _tags: (if ${condition} then ["a"] else ["b"] end)}`, {
      "/data_intake/0/_comment": comment,
    });
  test.each([
    ["interval: 0 once, 1 monthly, 12 yearly.", ".interval >= 0"],
    ["grade: 1 good, 2 worn, 3 broken", ".grade >= 1"],
    ["grade: 1 good, 2 worn, 3 broken", ".grade < 1"],
  ])("%s %s", (comment, condition) => {
    expect(told(comment, condition)).toEqual([condition]);
  });
  test.each([
    ["interval: 0 once, 1 monthly, 12 yearly.", ".interval > 0"],
    ["interval: 0 once, 1 monthly, 12 yearly.", ".interval == 12"],
    ["grade: 1 good, 2 worn, 3 broken", ".grade >= 2"],
    ["grade: 1 good, 2 worn", ".grade <= 2"],
    ["parts is at least 1.", ".parts > 1"],
  ])("right: %s %s", (comment, condition) => {
    expect(told(comment, condition)).toEqual([]);
  });
});

describe("intake/signed-parts and intake/lost-secret", () => {
  const signed = (comment: string, hashed: string): string[] =>
    findings("intake/signed-parts", "inbound-webhook", {
      "/data_intake/0/verification": {
        _comment: comment,
        "!pipe": [
          { "!jq": `{value_to_encrypt: ${hashed}}` },
          { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
          {
            "!switch": {
              jq: "if .hash == ${piped_content.0.headers.x-signature} then 0 else 1 end",
              cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
            },
          },
        ],
      },
    });
  const dated = '(.headers["x-timestamp"] + "." + .raw_body)';
  test.each([
    [
      "X-Signature is the SHA-256 of token and raw body, one after the other.",
      '(.headers["x-token"] + .raw_body)',
    ],
    ["The HMAC of TIMESTAMP.BODY, the timestamp in seconds.", dated],
    ["The HMAC of timestamp.body, the body as it was sent.", dated],
    ["The HMAC of timestamp.body.", '"\\(.headers["x-timestamp"] // "0").\\(.raw_body)"'],
  ])("right: %s", (comment, hashed) => {
    expect(signed(comment, hashed)).toEqual([]);
  });
  test("a part is missing all the same", () => {
    expect(signed("The HMAC of TIMESTAMP.BODY, the timestamp in seconds.", ".raw_body")).not.toEqual([]);
    const colon = '"\\(.headers["x-timestamp"] // "0"):\\(.raw_body)"';
    expect(signed("The HMAC of timestamp.body.", colon)).not.toEqual([]);
  });
});
