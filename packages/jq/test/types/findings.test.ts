import { describe, expect, test } from "vitest";
import { infer, renderMessage } from "../../src/index.ts";
import { found, named } from "./table.ts";

/** Program with the characters of its findings marked, named type of the input, and codes. */
const table: readonly (readonly [marked: string, input: string, ...codes: string[]])[] = [
  ["⟦{} - 1⟧", "null", "operand-types"],
  ['⟦1 + 2 + "a"⟧ + "b"', "null", "operand-types"],
  ["⟦.title - .id⟧ - 1", "issue", "operand-types"],
  [".title ⟦+=⟧ 1", "issue", "operand-types"],
  [".id⟦.x⟧", "issue", "cannot-index"],
  [".id⟦.x⟧.y.z", "issue", "cannot-index"],
  [".labels⟦.name⟧", "issue", "cannot-index"],
  ['.labels⟦["a"]⟧', "issue", "cannot-index"],
  [".⟦[0]⟧", "issue", "cannot-index"],
  [".id⟦[]⟧", "issue", "cannot-iterate"],
  [".id⟦[1:]⟧", "issue", "cannot-slice"],
  [".id⟦.x⟧ = 1", "issue", "cannot-index"],
  ["del(.id⟦.x⟧)", "issue", "cannot-index"],
  ["⟦keys⟧", "string", "input-type"],
  [".title | ⟦map⟧(.x)", "issue", "input-type"],
  [". | ⟦tonumber⟧", "issue", "input-type"],
  ["⟦@csv⟧", "string", "input-type"],
  ["⟦add⟧", "issue", "operand-types"],
  ["{total: 1, next: .} | ⟦add⟧", "string", "operand-types"],
  ["{a: true, b: .id} | ⟦add⟧", "issue", "operand-types"],
  ["⟦has⟧(1)", "number", "input-type"],
  ["has(⟦1⟧)", "issue", "argument-type"],
  ["startswith(⟦1⟧)", "string", "argument-type"],
  ["contains(⟦1⟧)", "string", "argument-type"],
  ["⟦-.title⟧", "issue", "cannot-negate"],
  ["{⟦(.id)⟧: 1}", "issue", "key-type"],
  ["⟦.titel⟧", "issue", "missing-member"],
  ["{⟦titel⟧}", "issue", "missing-member"],
  [".labels | map(⟦.nam⟧)", "issue", "missing-member"],
  [". as {⟦titel⟧: $x} | $x", "issue", "missing-member"],
  ['. as {⟦"titel"⟧: $x, id: $y} | $x', "issue", "missing-member"],
  [". as {⟦$titel⟧} | $titel", "issue", "missing-member"],
  ["reduce .labels[] as {⟦$nam⟧} (null; $nam)", "issue", "missing-member"],
  [".labels as [{⟦nam⟧: $x}] | $x", "issue", "missing-member"],
  ["def f: . as {⟦$titel⟧} | $titel; f", "issue", "missing-member"],
  ["del(⟦.titel⟧)", "issue", "missing-member"],
  ['has(⟦"titel"⟧)', "issue", "missing-member"],
  ["del(.labels[]⟦.nam⟧)", "issue", "missing-member"],
  ['{a: 1, b: 2}⟦[if .done then "c" else "d" end]⟧', "issue", "missing-member"],
  ['.title | capture("(?<first>.)") | ⟦.frist⟧', "issue", "missing-member"],
  ['⟦(.labels | map(.name) | index("bug")) == true⟧', "issue", "never-equal"],
  ['⟦(.labels | map(.name) | index("bug")) == false⟧', "issue", "never-equal"],
  ["⟦.id / 0⟧", "issue", "division-by-zero"],
  ["⟦. / 0⟧ | keys", "unknown", "division-by-zero"],
  ["(1, 2) | ⟦. % 0⟧", "null", "division-by-zero"],
  // What is set in an entry at last, and isn't read then.
  ["with_entries(⟦.vlaue⟧ |= tostring)", "issue", "missing-member"],
  ["with_entries(select(.value != null) | ⟦.tmp⟧ = 1)", "map", "missing-member"],
  [
    "{a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1, k: 1, l: 1, m: 1} | with_entries(select(.value != null)) | ⟦.number⟧",
    "issue",
    "missing-member",
  ],
  // The first step of a fold fails, so that there is no second one.
  ['reduce .[] as $n (""; ⟦. + $n⟧)', "numbers", "operand-types"],
  ["reduce .labels[] as $label (0; ⟦. + $label.name⟧)", "issue", "operand-types"],
  ['foreach .[] as $n ("0"; ⟦. + $n⟧; .)', "numbers", "operand-types"],
  ['if .id == 1 then "new" else "open" end | select(IN("new", ⟦"opne"⟧))', "issue", "no-such-value"],
  [". as ⟦[$x]⟧ | $x", "issue", "cannot-index"],
  [".id as {⟦a⟧: $x} | $x", "issue", "cannot-index"],
  [". as {$id, ⟦(1)⟧: $x} | $x", "issue", "cannot-index"],
  ["foreach .labels[] as ⟦[$x]⟧ (0; . + $x)", "issue", "cannot-index"],
  ['if .id == 1 then "new" else "open" end | ⟦. == "opne"⟧', "issue", "no-such-value"],
  ["⟦.title == 1⟧", "issue", "never-equal"],
  ['select(⟦.id != "1"⟧)', "issue", "never-equal"],
  ['select(⟦.done == "true"⟧)', "issue", "never-equal"],
  ["⟦(.title | tonumber?) != .title⟧", "issue", "never-equal"],
  ["⟦.labels[0].name == 1⟧", "issue", "never-equal"],
  ["select(⟦.title > 1⟧)", "issue", "always-ordered"],
  ['⟦.id <= "1"⟧', "issue", "always-ordered"],
  ["def f: ⟦. - {}⟧; f", "number", "operand-types"],
  ["def f(g): g; f(.id⟦.x⟧)", "issue", "cannot-index"],
  ["if .done then ⟦{} - 1⟧ else 1 end", "issue", "operand-types"],
  ["try error catch (⟦{} - 1⟧)", "null", "operand-types"],
  ["[.[] | ⟦. + {}⟧]", "numbers", "operand-types"],
  ["⟦{} - 1⟧ | keys", "unknown", "operand-types"],
  // Keys are evaluated before what they are keys of; where they give nothing, nothing fails.
  [".id⟦.x⟧[.labels | length]", "issue", "cannot-index"],
  [".id.x[empty]", "issue"],
  [".id[empty:]", "issue"],
  [".id.x[.labels[].name]", "issue"],
  [".id.x[.id?:]", "issue"],
  ["(.id | .x)[.labels[].name]", "issue"],
];

/** Programs in which nothing is certain, or what fails is caught. */
const silent: readonly (readonly [program: string, input: string])[] = [
  [". - 1", "unknown"],
  [".a.b[0] | keys", "unknown"],
  [".x", "open"],
  [".x", "map"],
  [".x.y", "open"],
  [". - 1", "scalar"],
  ["keys", "open"],
  ["ascii_downcase", "scalar"],
  ["try ({} - 1)", "null"],
  ["({} - 1)?", "null"],
  ["add", "open"],
  ["add", "map"],
  ["add", "tagged"],
  ["add", "empty"],
  ["add?", "issue"],
  ["try add", "issue"],
  ["{a: .id, b: null, c: 1} | add", "issue"],
  ["{a: .id, b: .body} | del(.b) | add", "issue"],
  ["{a: .id} + {b: .title?} | map_values(tostring) | add", "issue"],
  ["{a: .title, b: .body} | add", "issue"],
  [".id.x?", "issue"],
  [".id[]?", "issue"],
  ["({} - 1) // 2", "null"],
  [".titel // 1", "issue"],
  [".titel = 1", "issue"],
  [".titel += 1", "issue"],
  ["path(.titel)", "issue"],
  ['has("title"), has("body")', "issue"],
  ['if has("a") then .a else .b end', "unknown"],
  ["del(.titel?)", "issue"],
  ['{a: 1, b: 2}[if .done then "a" else "d" end]', "issue"],
  [". % 0", "number"],
  ["with_entries(.tmp = .value | .value = .tmp)", "issue"],
  ['with_entries(.name = "x" | .k = 1)', "issue"],
  ["with_entries(.value |= tostring)", "issue"],
  ['reduce .[] as $n (""; if . == "" then $n else . + $n end)', "numbers"],
  ["reduce .[] as $n (null; try (. + $n) catch 0)", "numbers"],
  ['reduce .[] as $n (""; empty)', "numbers"],
  ['.id | type | select(IN("object", "array"))', "issue"],
  ['.title | IN("a", "b")', "issue"],
  ["try (1 / 0) catch 0", "null"],
  [".body == null", "issue"],
  [".body > 1", "issue"],
  [". > 1", "unknown"],
  [".id > .done", "issue"],
  [".id == true", "issue"],
  [".title == (true, null)", "issue"],
  [".done == null", "issue"],
  ['(.id > 1) as $old | select(.title == "a" and $old == true)', "issue"],
  ["select(.title == null)", "issue"],
  [".title == (.id | tostring)", "issue"],
  ['select(type == "object") | .x', "number"],
  ['if type == "array" then .[] else . end', "number"],
  ["empty | {} - 1", "null"],
  ["def f: .a; (1 | f), ({a: 1} | f)", "null"],
  ["def f: . - 1; 1", "null"],
  ["def f($n): if $n > 3 then .a else {a: 1} | f($n + 1) end; 1 | f(0)", "null"],
  ["reduce .[] as $n ({}; if .seen then . else .seen = true end)", "numbers"],
  ["reduce .[] as $n (null; . + $n)", "numbers"],
  [". as [$x] ?// $x | $x.a", "numbers"],
  [". as {titel: $x} ?// [$x] | $x", "issue"],
  ["(. as [$x] | $x)?", "issue"],
  [".body as {a: $x} | $x", "issue"],
  [". as {note: $x, ($x // .title): $y} | $y", "issue"],
  [". as {titel: $x} | $x", "open"],
  [". as [$x, {a: $y}] | $y", "unknown"],
  ["map(.x)", "unknown"],
  [".name", "tagged"],
  ['error("x") | {} - 1', "null"],
];

describe("what certainly fails is found at its characters", () => {
  test.each(table)("%s of %s", (marked, input, ...codes) => {
    expect(found(marked, input)).toEqual([marked, ...codes]);
  });
});

describe("what is unknown or caught stays silent", () => {
  test.each(silent)("%s of %s", (program, input) => {
    expect(found(program, input)).toEqual([program]);
  });
});

test.each([
  ["{} - 1", "null", "{} - 1 always fails. Numbers can be subtracted from numbers, and arrays from arrays."],
  [
    ".titel",
    "issue",
    'There is no member "titel" here, so this is always null. Did you mean "title"? Its members are id, title, body, note, labels, done.',
  ],
  [
    "add",
    "issue",
    "number + string always fails. Numbers, strings, arrays and objects can be added to the same type, and null to anything.",
  ],
  ["keys", "string", "keys always fails here: its input is string, but it takes array or object."],
  [
    "has(1)",
    "map",
    "has always fails here: argument 1 is 1, but it takes string for the input {[string]: number}.",
  ],
  [
    '. == "1"',
    "number",
    'number and "1" are never equal, so this is always false. Convert one side with tostring or tonumber.',
  ],
  [
    '"1" > .',
    "number",
    '"1" > number is always true. Values of different types are ordered by type: every number comes before every string. Convert one side with tostring or tonumber.',
  ],
])("the message of %s of %s", (program, input, message) => {
  expect(infer(program, named[input]).diagnostics.map(renderMessage)).toEqual([message]);
});

test("messages and time stay small whatever the program is", () => {
  const long = `{${Array.from({ length: 2000 }, (_, index) => `"${"x".repeat(150)}${index}": ${index}`)}}`;
  const { diagnostics } = infer(`${long} | keys | .x, (${long} - 1)`);
  expect(diagnostics.length).toBe(2);
  for (const finding of diagnostics) expect(renderMessage(finding).length).toBeLessThan(700);
  const nested = "def f(g): ".repeat(300) + "g; f(.)".repeat(1) + "; f(.)".repeat(299);
  expect(() => infer(nested)).not.toThrow();
});
