import type { Expression, Pipeline } from "@configc/jq";
import { bare, isExpression } from "./nodes.ts";
import { numberOf } from "./number-of.ts";

/** A value, and the constant by which it is multiplied. */
export interface Scaled {
  readonly base: Expression;
  readonly factor: number;
}

/**
 * What an expression multiplies by a constant in all, over divisions and what only rounds: `.wh` and 0.001 of `.wh / 10 | round / 100`.
 * Nodes that are made here keep the places of those they stand for.
 */
export function scaled(given: Expression): Scaled {
  const node = bare(given);
  if (node.kind === "Arithmetic") {
    const own = factorOf(node);
    if (own === undefined) return { base: node, factor: 1 };
    const { base, factor } = scaled(node.first);
    return { base, factor: factor * own };
  }
  if (node.kind !== "Pipeline" || node.stages.length < 2) return { base: node, factor: 1 };
  const last = node.stages.at(-1)!;
  const own = isExpression(last) ? passedOn(last) : undefined;
  if (own === undefined) return { base: node, factor: 1 };
  const { base, factor } = scaled(withoutLast(node));
  return { base, factor: factor * own };
}

/** The constant by which all behind the first operand multiplies it. */
function factorOf({ rest }: Extract<Expression, { kind: "Arithmetic" }>): number | undefined {
  let factor = 1;
  for (const { operator, operand } of rest) {
    const number = numberOf(operand);
    if (number === undefined || number === 0 || (operator !== "*" && operator !== "/")) return undefined;
    factor = operator === "*" ? factor * number : factor / number;
  }
  return factor;
}

/** The constant by which a stage multiplies its input: 1 of `round`, 0.1 of `round / 10` and of `. / 10`. */
function passedOn(stage: Expression): number | undefined {
  const node = bare(stage);
  if (node.kind === "Identity") return 1;
  if (node.kind === "Call") return /^(?:floor|round|ceil|trunc)$/.test(node.name.text) ? 1 : undefined;
  if (node.kind !== "Arithmetic") return undefined;
  const [first, own] = [passedOn(node.first), factorOf(node)];
  return first === undefined || own === undefined ? undefined : first * own;
}

/** A pipeline up to its last stage; one that has nothing else is that stage. */
function withoutLast(node: Pipeline): Expression {
  const stages = node.stages.slice(0, -1);
  const [only] = stages;
  if (only !== undefined && stages.length === 1 && isExpression(only)) return only;
  return { ...node, stages, end: stages.at(-1)!.end };
}
