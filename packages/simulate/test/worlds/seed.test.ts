import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { expect, test } from "vitest";
import { simulate } from "../../src/index.ts";

const right = readFileSync(new URL("../polling/right.app.json", import.meta.url), "utf8");

test("the same seed gives the same report", async () => {
  const { app } = compile(right.replace("now - 300", "now"));
  const reports = [
    await simulate(app, { seeds: 5, seed: 7, days: 1 }),
    await simulate(app, { seeds: 5, seed: 7, days: 1 }),
  ];
  expect(JSON.stringify(reports[0])).toBe(JSON.stringify(reports[1]));
});
