import type { Json } from "./json.ts";
import type { Expression, Program, StringLiteral } from "./syntax-tree.ts";

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
