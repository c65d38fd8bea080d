import { describe, expect, test } from "vitest";
import { evaluate, JqError } from "../../src/index.ts";

const arrays = (levels: number) => `reduce range(${levels}) as $i (0; [.])`;
const objects = (levels: number) => `reduce range(${levels}) as $i (0; {a: .})`;

/** `N` is replaced by the number of levels, `DEEP` by that many arrays, `OBJECT` by that many objects. */
const atAnyDepth: readonly [program: string, output: unknown][] = [
  ["DEEP | flatten", [0]],
  ["[DEEP | ..] | length == N + 1", true],
  ["[DEEP | recurse(.[]?)] | length == N + 1", true],
  ['DEEP | walk(if type == "number" then . + 1 else . end) | flatten', [1]],
  ["[OBJECT | walk(.) | .. | numbers]", [0]],
  ["DEEP as $x | $x == $x", true],
  ["DEEP | map_values(.) | type", "array"],
  ['DEEP | tojson | contains("<skipped: too deep>")', true],
  ['DEEP | tostring == tojson and @json == "\\(.)"', true],
  ["try (DEEP | . + 1) catch .", "array ([[[[[[[[[[[[[[[[[[[[[[[[[...]) and number (1) cannot be added"],
  [
    'try (("[" * N) + ("]" * N) | fromjson) catch .[:63]',
    "Exceeds depth limit for parsing at line 1, column 10001 (while ",
  ],
  ["try ([DEEP, DEEP] | .[0] == .[1]) catch .", "Equality check too deep"],
  ["try ([OBJECT, OBJECT] | .[0] == .[1]) catch .", "Equality check too deep"],
  ["try ([DEEP, DEEP] | sort) catch .", "Comparison too deep"],
  ["try ([OBJECT, OBJECT] | unique) catch .", "Comparison too deep"],
  ["try (DEEP | . < (DEEP)) catch .", "Comparison too deep"],
  ["try (DEEP | contains(DEEP)) catch .", "Containment check too deep"],
  ["try (OBJECT | {a: .} | . * .) catch .", "Object merge too deep"],
  ["try getpath([range(N) | 0]) catch .", "Path too deep"],
  ["try setpath([range(N) | 0]; 1) catch .", "Path too deep"],
  ["try delpaths([[range(N) | 0]]) catch .", "Path too deep"],
  ["DEEP | delpaths([[range(9990) | 0]]) | flatten", []],
  ["DEEP | delpaths([[range(9990) | 0], [range(9000) | 0]]) | flatten", []],
  ["try (DEEP | [tostream]) catch .", "Path too deep"],
  ["try (DEEP | (.. | numbers) |= . + 1) catch .", "Path too deep"],
];

describe.each([10_001, 20_000])("%i levels", (levels) => {
  test.each(atAnyDepth)("%s", (program, output) => {
    const text = program
      .replaceAll("DEEP", `(${arrays(levels)})`)
      .replaceAll("OBJECT", `(${objects(levels)})`)
      .replaceAll(/\bN\b/g, String(levels));
    expect(evaluate(text, null)).toEqual([output]);
  });
});

describe("what jq still does", () => {
  test.each([
    ["[DEEP, DEEP] | .[0] == .[1]", true],
    ["[DEEP, DEEP] | unique | length", 1],
    ["DEEP | contains(DEEP)", true],
    ["OBJECT | . * . | [.. | numbers]", [0]],
    ["DEEP | tojson | fromjson | flatten", [0]],
    ["setpath([range(9999) | 0]; 1) | flatten", [1]],
  ])("%s of 9999 levels", (program, output) => {
    const text = program.replaceAll("DEEP", `(${arrays(9999)})`).replaceAll("OBJECT", `(${objects(9999)})`);
    expect(evaluate(text, null)).toEqual([output]);
  });

  test("recurse computes no more than is asked for", () => {
    expect(evaluate("[limit(4; recurse(if . < 3 then . + 1 else error end))]", 0)).toEqual([[0, 1, 2, 3]]);
    expect(evaluate("first(recurse(error))", 0)).toEqual([0]);
    // Also where it no longer nests.
    expect(evaluate("last(limit(1000; recurse(if . < 999 then . + 1, . + 2 else error end)))", 0)).toEqual([
      999,
    ]);
  });
});

/** They take stack by how they are called within each other: that ends as a failure of its own kind. */
describe("recursion through functions that are arguments", () => {
  const ack = `def ack(m; n): if m == 0 then n + 1 elif n == 0 then ack(m - 1; 1)
    else ack(m - 1; ack(m; n - 1)) end;`;
  const kindOf = (text: string): string => {
    try {
      return JSON.stringify(evaluate(text, 0, { budget: { memory: 50_000_000 } }));
    } catch (error) {
      return error instanceof JqError ? error.kind : String(error);
    }
  };

  test.each([
    [`${ack} ack(1; 1)`, "[3]"],
    // Called by name, arguments are evaluated again and again, as in jq.
    [`${ack} ack(2; 4)`, "[11]"],
    [`${ack} try ack(3; 9) catch 1`, "budget"],
    ["def fib(n): if n < 2 then n else fib(n - 1) + fib(n - 2) end; fib(15)", "[610]"],
    [
      "def f(m; n): m as $m | n as $n | if $m == 0 then $n + 1 elif $n == 0 then f($m - 1; 1) else f($m - 1; f($m; $n - 1)) end; f(2; 40)",
      "[83]",
    ],
    // Arguments with several outputs: each waits for all that follows the one before.
    ["def f(g): if g > 3 then g else f(g + 1) end; [f(1, 2)] | length", "[24]"],
    [`def f(n): n as $n | if $n < 2 then $n else f($n - 1) + f(($n - 2), empty) end; f(22)`, "depth"],
    ["def f(g): g | f(f(g)); f(. + 1)", "depth"],
    ["def f(g): f(g | g); try f(.) catch 1", "budget"],
    ["def f(g): if . > 100000 then . else (. + 1) | f(g) end; f(.)", "[100001]"],
  ])("%s", (text, outcome) => {
    expect(kindOf(text)).toBe(outcome);
  });
});
