import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { expect, test } from "vitest";
import { partSummary, simulate } from "../../src/index.ts";

/** Configs with edits: of which hardly a record arrives, and why; null where nothing is to be said. */
const cases = JSON.parse(readFileSync(new URL("missing.json", import.meta.url), "utf8")) as readonly {
  readonly name: string;
  readonly config: string;
  readonly edits: readonly (readonly [from: string, to: string])[];
  readonly missing: string | null;
}[];

test.each(cases)(
  "$name: $missing",
  async ({ config, edits, missing }) => {
    const right = readFileSync(new URL(`../${config}`, import.meta.url), "utf8");
    const text = edits.reduce((before, [from, to]) => {
      expect(before).toContain(from);
      return before.replace(from, () => to);
    }, right);
    const { parts } = await simulate(compile(text).app, { seeds: 3, days: 0 });
    const part = parts.find(({ kind }) => kind === "polling" || kind === "history")!;
    expect(part.untried).toBeUndefined();
    expect(part.failures.map(({ law, message }) => `${law}: ${message}`)).toEqual([]);
    const told = partSummary(part).filter((line) => line.startsWith("Look at this"));
    if (missing === null) expect([part.missing, told]).toEqual([undefined, []]);
    else {
      expect(part.missing!.records).toBe(part.missing!.of);
      expect(part.missing!.records).toBeGreaterThan(20);
      expect(told.join()).toContain(`records arrived in no world: ${missing}`);
    }
  },
  60_000,
);
