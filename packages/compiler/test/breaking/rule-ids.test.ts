import { expect, test } from "vitest";
import { breakingRules } from "../../src/breaking/rules/index.ts";
import { breakingRuleIds } from "../../src/findings/breaking-rule-ids.ts";

test("the ids that a check of one version knows are those of the rules about two", () => {
  const ids = breakingRules.flatMap(({ rules }) => rules.map(({ id }) => id));
  expect([...breakingRuleIds].sort()).toEqual(ids.sort());
});

test("rules about two versions, and no others, say whom they concern", () => {
  const rules = breakingRules.flatMap((module) => module.rules);
  expect(rules.filter(({ concerns }) => concerns === undefined)).toEqual([]);
});
