import type { Expression, Pipeline } from "@configc/jq";
import type { JqProgram } from "../bind/bound-nodes.ts";
import { evaluateAlone } from "./machine/evaluate.ts";
import { bare, isExpression } from "./nodes.ts";
import { numberOf } from "./number-of.ts";
import { definitionOf } from "./protocol/dependence.ts";
import { rounds } from "./unrounded.ts";

/** A value, and the constant by which it is multiplied. */
export interface Scaled {
  readonly base: Expression;
  readonly factor: number;
}

/**
 * What an expression multiplies by a constant in all, over divisions and what only rounds: `.wh` and 0.001 of `.wh / 10 | round / 100`.
 * Nodes that are made here keep the places of those they stand for.
 */
export function scaled(given: Expression, program: JqProgram): Scaled {
  const node = bare(given);
  if (node.kind === "Arithmetic") {
    const own = factorOf(node);
    if (own === undefined) return { base: node, factor: 1 };
    const { base, factor } = scaled(node.first, program);
    return { base, factor: factor * own };
  }
  if (node.kind !== "Pipeline" || node.stages.length < 2) return { base: node, factor: 1 };
  let [factor, length] = [1, node.stages.length];
  for (; length > 1; length--) {
    const last = node.stages[length - 1]!;
    const own = isExpression(last) ? (passedOn(last) ?? tried(last, program)) : undefined;
    if (own === undefined) break;
    factor *= own;
  }
  if (length === node.stages.length) return { base: node, factor: 1 };
  const before = scaled(firstStages(node, length), program);
  return { base: before.base, factor: before.factor * factor };
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
  if (node.kind === "Call") return rounds(node) ? 1 : undefined;
  if (node.kind !== "Arithmetic") return undefined;
  // `tonumber * 60` binds closer than the pipe before it.
  const isNumber = node.first.kind === "Call" && node.first.name.text === "tonumber";
  const [first, own] = [isNumber ? 1 : passedOn(node.first), factorOf(node)];
  return first === undefined || own === undefined ? undefined : first * own;
}

/** The same of what a definition or a condition does, by trying it: `def times(f): if . == null then null else . * f end`. */
function tried(stage: Expression, program: JqProgram): number | undefined {
  if (stage.kind !== "If" && !(stage.kind === "Call" && definitionOf(program, stage) !== undefined))
    return undefined;
  const [once, twice] = [1e6, 2e6].map((input) => evaluateAlone(program, stage, input));
  if (typeof once !== "number" || typeof twice !== "number" || once === 0) return undefined;
  // Rounded to few digits it is still about that.
  if (Math.abs(twice / once - 2) > 0.002) return undefined;
  return Number((once / 1e6).toPrecision(4));
}

/** The first stages of a pipeline; one alone is that stage. */
function firstStages(node: Pipeline, length: number): Expression {
  const stages = node.stages.slice(0, length);
  const [only] = stages;
  if (only !== undefined && length === 1 && isExpression(only)) return only;
  return { ...node, stages, end: stages.at(-1)!.end };
}
