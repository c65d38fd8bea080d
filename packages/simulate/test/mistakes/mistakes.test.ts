import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { share } from "../../../../test/support/cases.ts";
import { simulate } from "../../src/index.ts";

/*
 * Mistakes of behaviour, planted one at a time in configs that are right: in none of them does `check` have to find anything. At least
 * eighteen of them are found within the default ten seconds, each by a law that tells it. What isn't found is listed.
 */

const root = new URL("../../../../", import.meta.url);

interface Mistake {
  readonly name: string;
  readonly config: string;
  /** Any of them tells it. */
  readonly laws: readonly string[];
  /** Texts of the config, written without blanks, and what stands there instead. */
  readonly edits: readonly (readonly [string, string])[];
  /** Also tried without seeds, as people run it; these take ten seconds each. */
  readonly isToldInTime?: boolean;
}

const mistakes = JSON.parse(
  readFileSync(new URL("mistakes.json", import.meta.url), "utf8"),
) as readonly Mistake[];

const found = new Set<string>();

function planted(config: string, edits: Mistake["edits"]): string {
  const right = JSON.stringify(JSON.parse(readFileSync(new URL(config, root), "utf8")));
  return edits.reduce((before, [from, to]) => {
    expect(before).toContain(from);
    return before.replace(from, () => to);
  }, right);
}

describe("planted mistakes", () => {
  test.each(mistakes)(
    "$name",
    async ({ name, config, laws, edits }) => {
      const { app } = compile(planted(config, edits));
      const { parts } = await simulate(app, { seeds: 3, days: 0.5 });
      const broken = parts.flatMap(({ failures }) => failures);
      for (const { story } of broken) expect(story.length).toBeLessThanOrEqual(10);
      const told = broken.map(({ law }) => law);
      expect(told.filter((law) => laws.includes(law)).length, `${name}: ${told.join(", ")}`).toBeGreaterThan(
        0,
      );
      found.add(name);
    },
    120_000,
  );

  // Ten seconds of CPU each.
  test.each(share(mistakes.filter(({ isToldInTime = false }) => isToldInTime)))(
    "$name: within the default ten seconds",
    async ({ config, laws, edits }) => {
      const { app } = compile(planted(config, edits));
      const { parts } = await simulate(app, { now: () => process.cpuUsage().user / 1_000 });
      expect(parts.flatMap(({ failures }) => failures.map(({ law }) => law))).toEqual(
        expect.arrayContaining([...laws]),
      );
    },
    120_000,
  );

  test("at least eighteen are found", () => {
    expect(found.size).toBeGreaterThanOrEqual(18);
  });
});
