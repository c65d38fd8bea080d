import { compile } from "@configc/compiler";
import { createRuntime, type Json } from "@configc/runtime";
import { describe, expect, test } from "vitest";
import { testEffects } from "../../runtime/test/support/effects.ts";
import { CoverageOf } from "../src/coverage/coverage.ts";

const source = "/workflows/0/data_pipeline/source";

/** The branches of a program that no run took, after one run for each input. */
async function untaken(command: object, inputs: readonly Json[], custom_data: Json = {}): Promise<string[]> {
  const config = { $version: "2", workflows: [{ name: "w", data_pipeline: { source: command } }] };
  const { app } = compile(JSON.stringify(config));
  const coverage = new CoverageOf(app);
  const runtime = createRuntime(app, testEffects());
  for (const input of inputs)
    await runtime
      .run(source, { input, context: { custom_data }, onProgram: (run) => coverage.addProgram(run) })
      .catch(() => undefined);
  const { covered, total, missing } = coverage.result().jqBranches;
  expect(covered + missing.length).toBe(total);
  return missing.map(({ branch, text }) => `${branch} ${text}`);
}

describe("branches of jq", () => {
  test.each<[program: string, inputs: Json[], untaken: string[]]>([
    ["if .a then 1 elif .b then 2 else 3 end", [{}], ["then 1", "then 2"]],
    ["if .a then 1 elif .b then 2 else 3 end", [{ a: 1 }, { b: 1 }, {}], []],
    ["if .a then 1 elif .b then 2 end", [{ b: 1 }], ["then 1", "else "]],
    ["if .a then (.b)end", [{}], ["then (.b)"]],
    ['.a // .b // "x" # the end', [{ b: 0 }], ["value .a", 'default "x"']],
    ["[.[] | if . > 1 then 2 else 3 end]", [[1]], ["then 2"]],
    ["[.[] | if . > 1 then 2 else 3 end]", [[1, 2]], []],
    ['try error("x") catch (if . == "x" then 1 else 2 end)', [null], ["else 2"]],
    ['try 1 catch "y"', [null], ['catch "y"']],
    ["if .a then if .b then 1 else 2 end else 3 end", [{ a: 1 }], ["then 1", "else 3"]],
    [
      "if .a then .b // 1 else (.c // 2) // 3 end",
      [{}],
      ["then .b // 1", "value .b", "default 1", "value .c", "default 3"],
    ],
    // Errors that are dropped.
    [".a?, .b.c?", [{}], ["dropped .a?", "dropped .b.c?"]],
    ["[.a.b?, .c]", [[1]], ["dropped .a.b?"]],
    ["[.a?, .c]", [[1]], []],
    ["[.a.b?, .c]", [{ a: 1 }], []],
    ["[.a?.b?]", [{ a: 1 }], ["dropped .a?"]],
    ['[.["a"]?]', [[1]], []],
    ["[.[]?]", [null], []],
    ["[.a[]?]", [{ a: [1] }], ["dropped .a[]?"]],
    ["[.. | .id?]", [{ id: 1 }], []],
    ["[(.a | tonumber)? // 7]", [{ a: "x" }], ["value (.a | tonumber)?"]],
    ["[try error(1)]", [null], []],
    ["[try .a]", [{}], ["dropped .a"]],
    ["[.a?] | .[0] // 1", [{ a: 1 }], ["dropped .a?", "default 1"]],
    ["(.a?, .b[0]?) |= 1", [{ b: 1 }], ["dropped .a?"]],
    // Where paths are named, too.
    ["(if .a then .b else .c end) |= 1 | (.d // .e) = 2", [{}], ["then .b", "value .d"]],
    // What comes before a failure was taken, and nothing after the first output.
    ["(.a // 1) | if . == 1 then error else 2 end", [{}], ["value .a", "else 2"]],
    ["1, (.a // 2)", [{}], ["value .a", "default 2"]],
    // Names of the app's own.
    ["def debug(x): error; .a // 1", [{}], ["value .a"]],
    [
      '.a // "${custom_data.x.value}", "ü😀" # ${custom_data.x.value}',
      [{ a: 1 }],
      ['default "${custom_data.x.value}"'],
    ],
    [
      "if ${custom_data.x.value} == 7 then ${custom_data.x.value} else .${custom_data.y.value} end",
      [{}],
      ["else .${custom_data.y.value}"],
    ],
  ])("%s of %j", async (program, inputs, expected) => {
    expect(await untaken({ "!jq": program }, inputs, { x: { value: 7 }, y: { value: "k" } })).toEqual(
      expected,
    );
  });

  test("of the program by which a !switch chooses", async () => {
    const command = {
      "!switch": { jq: "if .a then 0 else 1 end", cases: [{ "!jq": "1" }, { "!jq": ".b // 2" }] },
    };
    expect(await untaken(command, [{ a: 1 }])).toEqual(["else 1", "value .b", "default 2"]);
  });
});
