import type { Json } from "./json.ts";
import type {
  ArithmeticOperator,
  ComparisonOperator,
  Expression,
  Program,
  StringLiteral,
} from "./syntax-tree.ts";

/**
 * The value of a program that is a literal: numbers (also negative), strings without interpolation,
 * `null`, `true`, `false`, arrays and objects of literals. Anything else gives `undefined`.
 */
export function constant(program: Program): Json | undefined {
  return program.directives.length > 0 ? undefined : constantOf(program.body);
}

/** Like `constant`, for a part of a program. A definition of `null`, `true` or `false` isn't looked for. */
export function constantOf(node: Expression): Json | undefined {
  switch (node.kind) {
    case "Number":
      return node.value;
    case "String":
      return literalText(node);
    case "Group":
      return constantOf(node.body);
    case "Negation": {
      const operand = constantOf(node.operand);
      return typeof operand === "number" ? 0 - operand : undefined;
    }
    case "Call":
      if (node.arguments.length > 0) return undefined;
      return node.name.text === "null" ? null : booleans.get(node.name.text);
    case "Array":
      return node.body === undefined ? [] : constantItems(node.body);
    case "Object": {
      const members = new Map<string, Json>();
      for (const { key, value } of node.entries) {
        const name = key.kind === "Name" ? key.text : key.kind === "String" ? literalText(key) : undefined;
        const member = value === undefined ? undefined : constantOf(value);
        if (name === undefined || member === undefined) return undefined;
        members.set(name, member);
      }
      return Object.fromEntries(members);
    }
    default:
      return undefined;
  }
}

/**
 * Like `constantOf`, but also of sums, products and comparisons of literals as far as a key can't be what they give: jq
 * computes those when it reads the program.
 */
export function foldedConstant(node: Expression): Json | undefined {
  switch (node.kind) {
    case "Group":
      return foldedConstant(node.body);
    case "Arithmetic": {
      let result = foldedConstant(node.first);
      for (const { operator, operand } of node.rest) {
        const other = foldedConstant(operand);
        if (typeof result !== "number" || typeof other !== "number") return undefined;
        result = arithmetic[operator](result, other);
      }
      return Number.isFinite(result) ? result : undefined;
    }
    case "Comparison": {
      const [left, right] = [foldedConstant(node.left), foldedConstant(node.right)];
      if (typeof left !== "number" || typeof right !== "number") return undefined;
      return comparisons[node.operator](left, right);
    }
    default:
      return constantOf(node);
  }
}

const arithmetic: Readonly<Record<ArithmeticOperator, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => Math.trunc(a) % Math.trunc(b),
};

const comparisons: Readonly<Record<ComparisonOperator, (a: number, b: number) => boolean>> = {
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

function constantItems(body: Expression): readonly Json[] | undefined {
  const items: Json[] = [];
  for (const item of body.kind === "Comma" ? body.items : [body]) {
    const value = constantOf(item);
    if (value === undefined) return undefined;
    items.push(value);
  }
  return items;
}

/** The text of a string literal without interpolation. */
export function literalText(string: StringLiteral): string | undefined {
  let text = "";
  for (const part of string.parts) {
    if (part.kind !== "StringText") return undefined;
    text += part.value;
  }
  return text;
}
