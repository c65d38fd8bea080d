import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { isCountName } from "../../../flow/count-names.ts";
import { documentedNulls } from "../../../flow/documented-nulls.ts";
import { hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { definitionInStep, definitionOfInput } from "../../../flow/protocol/definition-site.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import { toJson } from "../../../parse/syntax-tree.ts";
import { isNumber } from "./number-names.ts";

/**
 * Whether a count is taken for a flag: `if .lateCount then ["Late"] else [] end`. Where the count is used on that condition, or a null is
 * expected, the condition asks whether it is there.
 */
export function isFlaggedByCount(condition: Expression, program: JqProgram, model: Model): boolean {
  const name = countRead(condition, program);
  if (name === undefined || mayBeMissing(name, program, model)) return false;
  return !usesAsked(condition, program, name);
}

/** The name of the count that a condition is nothing but. */
function countRead(condition: Expression, program: JqProgram): string | undefined {
  const node = bare(condition);
  const source = node.kind === "Variable" ? boundTo(program, node) : node;
  const value = source === undefined ? undefined : bare(source);
  if (value?.kind !== "Postfix" && value?.kind !== "Hole") return undefined;
  if (value.kind === "Hole" && program.holes[value.hole]?.root !== "piped_content") return undefined;
  const name = nameRead(value, program);
  if (name === undefined) return undefined;
  if (isCountName(name) || isNumber(name, program)) return name;
  // `{free: .stock.free_bottles}` of the step before.
  const made =
    value.kind === "Hole" ? definitionInStep(program.holes[value.hole]!) : definitionOfInput(value, program);
  const behind = made === undefined ? undefined : nameRead(made.node, made.program);
  const isCounted = behind !== undefined && (isCountName(behind) || isNumber(behind, program));
  return isCounted && !asksForNull(behind, made!.program) ? name : undefined;
}

/** Whether the program or a comment says that the count may not be there. */
function mayBeMissing(name: string, program: JqProgram, model: Model): boolean {
  const { node, command } = program;
  if (asksForNull(name, program)) return true;
  return hasComments(model) && documentedNulls(node, intakesAround(command.unit)).has(name);
}

const asksForNull = (name: string, { node }: JqProgram): boolean =>
  new RegExp(
    `\\b${escapedPattern(name)}\\b[\`"]?\\)?\\??\\s*(?://|[=!]=\\s*null|\\?)|has\\("${escapedPattern(name)}"`,
  ).test(node.value);

/** Whether what is done on a condition reads the count. */
function usesAsked(condition: Expression, program: JqProgram, name: string): boolean {
  const asked = textAt(bare(condition), program);
  const isRead = (text: string): boolean =>
    new RegExp(`\\b${escapedPattern(name)}\\b`).test(text) || (asked.startsWith("$") && text.includes(asked));
  const around = nodesOfKind(program, "If").flatMap(({ branches }) =>
    branches.filter((each) => each.condition.start <= condition.start && condition.end <= each.condition.end),
  );
  // In a `select`, what is taken from the record may come after.
  if (around.length === 0)
    return program.node.value.split(new RegExp(`\\b${escapedPattern(name)}\\b`)).length > 2;
  if (around.some(({ body }) => isRead(textAt(body, program)))) return true;
  const { command } = program;
  const decides =
    command.key === "!switch" && around.some(({ body }) => typeof constantOf(body) === "number");
  const cases = decides && command.argument?.kind === "object" ? command.argument.get("cases") : undefined;
  return cases !== undefined && isRead(JSON.stringify(toJson(cases)));
}
