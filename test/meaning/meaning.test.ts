import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configs, findingsOf, mistakes, tellingFindings } from "./mistake.ts";

const kept = new URL("told.txt", import.meta.url);

/** Alarms that are still false. */
const falseAlarms: Readonly<Record<string, readonly string[]>> = {};

test.each([...configs])("%s has nothing wrong with it", (name, text) => {
  const loud = findingsOf(text, name).filter(
    ({ severity }) => severity === "error" || severity === "warning",
  );
  expect(loud.map(({ rule }) => rule)).toEqual(falseAlarms[name] ?? []);
});

/** What each mistake is told by. `MEANING_UPDATE=1` writes it anew; a mistake that isn't told any more is a step back. */
test("mistakes of meaning are told as before", () => {
  const lines = mistakes.map((mistake) => {
    const rules = new Set(tellingFindings(mistake).map(({ rule }) => rule));
    const told = rules.size === 0 ? "-" : [...rules].sort().join(", ");
    return `${mistake.class} | ${mistake.config} | ${mistake.mistake} | ${told}`;
  });
  const told = lines.filter((line) => !line.endsWith("| -")).length;
  const report = `${lines.join("\n")}\n\n${told} of ${lines.length}\n`;
  if (process.env["MEANING_UPDATE"]) writeFileSync(kept, report);
  expect(report).toBe(readFileSync(kept, "utf8"));
});
