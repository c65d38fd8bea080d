import type { Json } from "../json.ts";
import {
  type ArrayType,
  anyArray,
  array,
  literal,
  never,
  nullType,
  number,
  type ObjectType,
  object,
  partsOf,
  record,
  string,
  type Type,
  union,
  unknown,
} from "./type.ts";

/** What `.name` gives: null where the member may be absent, nothing for values that have no members. */
export function memberOf(type: Type, name: string): Type {
  return mapParts(type, (part) => {
    if (part.kind === "null") return nullType;
    if (part.kind !== "object") return never;
    const member = part.members.get(name);
    if (member !== undefined) return member.optional ? union(member.type, nullType) : member.type;
    return part.rest === undefined ? nullType : union(part.rest, nullType);
  });
}

/** What `.[key]` gives. */
export function indexOf(type: Type, key: Type): Type {
  if (key.kind !== "union") return key.kind === "never" ? never : indexByPart(type, key);
  return union(...key.members.map((part) => indexByPart(type, part)));
}

function indexByPart(type: Type, key: Type): Type {
  switch (key.kind) {
    case "string":
      if (key.value !== undefined) return memberOf(type, key.value);
      return mapParts(type, (part) => {
        if (part.kind === "null") return nullType;
        return part.kind === "object" ? union(valuesOf(part), nullType) : never;
      });
    case "number":
      return mapParts(type, (part) => {
        if (part.kind === "null") return nullType;
        return part.kind === "array" ? itemAt(part, key.value) : never;
      });
    case "object":
      return sliceOf(type);
    case "array":
      return mapParts(type, (part) => (part.kind === "array" ? union(array(number), nullType) : never));
    case "unknown":
      return unknown;
    default:
      return never;
  }
}

/** What `.[at]` gives; without an index, of any. */
function itemAt({ items, first, isClosed = false }: ArrayType, at: number | undefined): Type {
  if (at === undefined || first === undefined) return union(items, nullType);
  const known = Math.floor(at);
  if (known >= 0) return first[known] ?? (isClosed ? nullType : union(items, nullType));
  if (isClosed) return first.at(known) ?? nullType;
  // Counted from an end that is at least so far away.
  return -known <= first.length ? items : union(items, nullType);
}

/** What `.[from:to]` gives. */
export function sliceOf(type: Type): Type {
  return mapParts(type, (part) => {
    if (part.kind === "string") return string;
    if (part.kind === "array") return array(part.items);
    return part.kind === "null" ? part : never;
  });
}

/** What `.[]` gives. */
export function itemsOf(type: Type): Type {
  return mapParts(type, (part) => {
    if (part.kind === "array") return part.items;
    return part.kind === "object" ? valuesOf(part) : never;
  });
}

function valuesOf({ members, rest }: ObjectType): Type {
  const types = [...members.values()].map((member) => member.type);
  return union(...types, rest ?? never);
}

/** The text that values of a type are, if it is one and known. */
export function textOf(type: Type): string | undefined {
  return type.kind === "string" ? type.value : undefined;
}

/** The type of values other than `null` and `false`. */
export function truthy(type: Type): Type {
  return mapParts(type, (part) => {
    if (part.kind === "null") return never;
    if (part.kind === "boolean") return part.value === false ? never : literal(true);
    return part;
  });
}

/** The values of the given kinds. */
export function ofKinds(type: Type, kinds: readonly Type["kind"][]): Type {
  if (type.kind === "unknown") return union(...kinds.map(wholeKind));
  return mapParts(type, (part) => (kinds.includes(part.kind) ? part : never));
}

function wholeKind(kind: Type["kind"]): Type {
  switch (kind) {
    case "null":
      return nullType;
    case "boolean":
      return union(literal(true), literal(false));
    case "number":
      return number;
    case "string":
      return string;
    case "array":
      return anyArray;
    case "object":
      return object([], unknown);
    default:
      return unknown;
  }
}

/** Maps each member of a union; `unknown` stays unknown. */
export function mapParts(type: Type, map: (part: Type) => Type): Type {
  switch (type.kind) {
    case "unknown":
    case "never":
      return type;
    case "union":
      return union(...type.members.map(map));
    default:
      return map(type);
  }
}

/** Whether every value of `type` is one of `of`; `unknown` is only within `unknown`. */
export function isSubtype(type: Type, of: Type): boolean {
  if (type === of || of.kind === "unknown" || type.kind === "never") return true;
  if (type.kind === "union") return type.members.every((part) => isSubtype(part, of));
  return partsOf(of).some((part) => isPartSubtype(type, part, isSubtype));
}

/** Like `isSubtype`, but `unknown` fits everywhere: use it to decide whether to complain. */
export function isAssignable(type: Type, to: Type): boolean {
  if (type === to || to.kind === "unknown" || type.kind === "unknown" || type.kind === "never") return true;
  if (type.kind === "union") return type.members.every((part) => isAssignable(part, to));
  return partsOf(to).some((part) => isPartSubtype(type, part, isAssignable));
}

function isPartSubtype(type: Type, of: Type, compare: (type: Type, of: Type) => boolean): boolean {
  if (type === of) return true;
  if (type.kind !== of.kind) return false;
  if (type.kind === "array" && of.kind === "array") return isArraySubtype(type, of, compare);
  if (type.kind === "object" && of.kind === "object") return isObjectSubtype(type, of, compare);
  if (!("value" in of) || of.value === undefined) return true;
  return "value" in type && Object.is(type.value, of.value);
}

function isArraySubtype(type: ArrayType, of: ArrayType, compare: (type: Type, of: Type) => boolean): boolean {
  if (of.first === undefined) return compare(type.items, of.items);
  const first = type.first ?? [];
  if (first.length < of.first.length || !of.first.every((item, at) => compare(first[at]!, item)))
    return false;
  if (of.isClosed === true) return type.isClosed === true && first.length === of.first.length;
  return compare(type.items, of.items);
}

function isObjectSubtype(
  type: ObjectType,
  of: ObjectType,
  compare: (type: Type, of: Type) => boolean,
): boolean {
  for (const [name, { type: wanted, optional }] of of.members) {
    const member = type.members.get(name);
    if (member === undefined) {
      if (!optional || (type.rest !== undefined && !compare(type.rest, wanted))) return false;
    } else if ((member.optional && !optional) || !compare(member.type, wanted)) return false;
  }
  for (const [name, { type: given }] of type.members) {
    if (of.members.has(name)) continue;
    if (of.rest === undefined || !compare(given, of.rest)) return false;
  }
  return type.rest === undefined || (of.rest !== undefined && compare(type.rest, of.rest));
}

/** Whether a value belongs to a type. Values nested deeper than types can tell are accepted. */
export function includes(type: Type, value: Json): boolean {
  switch (type.kind) {
    case "unknown":
      return true;
    case "never":
      return false;
    case "null":
      return value === null;
    case "boolean":
    case "number":
    case "string":
      return (
        typeof value === type.kind &&
        (type.value === undefined || Object.is(type.value, value) || type.value === value)
      );
    case "array":
      return Array.isArray(value) && includesItems(type, value as readonly Json[]);
    case "object": {
      if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
      const entries = new Map(Object.entries(value));
      for (const [name, { optional }] of type.members) if (!optional && !entries.has(name)) return false;
      for (const [name, member] of entries) {
        const known = type.members.get(name)?.type ?? type.rest;
        if (known === undefined || !includes(known, member as Json)) return false;
      }
      return true;
    }
    case "union":
      return type.members.some((part) => includes(part, value));
  }
}

function includesItems({ items, first = [], isClosed = false }: ArrayType, values: readonly Json[]): boolean {
  if (values.length < first.length || (isClosed && values.length > first.length)) return false;
  return values.every((value, at) => includes(first[at] ?? items, value));
}

/** The exact type of a value, of its first levels. */
export function typeOfValue(value: Json, depth = 8): Type {
  if (value === null || typeof value !== "object") return literal(value);
  if (depth <= 0) return Array.isArray(value) ? anyArray : object([], unknown);
  if (Array.isArray(value)) {
    const items = new Set<Type>();
    for (const item of value as readonly Json[]) items.add(typeOfValue(item, depth - 1));
    return array(union(...items));
  }
  const members: [string, Type][] = Object.entries(value).map(([name, member]) => [
    name,
    typeOfValue(member as Json, depth - 1),
  ]);
  return object(members.map(([name, type]) => [name, { type, optional: false }] as const));
}

/** Objects with more members have entries of one type. */
const ENTRIES_ONE_BY_ONE = 12;

/** The items of what `to_entries` gives; for an array the keys are indexes. */
export function entryOf(type: Type): Type {
  if (type.kind === "unknown") return record({ key: union(string, number), value: unknown });
  return mapParts(type, (part) => {
    if (part.kind === "array") return record({ key: number, value: part.items });
    if (part.kind !== "object") return never;
    if (part.members.size > ENTRIES_ONE_BY_ONE) return record({ key: string, value: valuesOf(part) });
    const entries = [...part.members].map(([name, { type }]) => record({ key: literal(name), value: type }));
    return union(...entries, part.rest === undefined ? never : record({ key: string, value: part.rest }));
  });
}
