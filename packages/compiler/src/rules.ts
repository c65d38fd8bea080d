import { breakingRules } from "./breaking/rules/index.ts";
import { ruleModules } from "./check/registry.ts";
import type { Rule } from "./findings/rule.ts";

/** Every rule there is, about one version or about two, by id. */
export const rules: readonly Rule[] = [...ruleModules, ...breakingRules]
  .flatMap((module) => module.rules)
  .sort((a, b) => (a.id < b.id ? -1 : 1));

const byId: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.id, rule]));

/** The rule of an id, `area/name`; undefined where there is none. */
export function ruleById(id: string): Rule | undefined {
  return byId.get(id);
}
