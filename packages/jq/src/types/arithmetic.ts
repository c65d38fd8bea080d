import type { ArithmeticOperator } from "../syntax-tree.ts";
import {
  anyArray,
  anyObject,
  array,
  arrayFrom,
  literal,
  type Member,
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
            return isLeft ? array(part.items) : anyArray;
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
            return isCount(part) ? union(number, string) : union(number, string, nullType);
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

/** Whether a text so many times is a text: below 0 times it is null. */
const isCount = (type: Type): boolean =>
  type.kind === "number" && type.value !== undefined && type.value >= 0;

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
      return a.kind === "array" && b.kind === "array" ? array(a.items) : never;
    case "*":
      if (a.kind === "number" && b.kind === "number") return number;
      if ((a.kind === "string" && b.kind === "number") || (a.kind === "number" && b.kind === "string")) {
        return isCount(a) || isCount(b) ? string : union(string, nullType);
      }
      return a.kind === "object" && b.kind === "object" ? multiplied(a, b) : never;
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
  if (a.kind === "string" && b.kind === "string") return joinedTexts(a.value, b.value);
  if (a.kind === "array" && b.kind === "array") {
    const items = union(a.items, b.items);
    // Not a tuple, which would grow with each step of a fold.
    return arrayFrom(a.first ?? (b.first === undefined ? [] : [items]), items);
  }
  return a.kind === "object" && b.kind === "object" ? mergedObject(a, b) : never;
}

/** Longer texts aren't computed: a fold would make one of each step. */
const LONGEST_TEXT = 40;

function joinedTexts(a: string | undefined, b: string | undefined): Type {
  if (a === undefined || b === undefined || a.length + b.length > LONGEST_TEXT) return string;
  return literal(a + b);
}

/** `{…} * {…}`: objects in both are multiplied themselves, of all else the right one counts. */
function multiplied(a: ObjectType, b: ObjectType): Type {
  const members = new Map<string, Member>();
  for (const name of new Set([...a.members.keys(), ...b.members.keys()])) {
    const left = a.members.get(name) ?? (a.rest && { type: a.rest, optional: true });
    const right = b.members.get(name) ?? (b.rest && { type: b.rest, optional: true });
    if (left === undefined || right === undefined) members.set(name, (left ?? right)!);
    else {
      const both = multipliedValue(left.type, right.type);
      const types = [both, ...(right.optional ? [left.type] : []), ...(left.optional ? [right.type] : [])];
      members.set(name, { type: union(...types), optional: left.optional && right.optional });
    }
  }
  if (a.rest === undefined || b.rest === undefined) return object(members, a.rest ?? b.rest);
  return object(members, union(a.rest, b.rest, multipliedValue(a.rest, b.rest)));
}

function multipliedValue(left: Type, right: Type): Type {
  if (left.kind === "unknown" || right.kind === "unknown") return unknown;
  const results: Type[] = [];
  for (const b of partsOf(right)) {
    for (const a of partsOf(left)) {
      results.push(a.kind === "object" && b.kind === "object" ? multiplied(a, b) : b);
    }
  }
  return union(...results);
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
