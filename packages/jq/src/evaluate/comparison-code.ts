import { constantOf } from "../constant.ts";
import type { Comparison, Expression } from "../syntax-tree.ts";
import { binaryCode, type Code, single } from "./combinators.ts";
import { compileExpression } from "./compiler.ts";
import { canonicalNumber } from "./exact-number.ts";
import { composed } from "./inline-caches/compositions.ts";
import type { Single } from "./machine.ts";
import { comparison, tests } from "./operators.ts";
import { findFunction, type Scope } from "./scope.ts";

export function comparisonCode(node: Comparison, scope: Scope): Code {
  const left = compileExpression(node.left, scope);
  const literal = literalOf(node.right, scope);
  if (left.single !== undefined && literal !== undefined) {
    return single(literalComparison(node, left.single, literal));
  }
  const compare = comparison(node.operator);
  return binaryCode(left, compileExpression(node.right, scope), (env, a, b) => {
    env.machine.place = node;
    return compare(a, b);
  });
}

/** Texts of at most that many characters are compared at once, without being counted. */
const SHORT_TEXT = 15;

type Literal = number | string | boolean | null;

/** The value of a literal that is the same in every run and whose comparison takes a moment. */
function literalOf(node: Expression, scope: Scope): Literal | undefined {
  if (node.kind === "Call") {
    const value = constantOf(node);
    const isBuiltin = findFunction(scope, node.name.text, 0) === undefined;
    return isBuiltin && (value === null || typeof value === "boolean") ? value : undefined;
  }
  if (node.kind === "Number") return canonicalNumber(node.text) === node.value ? node.value : undefined;
  if (node.kind !== "String" || node.format !== undefined || node.parts.length !== 1) return undefined;
  const [part] = node.parts;
  return part?.kind === "StringText" && part.value.length <= SHORT_TEXT ? part.value : undefined;
}

/** `.amount > 100`, `.status == "active"`: the commonest conditions, without a call for each side. */
function literalComparison(node: Comparison, left: Single, literal: Literal): Single {
  return composed(left, withLiteral(node, literal));
}

function withLiteral(node: Comparison, literal: Literal): Single {
  const { operator } = node;
  const test = tests[operator];
  const compare = comparison(operator);
  const isNumber = typeof literal === "number";
  if (!isNumber && (operator === "==" || operator === "!=")) return (_env, value) => test(value, literal);
  return (env, value) => {
    // What nan is compared with has an order of its own.
    if (isNumber && typeof value === "number" && !Number.isNaN(value)) return test(value, literal);
    env.machine.place = node;
    return compare(value, literal);
  };
}
