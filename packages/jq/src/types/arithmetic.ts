import type { ArithmeticOperator } from "../syntax-tree.ts";
import {
  anyArray,
  anyObject,
  array,
  never,
  nullType,
  number,
  type ObjectType,
  object,
  partsOf,
  string,
  type Type,
  union,
  unknown,
} from "./type.ts";

/** The type of `left operator right`, where it doesn't fail. */
export function arithmetic(operator: ArithmeticOperator, left: Type, right: Type): Type {
  if (left.kind === "never" || right.kind === "never") return never;
  if (left.kind === "unknown" || right.kind === "unknown") return withUnknown(operator, left, right);
  const results: Type[] = [];
  for (const a of partsOf(left)) for (const b of partsOf(right)) results.push(known(operator, a, b));
  return union(...results);
}

/** One side is unknown: the other still tells what can come out without failing. */
function withUnknown(operator: ArithmeticOperator, left: Type, right: Type): Type {
  switch (operator) {
    case "%":
      return left.kind === "unknown" && right.kind === "unknown"
        ? number
        : mapKnown(left, right, (part) => (part.kind === "number" ? number : never));
    case "-":
      return left.kind === "unknown" && right.kind === "unknown"
        ? union(number, anyArray)
        : mapKnown(left, right, (part, isLeft) => {
            if (part.kind === "number") return number;
            if (part.kind !== "array") return never;
            return isLeft ? part : anyArray;
          });
    case "/":
      return left.kind === "unknown" && right.kind === "unknown"
        ? union(number, array(string))
        : mapKnown(left, right, (part) => {
            if (part.kind === "number") return number;
            return part.kind === "string" ? array(string) : never;
          });
    case "+":
      if (left.kind === "unknown" && right.kind === "unknown") return unknown;
      return mapKnown(left, right, (part) => {
        switch (part.kind) {
          case "number":
            return number;
          case "string":
            return string;
          case "array":
            return anyArray;
          case "object":
            return anyObject;
          case "null":
            return unknown;
          default:
            // A boolean can be added to null only, and stays what it is.
            return part;
        }
      });
    case "*":
      if (left.kind === "unknown" && right.kind === "unknown") return unknown;
      return mapKnown(left, right, (part) => {
        switch (part.kind) {
          case "number":
            return union(number, string, nullType);
          case "string":
            return union(string, nullType);
          case "object":
            return anyObject;
          default:
            return never;
        }
      });
  }
}

function mapKnown(left: Type, right: Type, map: (part: Type, isLeft: boolean) => Type): Type {
  const isLeft = right.kind === "unknown";
  return union(...partsOf(isLeft ? left : right).map((part) => map(part, isLeft)));
}

function known(operator: ArithmeticOperator, a: Type, b: Type): Type {
  switch (operator) {
    case "+":
      return sum(a, b);
    case "-":
      if (a.kind === "number" && b.kind === "number") return number;
      return a.kind === "array" && b.kind === "array" ? a : never;
    case "*":
      if (a.kind === "number" && b.kind === "number") return number;
      if ((a.kind === "string" && b.kind === "number") || (a.kind === "number" && b.kind === "string")) {
        return union(string, nullType);
      }
      return a.kind === "object" && b.kind === "object" ? anyObject : never;
    case "/":
      if (a.kind === "number" && b.kind === "number") return number;
      return a.kind === "string" && b.kind === "string" ? array(string) : never;
    case "%":
      return a.kind === "number" && b.kind === "number" ? number : never;
  }
}

function sum(a: Type, b: Type): Type {
  if (a.kind === "null") return b;
  if (b.kind === "null") return a;
  if (a.kind === "number" && b.kind === "number") return number;
  if (a.kind === "string" && b.kind === "string") return string;
  if (a.kind === "array" && b.kind === "array") return array(union(a.items, b.items));
  return a.kind === "object" && b.kind === "object" ? mergedObject(a, b) : never;
}

/** `{…} + {…}`: the members of the right one win. */
function mergedObject(a: ObjectType, b: ObjectType): Type {
  const members = new Map(a.members);
  for (const [name, member] of members) {
    if (b.rest !== undefined && !b.members.has(name)) {
      members.set(name, { type: union(member.type, b.rest), optional: member.optional });
    }
  }
  for (const [name, member] of b.members) {
    const before = a.members.get(name);
    const left = before?.type ?? a.rest;
    if (!member.optional || left === undefined) members.set(name, member);
    else members.set(name, { type: union(left, member.type), optional: before?.optional ?? true });
  }
  return object(members, union(a.rest ?? never, b.rest ?? never));
}
