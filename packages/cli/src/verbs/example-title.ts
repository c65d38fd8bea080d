import type { RuleExample } from "@configc/compiler";

/**
 * What a rule's example is called for readers, by `explain` and the rule's page: its title begins with the decisions that it tests, which
 * stand among what the rule guards. Empty if that is all.
 */
export function exampleTitle({ title = "" }: RuleExample): string {
  const text = title.replace(/^D\d+(, D\d+)*:?\s*/, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
