import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** What is never null, what is always so and what no clock counts, in forms that hid it, and the right ones that look alike. */

const each = (rule: string, rows: readonly (readonly [string, number])[]): void => {
  test.each(rows)("%s", (program, count) => {
    expect(inSource(rule, program)).toHaveLength(count);
  });
};

describe("jq/never-null of the pieces of a text", () => {
  each("jq/never-null", [
    ['{email: .email, all: (.labels | split(",") | map(select(. != null)))}', 1],
    ['{email: .email, all: (.labels | split(",") | map(ltrimstr(" ") | select(. != null)))}', 1],
    ['{email: .email, all: [.labels | splits(", *") | gsub("-"; " ") | select(. != null)]}', 1],
    ['{email: .email, all: (.labels | split(",") | map(select(. != "")))}', 0],
    ['{email: .email, all: [.labels | split(",") | .[3] | select(. != null)]}', 0],
    ["{email: .email, all: (.labels | map(select(. != null)))}", 0],
    ['{email: .email, all: (.labels | map(ltrimstr(" ") | select(. != null)))}', 0],
  ]);
});

describe("jq/never-null of what an earlier step makes", () => {
  test.each([
    ['(.company // "" | tostring)', "null", 1],
    ['(.company // "" | trim)', "null", 1],
    ['(.groups | join(", "))', "null", 1],
    ['(.company // "" | tostring)', '""', 0],
    ["(.company | tonumber? // null)", "null", 0],
    ["(.companies | first)", "null", 0],
  ])("%s == %s", (made, other, count) => {
    const steps = [
      { "!jq": `{company: ${made}, list: \${custom_data.list.value}}` },
      {
        "!switch": {
          jq: `if \${piped_content.1.company} == ${other} then 0 else 1 end`,
          cases: [{ "!jq": "." }, { "!http": { method: "POST", path: "/x", body: "${piped_content.1}" } }],
        },
      },
    ];
    expect(
      findings("jq/never-null", "outbound", { "/workflows/0/data_pipeline/target": { "!pipe": steps } }),
    ).toHaveLength(count);
  });
});

describe("jq/list-as-null behind a pipe", () => {
  test.each([
    ["{known: (.people | . != null), one: .people[0]}", 1],
    ["{known: (.people | (. != null)), one: .people[-1]}", 1],
    ["{known: (.people | length > 0), one: .people[0]}", 0],
    ["{known: (.people[0] | . != null), one: .people[0]}", 0],
    ["{known: (.people // null | . != null), one: .people[0]}", 0],
  ])("%s", (program, count) => {
    const search = { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } };
    const steps = [search, { "!jq": program }];
    expect(
      findings("jq/list-as-null", "outbound", { "/workflows/0/data_pipeline/target": { "!pipe": steps } }),
    ).toHaveLength(count);
  });
});

describe("jq/idle-alternative of constants and of the clock", () => {
  each("jq/idle-alternative", [
    ['if ("email" // "") == "" then null else {email: .email} end', 1],
    ["{email: .email, at: ((now | floor | todate) // .at)}", 1],
    ['{email: .email, name: ("name" // [])}', 1],
    ['if (.email // "") == "" then null else {email: .email} end', 0],
    ["{email: .email, at: (.at // (now | floor | todate))}", 0],
    ['{email: .email, at: ((.at | todate) // "")}', 0],
  ]);
});

describe("jq/fails-on-null behind `// null`", () => {
  each("jq/fails-on-null", [
    ['[.people[] | select((.email // null | ascii_downcase) == "x@y.example")][0] | {email: .email}', 1],
    ['if any(.people[]?.reference // null; startswith("P")) then {email: .email} else null end', 1],
    ['def per: {M: "a month"}[.period // null]; {email: .email, dues: (.dues | per)}', 1],
    ['[.people[] | select((.email // "" | ascii_downcase) == "x@y.example")][0] | {email: .email}', 0],
    ["[.people[] | (.email // null | tostring)][0] as $mail | {email: $mail}", 0],
    ['{email: .email, all: [.people[] | ((.email // null | ascii_downcase) // "none")]}', 0],
    ["{email: .email, all: [.people[] | try (.email // null | ascii_downcase) catch null]}", 0],
  ]);
});

describe("jq/contradiction of a comparison and its opposite", () => {
  each("jq/contradiction", [
    [".day as $day | if (.ends_on == null or .ends_on != null) then {email: .email} else null end", 1],
    ['if .state == "open" and .state != "open" then {email: .email} else null end', 1],
    ["[.all[] | select(.ends_on != null or .ends_on == null)] | {email: .[0].email}", 1],
    ["if .ends_on == null or .starts_on != null then {email: .email} else null end", 0],
    ['if .ends_on == null or .ends_on != "" then {email: .email} else null end', 0],
    ['if .state == "open" or .state != "closed" then {email: .email} else null end', 0],
  ]);
});

describe("jq/minus-itself of the clock", () => {
  each("jq/minus-itself", [
    ["if (now - now | fabs) < 300 then {email: .email} else null end", 1],
    ["if now - (now) < 300 then {email: .email} else null end", 1],
    ["if now - .sent < 300 then {email: .email} else null end", 0],
    ["{email: .email, at: (now + now)}", 0],
  ]);
});

describe("jq/milliseconds-as-seconds of what is added to a time", () => {
  each("jq/milliseconds-as-seconds", [
    [
      "(.days | tonumber) as $d | (now + $d * 86400) as $then | {email: .email, on: ($then + 2 * 86400000 | todate)}",
      1,
    ],
    ["{email: .email, on: (now + (.minutes | tonumber) * 60000 | floor | todate)}", 1],
    ["{email: .email, on: (.at | fromdate | . - .minutes * 60000 | todate)}", 1],
    ['{email: .email, on: (.at | strptime("%Y-%m-%d") | mktime + 30 * 60000 | todate)}', 1],
    ["{email: .email, on: (now + (.minutes | tonumber) * 60 | floor | todate)}", 0],
    ["{email: .email, on: (now * 1000 + (.minutes | tonumber) * 60000 | floor)}", 0],
    ["{email: .email, on: (.at_ms + (.minutes | tonumber) * 60000 | floor)}", 0],
  ]);
});

describe("jq/mixed-units of what stands in each other's place", () => {
  each("jq/mixed-units", [
    ["{email: .email, on: (if .on == null then (now | floor) else (.on | fromdate * 1000) end)}", 1],
    ["{email: .email, on: (.on | try (fromdate * 1000) catch (now | floor))}", 1],
    ["{email: .email, on: (if .on == null then (now * 1000 | floor) else (.on | fromdate) end)}", 1],
    ["{email: .email, on: (if .on == null then (now * 1000 | floor) else (.on | fromdate * 1000) end)}", 0],
    ["{email: .email, on: (if .on == null then (now | floor) else .on_ms end)}", 0],
    ["{email: .email, on: (if .on == null then null else (.on | fromdate * 1000) end), at: now}", 0],
  ]);
});

describe("jq/wrong-factor of a time", () => {
  each("jq/wrong-factor", [
    ["{email: .email, on: (.released_at / 100 | floor | todate)}", 1],
    ["{email: .email, on: (.at | if . == null then null else . / 10000 | floor | todate end)}", 1],
    ['.job as $j | {email: .email, on: ($j.changed_at / 10 | strftime("%F"))}', 1],
    ["{email: .email, on: (.released_at / 1000 | floor | todate)}", 0],
    ["{email: .email, on: (.released_at / 1000000 | floor | todate)}", 0],
    ["{email: .email, price: (.released_at / 100 | floor)}", 0],
  ]);
});

describe("value/other-unit of tonnes beside kilograms", () => {
  const sent = (member: string, value: string): string[] =>
    findings("value/other-unit", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": `{${member}: ${value}, list: \${custom_data.list.value}}` },
          { "!http": { method: "POST", path: "/slots", body: "${piped_content.1}" } },
        ],
      },
    });
  test.each([
    ["load_t", ".load_kg", 1],
    ["load_t", ".wagon.load_kg", 1],
    ["load_t", "(.wagon.load_kg)", 1],
    ["load_t", "(.load_kg / 1000)", 0],
    ["load_t", ".load_t", 0],
    // It may be anything else.
    ["load_t", ".weight_kg", 0],
  ])("%s: %s", (member, value, count) => {
    expect(sent(member, value)).toHaveLength(count);
  });
});

describe("jq/impossible-result of a table in a variable", () => {
  each("jq/impossible-result", [
    ['{"paid": "entered", "gone": "left"} as $n | {email: .email, state: $n[.type | ascii_upcase]}', 1],
    ['{"PAID": "entered"} as $n | {email: .email, state: $n[(.type | ascii_downcase)]}', 1],
    ['{"paid": "entered", "GONE": "left"} as $n | {email: .email, state: $n[.type | ascii_upcase]}', 0],
    ['{"paid": "entered", "gone": "left"} as $n | {email: .email, state: $n[.type]}', 0],
  ]);
});

describe("command/unreached-case below a least number", () => {
  test.each([
    ["[(.people | length), 2] | max", 1],
    ["[1, (.people | length)] | max", 1],
    ["[(.people | length), 2] | min", 0],
    ["[(.people | length), 0] | max", 0],
  ])("%s", (jq, count) => {
    const cases = [{ "!error": "none" }, { "!jq": ".people[0]" }, { "!error": "several" }];
    expect(
      findings("command/unreached-case", "outbound", {
        "/workflows/0/data_pipeline/target": {
          "!pipe": [{ "!http": { path: "/people" } }, { "!switch": { jq, cases } }],
        },
      }),
    ).toHaveLength(count);
  });
});

describe("jq/variable-in-text of a form field", () => {
  const made = (value: string): string[] =>
    findings("jq/variable-in-text", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": `{list: \${custom_data.list.value}, topic: ${value}}` },
          { "!http": { method: "POST", path: "/slots", body: "${piped_content.1}" } },
        ],
      },
    });
  test.each([
    ['"custom_data.list.value"', 1],
    ['(["x", "custom_data.list.display"] | join(" "))', 1],
    ['(if "custom_data.list.value" == "" then 1 else 2 end)', 1],
    ['"${custom_data.list.value}"', 0],
    // No field is called so.
    ['"custom_data.other.value"', 0],
    ['"see custom_data.list.value"', 0],
  ])("%s", (value, count) => {
    expect(made(value)).toHaveLength(count);
  });
});

describe("jq/never-equal where failures are caught", () => {
  each("jq/never-equal", [
    ['{email: .email, day: ((.day | split(".") | if length == "3" then .[0] else null end) // null)}', 1],
    ['def iso: split(".") | select(length == "3") | .[0]; {email: .email, day: ((.day | iso) // null)}', 1],
    [
      '{email: .email, day: (try (if (.day | split(".") | length) == "3" then .day else null end) catch null)}',
      1,
    ],
    ['{email: .email, day: ((.day | split(".") | if length == 3 then .[0] else null end) // null)}', 0],
    ['{email: .email, day: ((if .day == "3" then .day else null end) // null)}', 0],
    ['{email: .email, day: ((.day | tonumber? | if . == 3 then "x" else null end) // null)}', 0],
  ]);
});

describe("jq/contradiction: an item compared with itself", () => {
  each("jq/contradiction", [
    ["{email: .email, all: [.labels[] | select(. == .)]}", 1],
    [".status as $s | {email: .email, is: any(.labels[]; . == $s)}", 0],
  ]);
});
