import type { AppProgram } from "@configc/compiler";
import { compile, type Json, printExact } from "@configc/jq";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../test/support/cases.ts";
import { StagedProgram } from "../src/stages/evaluate.ts";

/** The stages of a program with the values that come to them: `[text of the stage, value, variables]`, an output as `[null, value]`. */
function gone(text: string, input: Json, holes: AppProgram["holes"] = [], values: Json[] = []): unknown[] {
  const told: unknown[] = [];
  const end = new StagedProgram({ text, holes }).visit(
    { input, holes: values, now: 0, timeZone: "UTC" },
    ({ stage, value, variables }) => {
      const where = stage === undefined ? null : text.slice(stage.start, stage.end);
      const rest = Object.keys(variables).length === 0 ? [] : [variables];
      told.push(JSON.parse(JSON.stringify([where, value, ...rest])));
      return true;
    },
  );
  if (end.kind === "failed") told.push(["failed", end.message]);
  return told;
}

describe("a program is gone through stage by stage", () => {
  test.each<[string, Json, unknown[]]>([
    [
      ".a | . + 1",
      { a: 1 },
      [
        [".a", { a: 1 }],
        [". + 1", 1],
        [null, 2],
      ],
    ],
    [
      ".",
      1,
      [
        [".", 1],
        [null, 1],
      ],
    ],
    [
      "map(.n) | add",
      [{ n: 1 }, { n: 2 }],
      [
        ["map(.n)", [{ n: 1 }, { n: 2 }]],
        [".n", { n: 1 }],
        [".n", { n: 2 }],
        ["add", [1, 2]],
        [null, 3],
      ],
    ],
    [
      ". as $x | 5 | . + $x",
      2,
      [
        [". as $x", 2],
        ["5", 2, { x: 2 }],
        [". + $x", 5, { x: 2 }],
        [null, 7],
      ],
    ],
    [
      "reduce .[] as $x (0; . + $x)",
      [1, 2],
      [
        ["reduce .[] as $x (0; . + $x)", [1, 2]],
        [". + $x", 0, { x: 1 }],
        [". + $x", 1, { x: 2 }],
        [null, 3],
      ],
    ],
    [
      "def f: . * 2; f | f # twice",
      3,
      [
        ["f", 3],
        [". * 2", 3],
        ["f", 6],
        [". * 2", 6],
        [null, 12],
      ],
    ],
    [
      "if .a then 1 else .b | error end",
      { b: "no" },
      [
        ["if .a then 1 else .b | error end", { b: "no" }],
        [".b", { b: "no" }],
        ["error", "no"],
        ["failed", "no"],
      ],
    ],
    [
      ".[] | select(. > 1)",
      [1, 2, 3],
      [
        [".[]", [1, 2, 3]],
        ["select(. > 1)", 1],
        [". > 1", 1],
        ["select(. > 1)", 2],
        [". > 1", 2],
        [null, 2],
      ],
    ],
    [
      "(.a | .b) |= . + 1",
      { a: { b: 1 } },
      [
        ["(.a | .b) |= . + 1", { a: { b: 1 } }],
        [".a", { a: { b: 1 } }],
        [".b", { b: 1 }],
        [null, { a: { b: 2 } }],
      ],
    ],
    [
      'try error("x") catch .',
      null,
      [
        ['try error("x") catch .', null],
        [null, "x"],
      ],
    ],
  ])("%s", (text, input, expected) => {
    expect(gone(text, input)).toEqual(expected);
  });

  test("with the values of its holes", () => {
    const text = "${data.x} | . + 1";
    const holes = [{ start: 0, end: 9, path: ["data", "x"] }];
    expect(gone(text, null, holes, [4])).toEqual([
      ["${data.x}", null],
      [". + 1", 4],
      [null, 5],
    ]);
  });

  test("a value that a fold goes on changing is told as it was", () => {
    const told = gone("reduce range(3) as $i ([]; . + [$i] | .[0] += 10)", null);
    expect(told.slice(1)).toEqual([
      [". + [$i]", [], { i: 0 }],
      [".[0] += 10", [0], { i: 0 }],
      [". + [$i]", [10], { i: 1 }],
      [".[0] += 10", [10, 1], { i: 1 }],
      [". + [$i]", [20, 1], { i: 2 }],
      [".[0] += 10", [20, 1, 2], { i: 2 }],
      [null, [30, 1, 2]],
    ]);
  });

  test("one that never ends is left where one has seen enough", () => {
    let stops = 0;
    const program = new StagedProgram({ text: "last(repeat(. + 1))", holes: [] });
    const end = program.visit({ input: 0, holes: [], now: 0, timeZone: "UTC" }, () => ++stops < 1_000);
    expect([end.kind, stops]).toEqual(["left", 1_000]);
  });

  const programs = [
    "map(select(.a > 1) | .b) | sort | unique",
    '[.[] | .a as $a | {a: $a, b: (.b // "none")}] | group_by(.b) | map({key: .[0].b, n: length}) | from_entries? // .',
    "def total(f): reduce .[] as $x (0; . + ($x | f)); {a: total(.a), most: (map(.a) | max)}",
    "[foreach .[] as {a: $a, b: $b} (0; . + $a; [., $b])] | limit(2; .[])",
    '[paths(type == "number")] | length',
    "del(.[] | select(.a == 2)) | to_entries | map(.value.b |= (. | tostring | ascii_upcase))",
    "label $out | foreach .[] as $x (0; . + 1; if $x.a > 1 then ., break $out else empty end)",
    "first(.[] | select(.a == 3)) as [$p] ?// {b: $p} | [$p]",
  ];
  test.each(programs)("marks change nothing: %s", (text) => {
    const items = fc.array(
      fc.record({ a: fc.integer({ min: 0, max: 4 }), b: fc.constantFrom("x", "y", null) }),
    );
    fc.assert(
      fc.property(items, (input) => {
        const plain = outcomeOf(text, input as Json);
        let output: unknown = "none";
        const end = new StagedProgram({ text, holes: [] }).visit(
          { input: input as Json, holes: [], now: 0, timeZone: "UTC" },
          ({ stage, value }) => {
            if (stage === undefined) output = printExact(value);
            return true;
          },
        );
        expect(end.kind === "failed" ? end.message : output).toEqual(plain);
      }),
      { numRuns: cases(40) },
    );
  });
});

function outcomeOf(text: string, input: Json): string {
  try {
    const first = compile(text, { exact: true }).filter?.first(input);
    return first === undefined ? "none" : printExact(first);
  } catch (error) {
    return (error as Error).message;
  }
}
