import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { expect, test } from "vitest";
import { simulate } from "../../src/index.ts";

/* What programs refuse, look up and take apart says what the service's answers are like: none of these is untried, or accused of anything. */

test.each([
  // A list of errors, a customer's resource that is there, the server's clock.
  "graphed-plots",
  // A flag of success, records that name others beside them, an end that is called so.
  "joined-lessons",
  // Pages that are counted when a search is made, a search that may expire, texts of numbers.
  "frozen-bookings",
  // The number of the last page, options that a program makes.
  "paged-cases",
])("%s", async (name) => {
  const { app } = compile(readFileSync(new URL(`../right/${name}.app.json`, import.meta.url), "utf8"));
  const { parts } = await simulate(app, { seeds: 2, days: 0.5 });
  for (const { untried, failures, notTried } of parts) {
    expect(untried).toBeUndefined();
    expect(notTried.filter((each) => each.includes("pipeline"))).toEqual([]);
    expect(failures.filter(({ needs }) => needs.length === 0)).toEqual([]);
  }
});
