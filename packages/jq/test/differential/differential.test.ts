import { afterAll, describe, expect, test } from "vitest";
import type { Json } from "../../src/index.ts";
import { ours } from "./compare.ts";
import { fixtures } from "./fixtures.ts";
import { forms } from "./forms.ts";
import { Reference, type ReferenceResult } from "./reference.ts";
import { runDifferential, summaryText } from "./run.ts";

function linesOf(result: ReferenceResult | undefined): readonly string[] | undefined {
  return result && [...result.outputs, ...(result.error === undefined ? [] : [`error: ${result.error}`])];
}

describe("recorded differences", () => {
  // All of them end.
  const reference = new Reference(60_000);
  afterAll(() => reference.end());

  test.each([...fixtures, ...forms])("%s | %s", async (input, program, ...lines) => {
    expect(linesOf(ours(program, JSON.parse(input) as Json)), "ours").toEqual(lines);
    expect(linesOf(await reference.run(program, input)), "jq").toEqual(lines);
  });
});

test("generated programs give in jq what they give here", async () => {
  const summary = await runDifferential(1, { pairs: 1000 });
  console.log(summaryText(summary));
  expect(summary.differences).toEqual([]);
  expect(summary.deep / summary.pairs).toBeGreaterThan(0.2);
});
