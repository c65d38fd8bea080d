import { keyText } from "../identifier.ts";
import type { Member, ObjectType, Type } from "./type.ts";

/** How much of a type is printed. */
export interface PrintOptions {
  /** Objects nested deeper are printed as `{…}`; default 4. */
  readonly depth?: number;
  /** Objects show so many members; default 12. */
  readonly members?: number;
}

/**
 * A type as text: `string`, `"a" | "b"`, `number[]`, `{hook_id: string, secret?: string, …}`, where `…`
 * says that there may be further members.
 */
export function printType(type: Type, { depth = 4, members = 12 }: PrintOptions = {}): string {
  return print(type, depth, members, false);
}

function print(type: Type, depth: number, limit: number, inArray: boolean): string {
  switch (type.kind) {
    case "boolean":
    case "number":
      return type.value === undefined ? type.kind : String(type.value);
    case "string":
      return type.value === undefined ? "string" : JSON.stringify(type.value);
    case "array":
      if (type.first !== undefined && type.isClosed === true)
        return `[${type.first.map((item) => print(item, depth, limit, false)).join(", ")}]`;
      return type.items.kind === "never" ? "[]" : `${print(type.items, depth, limit, true)}[]`;
    case "object":
      return printObject(type, depth, limit);
    case "union": {
      const text = [...type.members]
        .map((part) => ({ rank: rank(part), text: print(part, depth, limit, false) }))
        .sort((a, b) => a.rank - b.rank || (a.text < b.text ? -1 : 1))
        .map(({ text }) => text)
        .join(" | ");
      return inArray ? `(${text})` : text;
    }
    default:
      return type.kind;
  }
}

const order: readonly Type["kind"][] = ["boolean", "number", "string", "array", "object", "null"];

function rank(type: Type): number {
  return order.indexOf(type.kind);
}

function printObject({ members, rest }: ObjectType, depth: number, limit: number): string {
  if (depth <= 0 && members.size > 0) return "{…}";
  const shown = [...members].slice(0, limit).map((entry) => printMember(entry, depth - 1, limit));
  if (rest !== undefined && rest.kind !== "unknown")
    shown.push(`[string]: ${print(rest, depth - 1, limit, false)}`);
  else if (rest !== undefined || members.size > limit) shown.push("…");
  return `{${shown.join(", ")}}`;
}

function printMember(
  [name, { type, optional }]: readonly [string, Member],
  depth: number,
  limit: number,
): string {
  return `${keyText(name)}${optional ? "?" : ""}: ${print(type, depth, limit, false)}`;
}
