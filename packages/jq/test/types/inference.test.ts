import { expect, test } from "vitest";
import { builtins } from "../../src/index.ts";
import { ruledFunctions } from "../../src/types/rules/index.ts";
import { inferred } from "./table.ts";

/** Program, named type of the input, and the outputs' type and number. */
const table: readonly (readonly [program: string, input: string, outputs: string])[] = [
  // Narrowing.
  ["select(.body) | .body", "issue", "string, maybe"],
  ["if .body == null then 0 else .body end", "issue", "0 | string, one"],
  ["if .body != null and .done then .body else empty end", "issue", "string, maybe"],
  ["if .body == null or .done then null else .body end", "issue", "string | null, one"],
  ['if type == "string" then . else null end', "scalar", "string | null, one"],
  ['if type == "string" then 1 elif type == "number" then . else . end', "scalar", "number | null, one"],
  ['select((. | type) != "null")', "scalar", "number | string, maybe"],
  ['if has("note") then .note else 1 end', "issue", "1 | string, one"],
  ['select(has("note") | not) | .note', "issue", "null, maybe"],
  ['select(.kind == "user") | .name', "tagged", "string, maybe"],
  ['if .kind == "user" then .name else .members end', "tagged", "string | string[], one"],
  ['if .kind | IN("user") then .name else 1 end', "tagged", "1 | string, one"],
  ['.body // "-"', "issue", "string, one"],
  [".body as $b | if $b then $b else 0 end", "issue", "0 | string, one"],
  [". as $i | select($i.note) | $i.note", "issue", "string, maybe"],
  ["select(.a.b) | .a.b", "unknown", "unknown, maybe"],
  ['select(type == "number") | . + 1', "unknown", "number, maybe"],
  ["if .done then 1 else error end", "issue", "1, one"],
  ["if not then . else 1 end", "null", "null, one"],
  // Loops and definitions.
  ["reduce .[] as $n (0; . + $n)", "numbers", "number, one"],
  ["reduce .[] as $n ({}; .[$n | tostring] = $n)", "numbers", "{[string]: number}, one"],
  ["[foreach .[] as $n (0; . + $n; [$n, .])]", "numbers", "[number, number][], one"],
  ["reduce .[] as $n (0; empty)", "numbers", "number | null, one"],
  ["def f: if . > 1 then . * (. - 1 | f) else 1 end; f", "number", "number, one"],
  ["def f($n; g): [$n, g]; f(1; .title)", "issue", "[1, string], one"],
  ["def f(g): def h: g; h; f(.id)", "issue", "number, one"],
  ["[limit(3; repeat(. + 1))]", "number", "number[], one"],
  ["limit(3; .[])", "numbers", "number, many"],
  ["limit(1; .[])", "numbers", "number, maybe"],
  ["limit(1; 2, 3)", "null", "2 | 3, maybe"],
  ["until(. > 10; . + 1)", "number", "number, one"],
  ["[recurse | numbers]", "numbers", "number[], one"],
  [". as [$a, $b] | $a", "numbers", "number | null, one"],
  [". as {id: $n, labels: [{name: $l}]} | [$n, $l]", "issue", "[number, string | null], one"],
  [". as [$x] ?// $x | $x", "numbers", "unknown, unknown"],
  ["label $out | .[] | ., break $out", "numbers", "number, unknown"],
  ["def f: f; f", "number", "never, none"],
  // Updates.
  [".id |= tostring | .id", "issue", "string, one"],
  [".a.b = 1", "empty", "{a: {b: 1}}, one"],
  [".labels[].name |= length | .labels", "issue", "{name: number}[], one"],
  [".id += 1 | .id", "issue", "number, one"],
  ['.note //= "x" | .note', "issue", "string, one"],
  ["del(.note, .id) | keys_unsorted", "issue", "string[], one"],
  ["{a: 1, b: 2} | del(.a)", "null", "{b: 2}, one"],
  ["{a: 1, b: 2, c: 3} | del((.a, .b))", "null", "{c: 3}, one"],
  ["{a: 1, b: 2} | .a |= empty", "null", "{b: 2}, one"],
  ["(.body | select(. != null)) |= length | .body", "issue", "number | null, one"],
  ["map_values(. + 1)", "map", "{[string]: number}, one"],
  [".[0] = 1", "null", "(1 | null)[], one"],
  // Builtins of structure.
  ['{a: 1, b: "x"} | to_entries', "null", '({key: "a", value: 1} | {key: "b", value: "x"})[], one'],
  ["with_entries(.value |= tostring)", "map", "{[string]: string}, one"],
  ["{a: 1} | with_entries(.value |= tostring)", "null", "{a: string}, one"],
  ["group_by(. % 2)", "numbers", "number[][], one"],
  ['map({name: "a", id: .}) | INDEX(.id)', "numbers", '{[string]: {name: "a", id: number}}, one'],
  ["add", "numbers", "number | null, one"],
  ["[.labels[].name] | add", "issue", "string | null, one"],
  ['[1, [2, ["a"]]] | flatten', "null", "(number | string)[], one"],
  ["reduce empty as $x (., error; .)", "number", "number, unknown, fails"],
  ["pick(.id?)", "string", "null, one"],
  ["pick(.id.x?, .body?)", "issue", "{body: string | null}, one"],
  ['strptime("%Y")', "string", "(number | string)[], one"],
  ["pick(.id, .body)", "issue", "{id: number, body: string | null}, one"],
  ['getpath(["labels", 0, "name"])', "issue", "string | null, one"],
  ["..|numbers", "issue", "number, many"],
  ['@csv "\\(.labels | map(.name))"', "issue", "string, one"],
  ["try error catch .", "issue", "unknown, one"],
  ["[.id, .note?]", "issue", "[number, string | null], one"],
  // What is known of arrays.
  ["[.id, .title] | .[0], .[-1], .[2]", "issue", "number | string | null, many"],
  ["[.id, .title] | .[1:]", "issue", "(number | string)[], one"],
  ["[.id, .title] | reverse | .[0]", "issue", "number | string, one"],
  ["[.id, .title] | .[0] = null", "issue", "(number | string | null)[], one"],
  ["[.labels[], 1] | .[0] | type", "issue", '"number" | "object", one'],
  ["group_by(.) | map(.[0])", "numbers", "number[], one"],
  ["if length > 0 then .[0] else 0 end", "numbers", "number, one"],
  ["if 1 <= length then min else 0 end", "numbers", "number, one"],
  ["if length == 0 then 0 else add / length end", "numbers", "number, one"],
  ["if length < 3 then .[0] else 0 end", "numbers", "number | null, one"],
  // By kinds in jq's order, groups of patterns, and each part of a value.
  ["select(.body > 3) | .body", "issue", "string, maybe"],
  ["select(.body < 3) | .body", "issue", "null, maybe"],
  ["select(.body > null) | .body", "issue", "string, maybe"],
  ['scan("a"), scan("(a)(b)?")', "string", "string | [string, string | null], many"],
  ['sub("(?<a>.)"; .a + "x")', "string", "string, one"],
  ['capture("(?<a>.)|(?<b>.)")', "string", "{a: string | null, b: string | null}, maybe"],
  ["{a: {b: 1}, c: 1} * {a: {d: 2}, c: {}}", "null", "{a: {b: 1, d: 2}, c: {}}, one"],
  [
    '{a: 1, b: [2]} | walk(if type == "number" then tostring else . end)',
    "null",
    "{a: string, b: string[]}, one",
  ],
  ['{(if . == null then "a" else "b" end): 1}', "unknown", "{a?: 1, b?: 1}, one"],
  // What fails.
  ["error", "issue", "never, none, fails"],
  [".id.x", "issue", "never, none, fails"],
  ["try .id.x catch 1", "issue", "1, one"],
  [".id.x // 2", "issue", "2, one"],
  [".id.x?", "issue", "never, none"],
  [".labels | keys, .id.x", "issue", "number[], unknown, fails"],
];

test.each(table)("%s of %s", (program, input, outputs) => {
  expect(inferred(program, input)).toBe(outputs);
});

test("every builtin has a type rule, and every rule a builtin", () => {
  const documented = builtins.map(({ name, parameters }) => `${name}/${parameters.length}`);
  expect([...ruledFunctions].sort()).toEqual([...documented].sort());
});
