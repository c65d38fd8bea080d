import { describe, expect, test } from "vitest";
import { compile, evaluate, JqError, type Json } from "../../src/index.ts";
import { conformanceCases, conformanceMissing } from "../support/conformance.ts";

/** jq's files write nan, which only `fromjson` takes, and begin one input with a byte order mark. */
const read = (text: string): Json => evaluate("fromjson", text.replace(/^\uFEFF/, ""), { exact: true })[0]!;

const { filter: areSame } = compile(".[0] == .[1] or (map(tojson) | .[0] == .[1])", { exact: true });

describe.skipIf(conformanceMissing)("jq's own cases with exact numbers", () => {
  // Modules, and functions that jq has for itself.
  const notRun = /^modulemeta|^import|_strindices/;

  test("give the expected outputs, also where they depend on have_decnum", () => {
    const failures: unknown[] = [];
    let passed = 0;
    for (const { program, input, outputs, fails } of conformanceCases()) {
      const { filter } = compile(program, { exact: true });
      if (fails || notRun.test(program) || filter === undefined) continue;
      const expected = outputs.map(read);
      let actual: readonly Json[];
      try {
        actual = filter.all(read(input), { io: { env: { PAGER: "less" } } });
      } catch (error) {
        if (!(error instanceof JqError)) throw error;
        actual = error.outputsSoFar;
      }
      if (areSame!.first([actual, expected]) === true) passed++;
      else failures.push({ program, input, expected, actual });
    }
    expect(failures).toEqual([]);
    expect(passed).toBeGreaterThan(380);
  });
});
