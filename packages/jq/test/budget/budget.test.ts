import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hostile } from "./programs.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

test("hostile programs end by their budget, in a small heap", {
  timeout: 120_000,
}, () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--max-old-space-size=80", "scripts/ts.mjs", "packages/jq/test/budget/main.ts"],
    { cwd: root, encoding: "utf8" },
  );
  const ends = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { program: string; end: string; seconds: number });
  expect(
    ends.filter(({ end }) => end !== "budget"),
    stderr,
  ).toEqual([]);
  // A process that ran out of memory has said nothing of the program that it was at.
  expect(ends.length, `died at ${hostile[ends.length]}`).toBe(hostile.length);
  expect(ends.filter(({ seconds }) => seconds > 5)).toEqual([]);
});
