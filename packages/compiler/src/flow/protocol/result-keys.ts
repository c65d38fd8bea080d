import type { Expression } from "@configc/jq";
import type { IntakeSymbol, JqProgram } from "../../bind/bound-nodes.ts";
import { derivedOf } from "../../bind/derived.ts";
import type { Model } from "../../bind/model.ts";
import { finalObject, literalMembers } from "../literal-object.ts";
import { resolved } from "./forms.ts";
import { askedBy } from "./request-reads.ts";
import { stageBefore } from "./stage-before.ts";
import { stateDependence } from "./state-dependence.ts";
import { outcomesOf } from "./state-writes.ts";

/**
 * Keys of the state that decide what an iteration takes of an answer: `.rows[$state.line:]` gives other results of the same one. Undefined
 * where any key may.
 */
export const keysOfResults = derivedOf(readKeys);

function readKeys(intake: IntakeSymbol, model: Model): ReadonlySet<string> | undefined {
  const request = intake.commands.get("request");
  const outcomes = request === undefined ? undefined : outcomesOf(request, model);
  const between = askedBy(intake, model)?.behind ?? [];
  const keys = new Set<string>();
  const take = (program: JqProgram, node: Expression): boolean => {
    const found = stateDependence(program, [node]);
    for (const key of found.keys) keys.add(key);
    return !found.all;
  };
  for (const { program, members } of outcomes ?? []) {
    const results = members.get("results");
    if (results === undefined) continue;
    if (!take(program, results)) return undefined;
    const name = memberRead(results, program);
    for (const step of between) {
      const made = finalObject(step);
      const member = made === undefined || name === undefined ? undefined : literalMembers(made)?.get(name);
      if (!take(step, member ?? step.tree.body)) return undefined;
    }
  }
  return keys;
}

/** `people` of `.people`, read from what the step before gives. */
function memberRead(results: Expression, program: JqProgram): string | undefined {
  const node = resolved(results, program);
  if (node?.kind !== "Postfix" || node.head.kind !== "Identity" || stageBefore(program).has(node.head))
    return undefined;
  const [first] = node.suffixes;
  return first?.kind === "Field" && first.key.kind === "Name" ? first.key.text : undefined;
}
