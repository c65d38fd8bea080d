import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { expect, test } from "vitest";
import { proposeWorld, readWorldFile, simulate } from "../../src/index.ts";

/* `--write-world` asks what the config leaves open, where the answer decides whether a law breaks. */

const text = readFileSync(new URL("../polling/right.app.json", import.meta.url), "utf8");
const edited = (from: string, to: string): string => {
  expect(text).toContain(from);
  return text.replace(from, () => to);
};

test("nothing is asked where nothing decides", async () => {
  expect(await proposeWorld(compile(text).app)).toEqual({ intakes: {} });
});

test("what decides is asked, and nothing else", async () => {
  const { app } = compile(edited("(now - 300 | todate)", "(now | todate)"));
  const { intakes } = await proposeWorld(app);
  const { because, ...facts } = intakes["customers"]!;
  expect(because).toContain("everything-arrives breaks");
  expect(Object.keys(facts).sort()).toEqual(["bounds", "lag", "times"]);
  expect(facts).toMatchObject({ lag: 55, bounds: "exclusive" });
  // As it is written it hides nothing, and corrected it says what was asked.
  const tried = async (world: object): Promise<number> => {
    const { file } = readWorldFile({ intakes: { customers: world } });
    const { parts } = await simulate(app, { seeds: 0, days: 0, world: file });
    return parts[0]!.failures.length;
  };
  expect(await tried(facts)).toBeGreaterThan(0);
  expect(await tried({ lag: 0, bounds: "inclusive" })).toBe(0);
}, 60_000);

test("where nothing could be tried, it is asked what the parameters are", async () => {
  const broken = edited(
    "results: .items,",
    'results: (if (.stamp + \\"#\\" | tonumber) > 0 then .items else .items end),',
  );
  const { intakes } = await proposeWorld(compile(broken).app);
  expect(intakes["customers"]?.parameters).toEqual({ cursor: "cursor", updated_after: "from" });
});
