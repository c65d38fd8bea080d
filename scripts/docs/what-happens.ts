import type { Rule } from "@configc/compiler";
import { answerTo } from "./rule-example.ts";

/**
 * What `configc explain` says of each example of a rule: on which values or way it goes wrong. The command has no documents to
 * compile examples in, so it's worked out here.
 *
 * @returns JSON: rule id → its examples, separated by an empty line, a line for each step
 */
export function whatHappens(registry: readonly Rule[]): string {
  const told = registry.flatMap((rule) => {
    if (rule.because === undefined) return [];
    const examples = rule.examples.map((example) => answerTo(rule, example).happens.join("\n"));
    return [[rule.id, examples.join("\n\n")] as const];
  });
  return `${JSON.stringify(Object.fromEntries(told), null, 2)}\n`;
}
