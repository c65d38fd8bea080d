import type { Type } from "@configc/jq";
import { types } from "@configc/jq";

/**
 * A type in TypeScript, over several lines where it has members.
 *
 * @param indent of the line that it begins on
 */
export function typeText(type: Type, indent = ""): string {
  switch (type.kind) {
    case "unknown":
    case "never":
    case "null":
      return type.kind;
    case "boolean":
    case "number":
    case "string":
      return type.value === undefined ? type.kind : literalText(type.value);
    case "array": {
      const items = typeText(type.items, indent);
      return type.items.kind === "union" ? `(${items})[]` : `${items}[]`;
    }
    case "union":
      return [...type.members]
        .map((part) => typeText(part, indent))
        .sort((a, b) => Number(a === "null") - Number(b === "null") || (a < b ? -1 : 1))
        .join(" | ");
    case "object":
      return objectText(type, indent);
  }
}

/** JSON has no numbers that TypeScript has not, but `-0`. */
function literalText(value: string | number | boolean): string {
  return typeof value === "string" ? stringText(value) : `${Object.is(value, -0) ? 0 : value}`;
}

/** A string literal; line separators that JSON allows are escaped too. */
export function stringText(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (found) => `\\u${found.charCodeAt(0).toString(16)}`);
}

function objectText({ members, rest }: Extract<Type, { kind: "object" }>, indent: string): string {
  if (members.size === 0) {
    if (rest === undefined) return "{}";
    return `{ [name: string]: ${typeText(rest, indent)} }`;
  }
  const inner = `${indent}  `;
  const lines = [...members].map(([name, { type, optional }]) =>
    member(name, typeText(type, inner), optional),
  );
  // Members that are known have to fit what is said of all others.
  if (rest !== undefined) lines.push(`[name: string]: ${typeText(types.unknown)};`);
  return block(lines, indent);
}

/** `name?: text;` */
export function member(name: string, text: string, optional = false): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringText(name);
  return `${key}${optional ? "?" : ""}: ${text};`;
}

/** Members between braces; of several with one name, which is a mistake in a config, the first. */
export function block(members: readonly string[], indent = ""): string {
  const byKey = new Map<string, string>();
  for (const each of members) {
    const key = /^(?:"(?:[^"\\]|\\.)*"|[\w$]+)(?=\??: )/.exec(each)?.[0] ?? each;
    if (!byKey.has(key)) byKey.set(key, each);
  }
  const lines = [...byKey.values()];
  if (lines.length === 0) return "{}";
  return `{\n${lines.map((line) => `${indent}  ${line}\n`).join("")}${indent}}`;
}
