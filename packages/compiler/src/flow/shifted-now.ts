import type { Expression, Stage } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../bind/bound-nodes.ts";
import { bare, isExpression } from "./nodes.ts";
import { numberOf } from "./number-of.ts";
import { boundTo } from "./protocol/dependence.ts";

/**
 * `now + 30 * 86400`, in what is rounded, multiplied or written as a date: the sum. Undefined where it isn't certain that it lies on that
 * side of the present time, by more than clocks differ.
 *
 * @param least how long it must at least be by how it is written, in seconds
 */
export function shiftedNow(
  given: Expression,
  program: JqProgram,
  sign: "+" | "-",
  least = 3_600,
): Expression | undefined {
  const node = bare(given);
  if (node.kind === "Pipeline") {
    const [first, ...rest] = node.stages;
    const isKept = rest.every(
      (stage) => (stage.kind === "Call" && keeps.has(stage.name.text)) || isCutOrEnded(stage),
    );
    return first !== undefined && isKept ? shiftedNow(first as Expression, program, sign, least) : undefined;
  }
  if (node.kind === "Variable") {
    const source = boundTo(program, node);
    return source === undefined ? undefined : shiftedNow(source, program, sign, least);
  }
  if (node.kind !== "Arithmetic") return undefined;
  const isKept = node.rest.every(({ operator, operand }) => {
    const constant = constantOf(operand);
    return (operator === "*" && constant === 1_000) || (operator === "+" && typeof constant === "string");
  });
  if (isKept) return shiftedNow(node.first, program, sign, least);
  const scale = node.rest.every(({ operator }) => operator === sign) ? nowIn(node.first, program) : undefined;
  return scale !== undefined && node.rest.some(({ operand }) => isLong(operand, least * scale))
    ? node
    : undefined;
}

/** `.[:19]`, `.[:19] + "Z"`: of a time as it is written, from its beginning. */
function isCutOrEnded(stage: Stage): boolean {
  if (!isExpression(stage)) return false;
  const node = bare(stage);
  if (node.kind === "Arithmetic")
    return (
      isCutOrEnded(node.first) &&
      node.rest.every(({ operator, operand }) => operator === "+" && typeof constantOf(operand) === "string")
    );
  if (node.kind === "Identity") return true;
  if (node.kind !== "Postfix" || node.head.kind !== "Identity") return false;
  const [cut, ...others] = node.suffixes;
  return (
    others.length === 0 &&
    cut?.kind === "Slice" &&
    (cut.from === undefined || constantOf(cut.from) === 0) &&
    cut.to !== undefined &&
    Number(constantOf(cut.to)) >= 10
  );
}

/** By what an expression multiplies the present time, in seconds; undefined where it is something else. */
function nowIn(given: Expression, program: JqProgram): number | undefined {
  const node = bare(given);
  switch (node.kind) {
    case "Call":
      return node.name.text === "now" ? 1 : undefined;
    case "Variable": {
      const source = boundTo(program, node);
      return source === undefined ? undefined : nowIn(source, program);
    }
    case "Pipeline": {
      const [first, ...rest] = node.stages;
      const isRounded = rest.every((stage) => stage.kind === "Call" && rounding.has(stage.name.text));
      return first !== undefined && isRounded ? nowIn(first as Expression, program) : undefined;
    }
    case "Arithmetic": {
      const isScaled = node.rest.every(
        ({ operator, operand }) => operator === "*" && constantOf(operand) === 1_000,
      );
      return isScaled && nowIn(node.first, program) === 1 ? 1_000 : undefined;
    }
    default:
      return undefined;
  }
}

const rounding: ReadonlySet<string> = new Set(["floor", "round", "ceil", "trunc"]);
const keeps: ReadonlySet<string> = new Set(["floor", "round", "ceil", "todate", "strftime", "tostring"]);

/** Whether a length of time is no less, by how it is written. */
function isLong(given: Expression, least: number): boolean {
  const node = bare(given);
  const number = numberOf(node);
  if (number !== undefined) return number >= least;
  if (node.kind !== "Arithmetic" || !node.rest.every(({ operator }) => operator === "*")) return false;
  return [node.first, ...node.rest.map(({ operand }) => operand)].some(
    (factor) => (numberOf(factor) ?? 0) >= least,
  );
}
