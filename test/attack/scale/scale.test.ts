import { expect } from "vitest";
import { type Attack, attacks, bundled, runChild } from "../harness/index.ts";
import type { Arrived, Crowd } from "./scale-child.ts";

/** `ATTACK_LONG=1` tries ten to twenty times as many. */
const isLong = process.env["ATTACK_LONG"] !== undefined;
const PATIENCE = isLong ? 600_000 : 100_000;

const child = bundled("test/attack/scale/scale-child.ts");

/** Crowds in a process with a heap of 256 MB: all arrives, and memory doesn't grow with how many they are. */
const cases: readonly (Attack & Crowd)[] = [
  { name: "a page of many items", installations: 1, items: isLong ? 50_000 : 5_000, ceiling: 420 },
  { name: "many items of many", installations: isLong ? 100 : 10, items: isLong ? 1_000 : 300, ceiling: 420 },
  { name: "many installations at the start", installations: isLong ? 10_000 : 500, items: 1, ceiling: 420 },
];

attacks(
  "a crowd",
  cases,
  async ({ installations, items }) => {
    const asked = JSON.stringify({ installations, items });
    const { code, stdout, stderr, peak } = await runChild(child, [asked], { heap: 256, patience: PATIENCE });
    expect([code, stderr]).toEqual([0, ""]);
    const { delivered, failed, started } = JSON.parse(stdout) as Arrived;
    expect([delivered, failed]).toEqual([installations * items, []]);
    if (process.env["ATTACK_FIGURES"] !== undefined)
      process.stdout.write(
        `${installations} × ${items}: ${Math.round(peak / 2 ** 20)} MB, started in ${Math.round(started)} ms\n`,
      );
    return { peak };
  },
  PATIENCE + 10_000,
);
