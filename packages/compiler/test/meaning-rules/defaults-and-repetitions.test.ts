import { describe, expect, test } from "vitest";
import { inSource } from "../support/rule-findings.ts";

/** Defaults that don't fit what is done with them, and questions that are asked twice, each beside right ones that look alike. */

describe("jq/default-of-other-kind", () => {
  const told = (program: string): string[] => inSource("jq/default-of-other-kind", program);

  test.each([
    ["null", 'if (.email // null) == "" then null else {email} end', "null"],
    ["the other side", 'if "" == (.email // 0) then null else {email} end', "0"],
    ["unequal", 'if (.email // {}) != "" then {email} else null end', "{}"],
    ["a list", 'if (.tags // "") == [] then null else {email} end', '""'],
    [
      "a variable",
      '.person as $p | if ($p.email // null) == "" then null else {email: $p.email} end',
      "null",
    ],
    ["an order", '{email, many: ((.visits // "") >= 10)}', '""'],
    ["a length", '{email, more: ((.visits // "") > (.days | length))}', '""'],
    ["a name", "{email, lastName: (.lastName // 0)}", "0"],
    ["a note beside texts", '{email, city: (.city // ""), note: (.note // 0)}', "0"],
    ["a list", "{email, grams: ([.parts[]?.grams] // 0 | . / 1000)}", "0"],
    ["a list of each", "{email, guests: ((.bookings | map(.guests)) // 0)}", "0"],
    ["a variable of a list", "[.lines[].count] as $counts | {email, prints: ($counts // 0)}", "0"],
  ])("%s", (_, program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    ["of the same kind", 'if (.email // "") == "" then null else {email} end'],
    ["another word", 'if (.state // 0) == "open" then {email} else null end'],
    ["nothing at all", "if (.email // null) == null then null else {email} end"],
    ["a flag", 'if (.left // false) == "" then null else {email} end'],
    ["a sum", "{email, total: (.total // 0), many: ((.visits // 0) > 3)}"],
    ["a note that is a number", "{email, note: (.grade // 0)}"],
    ["a table of numbers", "{email, level: ({a: 1, b: 2}[.level] // 0)}"],
    ["a sum of a list", "{email, guests: ([.bookings[].guests] | add // 0)}"],
    ["the sum of what is found", "{email, guests: ((.bookings | map(.guests) | add) // 0)}"],
    ["the first of a list", "{email, guests: ([.bookings[].guests][0] // 0)}"],
    ["a list that is empty otherwise", "{email, tags: ([.tags[].name] // [])}"],
    ["a definition", "def map(f): [.[] | f] | add; {email, guests: (.bookings | map(.guests) // 0)}"],
    ["a table without a default", '{email, level: ({a: "A", b: "B"}[.level] // null)}'],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/repeated-condition", () => {
  const told = (program: string): string[] => inSource("jq/repeated-condition", program);

  test.each([
    ["and", 'if .kind != "guest" and .kind != "guest" then {email} else null end', '.kind != "guest"'],
    ["spacing", "if .a == 1 or ( .a  == 1) then {email} else null end", "( .a  == 1)"],
    [
      "in a select",
      '{email, names: [.people[] | select(.name != "" and .name != "") | .name]}',
      '.name != ""',
    ],
    [
      "one of two",
      '{email, kind: (if .kind == "a" or .kind == "b" then "A" elif .kind == "b" then "B" else "C" end)}',
      '.kind == "b"',
    ],
  ])("%s", (_, program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    ["two words", 'if .kind != "guest" and .kind != "left" then {email} else null end'],
    ["one word of two members", 'if .kind == "a" or .type == "a" then {email} else null end'],
    [
      "with another",
      '{email, kind: (if .kind == "a" and .old then "A" elif .kind == "a" then "B" else "C" end)}',
    ],
    [
      "in two places",
      '{email, a: (if .kind == "a" then 1 else 2 end), b: (if .kind == "a" then 3 else 4 end)}',
    ],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/text-as-condition: defaults", () => {
  const told = (program: string): string[] => inSource("jq/text-as-condition", program);

  test.each([
    ["a text", 'if (.email // "") then {email} else null end', '(.email // "")'],
    ["negated", 'if (.email // "" | not) then null else {email} end', '.email // ""'],
    ["bound", '(.email // "") as $mail | if $mail then {email: $mail} else null end', "$mail"],
    ["a list", "if (.tags // []) then {email} else null end", "(.tags // [])"],
    ["a number", "if (.visits // 0) then {email} else null end", "(.visits // 0)"],
  ])("%s", (_, program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    ["compared", 'if (.email // "") != "" then {email} else null end'],
    ["a flag", "if (.open // false) then {email} else null end"],
    ["another member", "if (.open // .active) then {email} else null end"],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/contradiction: no condition", () => {
  const told = (program: string): string[] => inSource("jq/contradiction", program);

  test("a constant", () => {
    expect(told('{email, plan: (if false then "full" else .plan end)}')).toEqual(["false"]);
    expect(told('{email, plan: (if (true) then "full" else .plan end)}')).toEqual(["(true)"]);
    expect(told('{email, plan: (if .full == true then "full" else .plan end)}')).toEqual([]);
    expect(told("{email, plan: (if .full then true else false end)}")).toEqual([]);
  });

  test("the empty text, which every text begins with", () => {
    expect(told('{email, plan: (if (.plan | startswith("")) then "full" else .plan end)}')).toEqual([
      'startswith("")',
    ]);
    expect(told('{email, plans: [.plans[] | select(contains(""))]}')).toEqual(['contains("")']);
    expect(told('{email, plan: (if (.plan | startswith("full")) then "full" else .plan end)}')).toEqual([]);
    expect(told('{email, plan: (.plan | ltrimstr(""))}')).toEqual([]);
  });
});
