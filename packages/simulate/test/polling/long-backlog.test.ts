import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { expect, test } from "vitest";
import { simulate } from "../../src/index.ts";

/** A thousand devices with a request each take fifteen cycles: those that wait for the last one are late, and not lost. */
test("a backlog of many cycles loses nothing", async () => {
  const file = new URL("../../../../test/right/configs/rastro-sensores.app.json", import.meta.url);
  const { app } = compile(readFileSync(file, "utf8"));
  const { parts } = await simulate(app, { seeds: 0, days: 0 });
  const broken = parts.flatMap(({ failures }) => failures.map(({ law }) => law));
  expect(broken).not.toContain("everything-arrives");
}, 60_000);
