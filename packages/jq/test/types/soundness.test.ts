import fc from "fast-check";
import { expect, test } from "vitest";
import { soundness } from "./soundness.ts";

test("what is inferred holds for what is evaluated", () => {
  const reached = { outputs: 0, counted: 0, fails: 0, findings: 0, alarms: 0 };
  fc.assert(soundness(reached), { numRuns: 600, seed: 1 });
  expect(Object.entries(reached).filter(([, count]) => count < 100)).toEqual([]);
});
