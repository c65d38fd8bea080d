import { describe, expect, test } from "vitest";
import { evaluate, type JqError, type Json } from "../src/index.ts";

/** The program with `«…»` around the place where it fails, and the kind of failure. */
function failureOf(program: string, input: Json) {
  try {
    evaluate(program, input, { budget: { steps: 300_000 } });
  } catch (error) {
    const { kind, span } = error as JqError;
    if (span === undefined) return { kind, place: undefined };
    const [before, at, after] = [[0, span.start], [span.start, span.end], [span.end]].map(([from, to]) =>
      program.slice(from, to),
    );
    return { kind, place: `${before}«${at}»${after}` };
  }
  return undefined;
}

describe("a run that fails says where in its program", () => {
  test.each<[marked: string, input: Json, kind?: string]>([
    // Of builtins that are written in jq, it is the call.
    ["1, «to_entries»", 1],
    ["map(«with_entries(.value)»)", [{ a: 1 }, 2]],
    ['. | «test("a"; 1)»', "a"],
    ['[«gsub("a"; {})»]', "a"],
    ["«any»", 1],
    ["[.[] | «in({})»]", [1]],
    ['«join(",")»', [{}, {}]],
    ["path(«first» | .a)", 1],
    ["[.[] | «combinations»]", [[[1], 2]]],
    ["«nth(-1; 1)»", null],
    ["«pick(.[-1])»", [1]],
    ['«scan("(")»', "a"],
    ["[«repeat(1)»]", null, "budget"],
    ["reduce range(60) as $i (1; [., .]) | [«paths»]", null, "budget"],
    // What is passed to them stands for itself.
    ["with_entries(.value |= «keys»)", { a: 1 }],
    ['walk(«error("x")»)', null],
    ["until(.«[0]»; .)", { a: 1 }],
    ["INDEX(«.a»)", [1]],
    // What recurses too deeply, or has no place of its own, is where the run was.
    ["def f: [«f»]; f", null, "depth"],
    ["1 + (def f: {a: «f»}; f)", null, "depth"],
    ["def f(g): «f(g | g)»; f(.)", null, "budget"],
    ["reduce «range(1e9)» as $i (null; [.])", null, "budget"],
  ])("%s", (marked, input, kind = "error") => {
    expect(failureOf(marked.replace(/[«»]/g, ""), input)).toEqual({ kind, place: marked });
  });
});
