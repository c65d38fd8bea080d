import { expect, test } from "vitest";
import { alternativeInputs, generateAlternatives } from "./alternatives.ts";
import { compareOne } from "./compare.ts";
import { Random } from "./random.ts";
import { Reference } from "./reference.ts";

test("alternatives of patterns give in jq what they give here", async () => {
  const random = new Random(3);
  const reference = new Reference();
  const verdicts = { same: 0, skipped: 0, kept: 0, different: 0 };
  const differences: unknown[] = [];
  let succeeded = 0;
  while (verdicts.same + verdicts.kept + verdicts.different < 500) {
    const verdict = await compareOne(reference, generateAlternatives(random), random.of(alternativeInputs));
    verdicts[verdict.kind]++;
    if (verdict.kind === "different") differences.push(verdict.difference);
    if (verdict.kind === "same" && verdict.succeeded) succeeded++;
  }
  await reference.end();
  expect(differences).toEqual([]);
  expect(verdicts.kept).toBe(0);
  expect(succeeded).toBeGreaterThan(200);
});
