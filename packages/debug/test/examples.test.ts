import { describe, expect, test } from "vitest";
import { caseRun, example } from "./support/debugged.ts";
import { isTheSameThereAndBack } from "./support/there-and-back.ts";

/** Every case of the examples that is one run. */
const names = ["crm", "calendar", "forms", "help-desk", "payments", "shop", "sms", "spreadsheet"];

describe.each(names)("%s", (name) => {
  const compilation = example(name);
  const cases = compilation.cases.filter(({ world, cycles }) => world === undefined && cycles === undefined);
  test.each(cases)("$name", async (given) => {
    expect(await isTheSameThereAndBack(compilation, caseRun(compilation, given))).toBeGreaterThan(1);
  });
});
