import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Counted } from "../../../flow/counted.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { unrounded } from "../../../flow/unrounded.ts";

/**
 * A share in parts of one: what is done of what there is in all, `.lessons_done / .lessons_total`, however it is rounded. Of other quotients
 * nothing is known: a sum of percentages over their number is in percent.
 */
export function shareIn(value: Expression, member: string, program: JqProgram): Counted | undefined {
  if (!program.node.value.includes("/")) return undefined;
  const node = quotientIn(value, program);
  const [step, ...others] = node.kind === "Arithmetic" ? node.rest : [];
  if (node.kind !== "Arithmetic" || step?.operator !== "/" || others.length > 0) return undefined;
  const [part, whole] = [partOf(node.first, program), partOf(step.operand, program)];
  if (part === undefined || whole === undefined || whole.length !== 1) return undefined;
  if (part.some((name) => mayBePercent.test(name)) || !isWholeOf(whole[0]!, part)) return undefined;
  // What is read again and multiplied then is in percent in the end.
  const again = new RegExp(`\\b${escapedPattern(member)}\\b["})\\s]{0,6}\\*`);
  const { command } = program;
  if (again.test(program.node.value)) return undefined;
  if ((command.pipe?.children ?? []).some((step) => step?.program && again.test(step.program.node.value)))
    return undefined;
  return { unit: "fractions", by: textAt(node, program), converted: true };
}

/** The quotient that a value is, behind roundings, variables and what is constant instead of it: `if .all == 0 then 0 else .done / .all end`. */
function quotientIn(value: Expression, program: JqProgram, depth = 6): Expression {
  const node = unrounded(value);
  if (depth === 0) return node;
  const on = (inner: Expression | undefined): Expression =>
    inner === undefined ? node : quotientIn(inner, program, depth - 1);
  if (node.kind === "Variable") return on(boundTo(program, node));
  if (node.kind === "Alternative") return on(node.operands[0]);
  if (node.kind !== "If") return node;
  const ways = [...node.branches.map(({ body }) => body), node.otherwise].flatMap((way) =>
    way === undefined || constantOf(way) !== undefined ? [] : [way],
  );
  return ways.length === 1 ? on(ways[0]) : node;
}

/** The names of the members that a sum is of; undefined where a number or anything else is in it. */
function partOf(given: Expression, program: JqProgram): readonly string[] | undefined {
  const node = bare(given);
  if (node.kind === "Arithmetic") {
    if (node.rest.some(({ operator }) => operator !== "+" && operator !== "-")) return undefined;
    const parts = [node.first, ...node.rest.map(({ operand }) => operand)].map((each) =>
      partOf(each, program),
    );
    return parts.some((each) => each === undefined) ? undefined : parts.flatMap((each) => each!);
  }
  if (numberOf(node) !== undefined) return undefined;
  if (node.kind === "Variable") {
    const source = boundTo(program, node);
    return source === undefined || nodesOfKind(program, "Variable").length > 200
      ? undefined
      : partOf(source, program);
  }
  const name = node.kind === "Postfix" ? nameOfValue(node) : undefined;
  return name === undefined ? undefined : [name];
}

const mayBePercent = /percent|pct|progress|rate|ratio|share|basis|score|points?$|hundred|degree|level/i;

/** Whether a member has all of what the others have a part of: `lessons_total` of `lessons_done`, `limit_cents` of `used_cents`. */
function isWholeOf(whole: string, part: readonly string[]): boolean {
  const words = wordsOf(whole);
  if (!words.some((word) => ofAll.has(word))) return false;
  const own = words.filter((word) => !ofAll.has(word));
  return own.length === 0 || part.some((name) => wordsOf(name).some((word) => own.includes(word)));
}

const ofAll: ReadonlySet<string> = new Set([
  "total",
  "all",
  "limit",
  "capacity",
  "max",
  "maximum",
  "quota",
  "goal",
  "target",
  "planned",
  "available",
  "possible",
  "allowed",
  "required",
]);
