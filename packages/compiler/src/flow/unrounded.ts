import type { Expression, Pipeline } from "@configc/jq";
import { bare, isExpression } from "./nodes.ts";
import { numberOf } from "./number-of.ts";

/**
 * An expression without what only rounds it: `X` of `X | floor`, of `X * 10 | round / 10` and of `(X * 10 | round) / 10`, or bounds it: `[0, X] | max`. What
 * a value counts, and by what it was divided, is the same without. The nodes made here keep the places of those they stand for.
 */
export function unrounded(given: Expression): Expression {
  const node = bare(given);
  if (node.kind === "Arithmetic") {
    const [step, ...others] = node.rest;
    const inner = bare(node.first);
    if (step?.operator !== "/" || others.length > 0 || inner.kind !== "Pipeline") return node;
    const last = inner.stages.at(-1);
    const times = powerOfTen(step.operand);
    if (last === undefined || times === undefined || !isExpression(last) || !rounds(last)) return node;
    return withoutFactor(withoutLast(inner), times) ?? node;
  }
  if (node.kind !== "Pipeline") return node;
  const last = node.stages.at(-1);
  if (last === undefined || !isExpression(last) || node.stages.length < 2) return node;
  if (rounds(last)) return unrounded(withoutLast(node));
  const within = node.stages.length === 2 ? unbounded(node.stages[0]!, last) : undefined;
  if (within !== undefined) return unrounded(within);
  const written = bare(last);
  const [step, ...others] = written.kind === "Arithmetic" ? written.rest : [];
  if (written.kind !== "Arithmetic" || step?.operator !== "/" || others.length > 0) return node;
  const times = rounds(written.first) ? powerOfTen(step.operand) : undefined;
  return (times === undefined ? undefined : withoutFactor(withoutLast(node), times)) ?? node;
}

/** `X` of `[0, X] | max`. */
function unbounded(given: Pipeline["stages"][number], last: Expression): Expression | undefined {
  const list = isExpression(given) ? bare(given) : undefined;
  const call = bare(last);
  if (list?.kind !== "Array" || call.kind !== "Call" || !/^(?:max|min)$/.test(call.name.text))
    return undefined;
  const items = list.body?.kind === "Comma" ? list.body.items : [];
  const [only, ...others] = items.filter((each) => numberOf(each) === undefined);
  return items.length === 2 && others.length === 0 ? only : undefined;
}

/** Whether a call only cuts off decimals. */
export const rounds = (node: Expression): boolean => {
  const call = bare(node);
  return call.kind === "Call" && /^(?:floor|round|ceil|trunc)$/.test(call.name.text);
};

function powerOfTen(node: Expression): number | undefined {
  const number = numberOf(node);
  return number !== undefined && /^10+$/.test(`${number}`) ? number : undefined;
}

/** A pipeline up to its last stage; one that has nothing else is that stage. */
function withoutLast(node: Pipeline): Expression {
  const stages = node.stages.slice(0, -1);
  const [only] = stages;
  if (only !== undefined && stages.length === 1 && isExpression(only)) return only;
  return { ...node, stages, end: stages.at(-1)!.end };
}

/** `X` of `X * 10`; undefined where nothing is multiplied so. */
function withoutFactor(given: Expression, times: number): Expression | undefined {
  const node = bare(given);
  if (node.kind === "Pipeline") {
    const last = node.stages.at(-1);
    const inner = last !== undefined && isExpression(last) ? withoutFactor(last, times) : undefined;
    return inner === undefined
      ? undefined
      : { ...node, stages: [...node.stages.slice(0, -1), inner], end: inner.end };
  }
  if (node.kind !== "Arithmetic") return undefined;
  const last = node.rest.at(-1);
  if (last?.operator !== "*" || numberOf(last.operand) !== times) return undefined;
  const rest = node.rest.slice(0, -1);
  return rest.length === 0 ? node.first : { ...node, rest, end: rest.at(-1)!.operand.end };
}
