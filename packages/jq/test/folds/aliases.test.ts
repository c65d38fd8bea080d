import { expect, test } from "vitest";
import { evaluate, type Json } from "../../src/index.ts";

/** Ways in which something could hold a part of a fold's state that a later step changes. */
const table: readonly (readonly [why: string, program: string, ...outputs: readonly Json[]])[] = [
  ["the initial state", ". as $in | reduce (1, 2) as $x (.; .l += [$x]) | $in", { l: [0] }],
  ["a variable's value", "[9] as $v | reduce (1, 2) as $x ({}; .l += $v) | [$v, .l]", [[9], [9, 9]]],
  ["an item", "reduce ([1], [2]) as $x ({}; .last = $x | .last += [0]) | .last", [2, 0]],
  [
    "another member",
    "reduce (1, 2) as $x ({}; .l += [$x] | .last = .l | .l += [0])",
    { l: [1, 0, 2, 0], last: [1, 0, 2] },
  ],
  ["a list of states", "reduce (1, 2) as $x ({}; .l += [$x] | .all += [.l]) | .all", [[1], [1, 2]]],
  [
    "the whole state",
    "reduce (1, 2) as $x ({}; .n += [$x] | .h += [.]) | .h[-1].n, .h[0]",
    [1, 2],
    { n: [1] },
  ],
  [
    "a variable between steps",
    "reduce (1, 2) as $x ({}; .l += [$x] | .l as $w | .l += [0] | .w = $w)",
    { l: [1, 0, 2, 0], w: [1, 0, 2] },
  ],
  [
    "an update that doubles",
    "reduce (1, 2, 3) as $x ({l: []}; .l += [$x] | if $x == 2 then .o |= [.l] | .p = [.l, .l] else . end) | .p",
    [
      [1, 2],
      [1, 2],
    ],
  ],
  [
    "an update that keeps",
    "reduce (1, 2) as $x ({}; .o.l += [$x] | .o |= {a: .l, l: .l} | .o.l += [0]) | .o",
    { a: [1, 0, 2], l: [1, 0, 2, 0] },
  ],
  [
    "setpath keeps the state",
    'reduce (1, 2) as $x ({}; setpath(["a", "b"]; [.]) | .a.b += [0]) | .a.b[0].a.b',
    [{}, 0],
  ],
  [
    "setpath keeps a part",
    'reduce (1, 2) as $x ({}; .a.l += [$x] | setpath(["b"]; .a) | setpath(["a", "l", 0]; 9)) | .b.l, .a.l',
    [9, 2],
    [9, 2],
  ],
  [
    "what a merge puts in",
    "reduce (1, 2) as $x ({a: {l: []}}; . * {b: .a} | .b.l += [$x] | .a.n += 1) | .a, .b",
    { l: [], n: 2 },
    { l: [2], n: 1 },
  ],
  [
    "what a merge adds to",
    "{o: {l: [1]}} as $v | reduce (1, 2) as $x ({}; . *= $v | .o.l += [$x]) | [$v, .o.l]",
    [{ o: { l: [1] } }, [1, 2]],
  ],
  [
    "what an update by path keeps",
    'reduce (1, 2) as $x ({a: {n: 0}}; getpath(["a"]) |= {n, p: .} | .a.n += 1 | .a.p.n += 10) | .a.n, .a.p.n, .a.p.p.n',
    2,
    11,
    10,
  ],
  [
    "what a deletion leaves",
    "reduce (1, 2) as $x ({l: [[1], [2], [3]]}; .k = .l | del(.l[0]) | .l[0] += [$x]) | .k, .l",
    [[2, 1], [3]],
    [[3, 2]],
  ],
  [
    "paths within each other",
    "[[1]] | (.[0][0], .[0], .[0][0]) |= [., .]",
    [[[[[1, 1]], [[1, 1]]], [[1, 1]]]],
  ],
  ["a definition with a builtin's name", "def length: .; reduce (1, 2) as $x ([]; . + [length])", [[], [[]]]],
  [
    "outputs of foreach",
    "[foreach (1, 2) as $x ({}; .l += [$x]; .l), foreach (1, 2) as $x ({}; .l += [$x]; .)]",
    [[1], [1, 2], { l: [1] }, { l: [1, 2] }],
  ],
  [
    "an output of foreach behind one that isn't kept",
    "[foreach (1, 2, 3) as $x ({}; .l += [$x]; if $x == 2 then . else $x end)]",
    [1, { l: [1, 2] }, 3],
  ],
  [
    "what is thrown",
    "try (reduce (1, 2) as $x (.; .l += [$x] | if $x == 2 then error(.l) else . end)) catch ., .",
    [0, 1, 2],
    { l: [0] },
  ],
  [
    "a label",
    "[label $f | foreach (1, 2, 3) as $x ({}; .l += [$x]; if $x == 2 then ., break $f else $x end)]",
    [1, { l: [1, 2] }],
  ],
  [
    "alternatives that go on after a step that failed",
    'reduce (0, ([1] as [$a] ?// $a | $a)) as $x ({n: 5}; .n += 1 | if .n == 7 then error("x") else . end)',
    { n: 1 },
  ],
  ["what is deleted", "reduce (1, 2) as $x ({l: [0]}; .l += [$x] | .l[0] |= empty) | .l", [2]],
  ["a slice", "reduce (1, 2) as $x ({}; .l += [[$x]] | .l[:1] |= map(. + [0])) | .l", [[1, 0, 0], [2]]],
  ["__proto__", "reduce (1, 2) as $x ({}; .__proto__.l += [$x]) | .__proto__.l, .l", [1, 2], null],
  [
    "two runs of one fold",
    "def f: reduce (1, 2) as $x (.; .l += [$x]); f | ., (f | .l)",
    { l: [0, 1, 2] },
    [0, 1, 2, 1, 2],
  ],
];

test.each(table)("%s: %s", (_why, program, ...outputs) => {
  const input = { l: Object.freeze([0]) as unknown as Json };
  expect(evaluate(program as string, Object.freeze(input))).toEqual(outputs);
});

test("what debug has shown stays as it was", () => {
  for (const step of [
    ".l += [$x] | debug",
    ".l += [$x] | if (.l | debug) then .n += 1 end",
    ".l += [(.l | debug | 1)]",
  ]) {
    const shown: Json[] = [];
    const texts: string[] = [];
    const debug = (message: Json): void => {
      shown.push(message);
      texts.push(JSON.stringify(message));
    };
    evaluate(`reduce range(4) as $x ({}; ${step})`, null, { io: { debug } });
    expect(texts.length).toBe(4);
    expect(shown.map((message) => JSON.stringify(message))).toEqual(texts);
  }
});
