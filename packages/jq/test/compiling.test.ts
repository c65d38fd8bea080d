import { describe, expect, test } from "vitest";
import { cases } from "../../../test/support/cases.ts";
import { compile, evaluate, JqError, type Json } from "../src/index.ts";

/** What is known of a body is used where it is called; what it gives must not depend on how much is known then. */
describe("a definition gives what its body gives", () => {
  test.each<[program: string, input: Json, outputs: Json[]]>([
    ["def f: .a; [.[] | f]", [{ a: 1 }, {}], [[1, null]]],
    ["def f: select(. > 1); [.[] | f]", [1, 2, 3], [[2, 3]]],
    ["def f: ., .; [f, (f | f)]", 1, [[1, 1, 1, 1, 1, 1]]],
    // Arguments by value: one each, several, and those that are called too.
    ["def f($a; $b): [., $a, $b]; f(1; 2)", 0, [[0, 1, 2]]],
    [
      "def f($a; $b): [$a, $b]; [f(1, 2; 3, 4)]",
      null,
      [
        [
          [1, 3],
          [1, 4],
          [2, 3],
          [2, 4],
        ],
      ],
    ],
    ["def f($a; $b): [$a, $b]; [f(empty; 1)]", null, [[]]],
    [
      "def f($a): [$a, a]; f(1, 2)",
      null,
      [
        [1, 1, 2],
        [2, 1, 2],
      ],
    ],
    ["def f($a; g): [$a, (10 | g)]; f(. + 1; . + 1)", 1, [[2, 11]]],
    ["def f(g): [g]; f(., 1)", 0, [[0, 1]]],
    // What they call themselves, each other, and what comes before them.
    ["def f: if . < 3 then . + 1 | f else . end; f", 0, [3]],
    ["def f: [.[]? | f]; f", [[], [[]]], [[[], [[]]]]],
    ["def f: def g: if . > 0 then . - 1 | f else . end; g; [f, (5 | f)]", 2, [[0, 0]]],
    ["def f: 1; def g: f; def f: 2; [f, g]", null, [[2, 1]]],
    ["def f($n): if $n > 0 then f($n - 1) + 1 else 0 end; f(100)", null, [100]],
    // Where calls stand.
    ["def f: . + 1; reduce range(3) as $i (0; f)", null, [3]],
    ["def f: .n += 1; def g: f | .l += [.n]; reduce range(3) as $i ({}; g)", null, [{ n: 3, l: [1, 2, 3] }]],
    [
      "def f: {s: .}; def l: .last = f; reduce range(2) as $i ({}; .n += 1 | l) | .last.s",
      null,
      [{ n: 2, last: { s: { n: 1 } } }],
    ],
    ["def f: .a; [path(f), (f |= 3), (f += 1)]", { a: 1 }, [[["a"], { a: 3 }, { a: 2 }]]],
    ["def f: error(.); [.[] | try f catch (. * 2)]", [1, 2], [[2, 4]]],
    ["def f: first(.[] | select(. > 1)); f, (try f catch .)", [1, 2], [2, 2]],
    ["1 as $x | def f: $x + .; 2 as $x | [f, $x]", 0, [[1, 2]]],
    ["def f: label $out | (1, break $out, 2); [f, f]", null, [[1, 1]]],
    ["def f: limit(1; .[]); [f | f]", [[1, 2]], [[1]]],
  ])("%s", (program, input, outputs) => expect(evaluate(program, input)).toEqual(outputs));

  // Each call waits for what the ones before it give: that takes stack for how deep they are, not for how many.
  test.each<[program: string, output: Json]>([
    ["def fib: if . < 2 then . else (. - 1 | fib) + (. - 2 | fib) end; 18 | fib", 2584],
    [
      "def fib($n): if $n < 2 then $n else fib($n - 1) as $a | fib($n - 2) as $b | $a + $b end; fib(18)",
      2584,
    ],
    ["def fib: if . < 2 then . else {a: (. - 1 | fib), b: (. - 2 | fib)} | .a + .b end; 18 | fib", 2584],
    [
      "def a($m; $n): if $m == 0 then $n + 1 elif $n == 0 then a($m - 1; 1) else a($m - 1; a($m; $n - 1)) end; a(2; 9)",
      21,
    ],
    ["def f: def g: . - 1 | f; if . < 2 then . else g + (. - 2 | f) end; 18 | f", 2584],
    // However many definitions there are before it.
    [
      `${Array.from({ length: 200 }, (_, at) => `def g${at}: . + ${at};`).join(" ")} def f: if . < 2 then . else (. - 1 | f) + (. - 2 | f) end; 18 | f`,
      2584,
    ],
    ["def f: if . < 1 then null else (. - 1 | f) // (. - 1 | f) // . end; 12 | f", 1],
    ["def f: if . > 0 then (. - 1 | f), (. - 1 | f) else . end; [12 | f] | length", 4096],
    ["def f: if . > 0 then (. - 1 | f) else empty end; [12 | f]", []],
    ["def f: if . > 0 then [. - 1 | f] + [. - 1 | f] | add else empty end; 12 | f", null],
  ])("%s", (program, output) => expect(evaluate(program, null)).toEqual([output]));

  // A call that is the last thing to do takes no stack.
  test.each<[program: string, output: Json]>([
    ["def f: if . > 0 then . - 1 | f else . end; f", 0],
    ["def f: null // (if . > 0 then . - 1 | f else . end); f + 1", 1],
    ["def f: . as $x | if $x > 0 then $x - 1 | f else . end; [f]", [0]],
    ["def f($n; $a): if $n > 0 then f($n - 1; $a + 1) else $a end; f(.; 0)", 100_000],
    ["def f: def g: if . > 0 then . - 1 | f else . end; g; f", 0],
    ["def f: def g: f; if . > 0 then . - 1 | g else . end; {a: f}", { a: 0 }],
    ["def f: if . > 0 then . - 1 | f else empty end; [f]", []],
    ["def f: if . > 0 then . - 1 | f else 1, 2 end; [f]", [1, 2]],
    ["reduce 1 as $i (.; def f: if . > 0 then . - 1 | f else . end; f)", 0],
  ])("%s of 100,000", (program, output) => expect(evaluate(program, 100_000)).toEqual([output]));

  test("a failure in it is at its own place, whoever calls it", () => {
    const program = "def f: .a.b; def g: f; [.[] | g]";
    expect.assertions(2);
    try {
      evaluate(program, [{ a: 1 }]);
    } catch (error) {
      expect(error).toBeInstanceOf(JqError);
      const { start, end } = (error as JqError).span!;
      expect(program.slice(start, end)).toBe(".b");
    }
  });
});

describe("no form of a program takes compiling long, or stack", () => {
  const chain = (body: (before: string) => string): string =>
    `def f0: .a; ${Array.from({ length: 6_000 }, (_, at) => `def f${at + 1}: ${body(`f${at}`)};`).join(" ")}`;
  test.each<[string, string, Json]>([
    ["adds to what the one before gives", `${chain((f) => `${f} + 1`)} f400`, 400],
    ["ends with a call of the one before", `${chain((f) => f)} f6000`, null],
    ["asks the one before for paths", `${chain((f) => `select(${f} == null) | .a`)} path(f60)`, ["a"]],
  ])("each definition %s", (_, program, output) => expect(evaluate(program, null)).toEqual([output]));

  test.each(["null // ", "false or ", "true and ", "0 + ", "null | "])("a chain of %s", (link) => {
    const [output] = evaluate(`${link.repeat(20_000)}true`.replace(/(?<=\+ )true/, "1"), null);
    expect(output === true || output === 1).toBe(true);
  });

  // Compiled twice on each level, thirty of them would take minutes, and sixty for ever.
  test.each([
    "reduce .[] as $x (0; .a += (#) | (1, 2))",
    "reduce .[] as $x (0; if (#) then .a += 1 else (1, 2) end)",
    "reduce .[] as $x (0; . as $y | .a += (#) | (1, 2))",
    "foreach .[] as $x (.; .a += (#); [1])",
    "foreach .[] as $x (.; .a += (#); (1, 2))",
    "reduce .[] as $x (0; .a += (def f: #; f) | (1, 2))",
    "reduce .[] as $x (0; def f: #; .a += f | (1, 2))",
    "def f: reduce .[] as $x (0; (#) | .a += f | (1, 2)); f",
    "(def f: #; f) |= 1",
    "def f: if . then (f, #) else 1 end; f",
    "def f: if . then f else # end; [f]",
    "def f: reduce .[] as $x (0; (#) | .a += f | (1, f)); f",
    "def f: def g: (#), f; g; f",
    "def f(g): .a[#] |= g; f(.)",
    // For arguments with one output, and for any.
    "def f(g): (#), f(g); f(.), f(1, 2)",
    "def f(g): def h(k): (#), f(k), h(g); h(1, 2), h(.); f(1, 2), f(.)",
    "def f(g): reduce g as $x (.; .a += (#)); f(.), f(1, 2)",
    "def f($x): x + 1; f(#)",
    ".a[#] |= (#)".replace("#", "1"),
    "path(def f: #; .[f])",
  ])("%s within itself", (template) => {
    let program = ".";
    for (let level = 0; level < cases(60, 30); level++) program = template.replace("#", `(${program})`);
    expect(compile(program).diagnostics).toEqual([]);
  });
});
