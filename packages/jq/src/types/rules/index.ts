import { collectionsRules } from "./collections.ts";
import { controlRules } from "./control.ts";
import { datesRules } from "./dates.ts";
import { hostRules } from "./host.ts";
import { mathRules } from "./math.ts";
import { pathsRules } from "./paths.ts";
import type { BuiltinRule } from "./rule.ts";
import { stringsRules } from "./strings.ts";
import { valuesRules } from "./values.ts";

const rules: ReadonlyMap<string, BuiltinRule> = new Map(
  [
    valuesRules,
    controlRules,
    pathsRules,
    collectionsRules,
    stringsRules,
    datesRules,
    mathRules,
    hostRules,
  ].flatMap((table) => Object.entries(table)),
);

/** The type rule of a builtin function; every builtin has one. */
export function ruleOf(name: string, arity: number): BuiltinRule | undefined {
  return rules.get(`${name}/${arity}`);
}

/** The functions that have a rule, as `name/arity`. */
export const ruledFunctions: readonly string[] = [...rules.keys()];
