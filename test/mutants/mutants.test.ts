import { describe, expect, test } from "vitest";
import { documents, documentsFor } from "./documents.ts";
import { kinds } from "./kinds/index.ts";
import { missText } from "./report.ts";
import { baseOf, isLoud, judge, mutantsOf, passed } from "./run.ts";
import { thresholds } from "./thresholds.ts";

/**
 * One of each kind in so many documents that have a place for it; the full run is `npm run mutants`. Kinds with a threshold of
 * their own are taken in all documents, which it is made for.
 */
const DOCUMENTS = 3;

describe("unharmed documents", () => {
  test.each(documents)("$path gives no error and no warning", (config) => {
    expect(baseOf(config).filter(isLoud)).toEqual([]);
  });
});

describe("single mistakes are found where they are, at their level, without a cascade", () => {
  test.each(kinds)("$name", (kind) => {
    const results: ReturnType<typeof judge>[] = [];
    for (const config of documentsFor(kind)) {
      if (results.length >= DOCUMENTS && thresholds.exceptions[kind.name] === undefined) break;
      for (const mutant of mutantsOf(kind, config, 1)) results.push(judge(kind, config, mutant));
    }
    const misses = results.filter((result) => !passed(result));
    const allowed = Math.ceil(results.length * (1 - (thresholds.exceptions[kind.name] ?? thresholds.ofKind)));
    expect(results.length, "some document has a place for this mistake").toBeGreaterThan(0);
    expect(misses.length, misses.map(missText).join("\n\n")).toBeLessThanOrEqual(allowed);
  });
});
