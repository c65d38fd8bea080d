import type { ArrayType, Member, ObjectType, Type, UnionPart } from "./shape.ts";

export type * from "./shape.ts";

/** Bounds that keep types small; what goes beyond is widened. */
const UNION_LIMIT = 16;
export const DEPTH_LIMIT = 8;
const MEMBER_LIMIT = 500;
/** Larger types are cut to fewer levels: every pass over a type takes time by its size. */
const SIZE_LIMIT = 1000;

let nextId = 0;
const INTERNED_LIMIT = 100_000;
/**
 * Weak references would let go of types more exactly, but the garbage collector keeps their targets to the end of the running
 * job, which took a third of the time of checking a thousand configs. So the table is emptied when it is full: equal types from
 * before and after are then different objects, and compared by their structure.
 */
const interned = new Map<string, Type>();

type Fresh = Type extends infer T ? (T extends Type ? Omit<T, "id"> : never) : never;

function intern(key: string, make: () => Fresh): Type {
  const existing = interned.get(key);
  if (existing !== undefined) return existing;
  const type = { id: nextId++, ...make() } as Type;
  if (interned.size >= INTERNED_LIMIT) {
    interned.clear();
    unionsOfTwo.clear();
  }
  interned.set(key, type);
  return type;
}

function simple(kind: "unknown" | "never" | "null" | "boolean" | "number" | "string"): Type {
  return { id: nextId++, kind, depth: 0, size: 1 };
}

export const unknown: Type = simple("unknown");
export const never: Type = simple("never");
export const nullType: Type = simple("null");
export const boolean: Type = simple("boolean");
export const number: Type = simple("number");
export const string: Type = simple("string");

/** Longer texts are any text. */
export const LONGEST_LITERAL = 200;

/** The type of one scalar value. */
export function literal(value: null | boolean | number | string): Type {
  if (value === null) return nullType;
  if (typeof value === "string" && value.length > LONGEST_LITERAL) return string;
  const key = typeof value === "string" ? `s${value}` : Object.is(value, -0) ? "-0" : String(value);
  return intern(key, () => ({ kind: typeof value, value, depth: 0, size: 1 }) as Fresh);
}

export function array(items: Type): Type {
  const kept = items.depth >= DEPTH_LIMIT ? truncate(items, DEPTH_LIMIT - 1) : items;
  return intern(`[${kept.id}`, () => ({
    kind: "array",
    items: kept,
    depth: kept.depth + 1,
    size: kept.size + 1,
  }));
}

/** Tuples that are longer are arrays that aren't empty. */
const TUPLE_LIMIT = 8;

/** An array of as many items; of one of them that can't be, there is none. */
export function tuple(items: readonly Type[]): Type {
  if (items.includes(never)) return never;
  if (items.length === 0) return array(never);
  return arrayFrom(items, union(...items), items.length <= TUPLE_LIMIT);
}

/**
 * An array that begins with certain items.
 * @param items what any of them can be
 */
export function arrayFrom(first: readonly Type[], items: Type, isClosed = false): Type {
  const kept = first.slice(0, TUPLE_LIMIT);
  const size = kept.reduce((sum, item) => sum + item.size, items.size + 1);
  const whole = array(items) as ArrayType;
  // A tuple is told from others by its items' types, which have to be the same wherever it is cut.
  if (kept.length === 0 || whole.items !== items || size > SIZE_LIMIT) return whole;
  const ids = kept.map(({ id }) => id).join(",");
  return intern(`[${items.id}(${ids}${isClosed ? "" : ",…"}`, () => ({
    kind: "array",
    items,
    first: kept,
    isClosed,
    depth: whole.depth,
    size,
  }));
}

/**
 * An object.
 * @param rest the type of further members; without it the object has no others
 */
export function object(members: Iterable<readonly [string, Member]>, rest?: Type): Type {
  let kept = new Map(members);
  let further = rest === never ? undefined : rest;
  if (kept.size > MEMBER_LIMIT) {
    kept = new Map();
    further = unknown;
  }
  let depth = 0;
  let size = 1;
  let key = "";
  for (const [name, { type, optional }] of kept) {
    const inner = type.depth >= DEPTH_LIMIT ? truncate(type, DEPTH_LIMIT - 1) : type;
    if (inner !== type) kept.set(name, { type: inner, optional });
    if (inner.depth > depth) depth = inner.depth;
    size += inner.size;
    // With its length before it, a name needs no escapes.
    key += `${name.length}:${name}${optional ? "?" : "!"}${inner.id},`;
  }
  if (further !== undefined) {
    if (further.depth >= DEPTH_LIMIT) further = truncate(further, DEPTH_LIMIT - 1);
    depth = Math.max(depth, further.depth);
    size += further.size;
  }
  if (size > SIZE_LIMIT && depth > 0) {
    const cut = [...kept].map(
      ([name, member]) => [name, { ...member, type: truncate(member.type, depth - 1) }] as const,
    );
    return object(cut, further === undefined ? undefined : truncate(further, depth - 1));
  }
  return intern(`{${key}|${further?.id ?? ""}`, () => {
    const type = { kind: "object", members: kept, depth: depth + 1, size } as const;
    return further === undefined ? type : { ...type, rest: further };
  });
}

/** A closed object whose members are all present. */
export function record(members: Readonly<Record<string, Type>>): Type {
  return object(Object.entries(members).map(([name, type]) => [name, { type, optional: false }] as const));
}

/** Any object. */
export const anyObject: Type = object([], unknown);
/** Any array. */
export const anyArray: Type = array(unknown);

/** Unions of two by the ids of both. */
const unionsOfTwo = new Map<number, Type>();
/** Ids stay far below: there isn't memory for so many types. */
const IDS_LIMIT = 2 ** 26;

/** The type of the values of all given types. */
export function union(...types: readonly Type[]): Type {
  const [one, other] = types;
  if (types.length === 1) return one!;
  return types.length === 2 ? unionOfTwo(one!, other!) : unionOfAll(types);
}

/** Most unions are of two types of which one says it all, and the others are asked for again and again. */
function unionOfTwo(one: Type, other: Type): Type {
  if (one === other || other === never) return one;
  if (one === never) return other;
  if (one === unknown || other === unknown) return unknown;
  if (one.id >= IDS_LIMIT || other.id >= IDS_LIMIT) return unionOfAll([one, other]);
  const key = one.id * IDS_LIMIT + other.id;
  let type = unionsOfTwo.get(key);
  if (type === undefined) {
    type = unionOfAll([one, other]);
    if (unionsOfTwo.size >= INTERNED_LIMIT) unionsOfTwo.clear();
    unionsOfTwo.set(key, type);
  }
  return type;
}

function unionOfAll(types: readonly Type[]): Type {
  const parts = new Map<number, UnionPart>();
  for (const type of types) {
    for (const part of partsOf(type)) {
      if (part.kind === "unknown") return unknown;
      if (part.kind !== "never" && part.kind !== "union") parts.set(part.id, part);
    }
  }
  const merged = absorb([...parts.values()]);
  if (merged.length === 0) return never;
  if (merged.length === 1) return merged[0]!;
  if (merged.length > UNION_LIMIT) return union(...widenKinds(merged));
  const size = merged.reduce((sum, part) => sum + part.size, 1);
  const depth = Math.max(...merged.map((part) => part.depth));
  if (size > SIZE_LIMIT && depth > 0) {
    const kinds = new Set(merged.map(({ kind }) => kind));
    if (kinds.size < merged.length) return union(...widenKinds(merged));
    return union(...merged.map((part) => truncate(part, depth - 1)));
  }
  merged.sort((a, b) => a.id - b.id);
  return intern(`|${merged.map((part) => part.id).join("|")}`, () => ({
    kind: "union",
    members: merged,
    depth,
    size,
  }));
}

/** The members of a union; another type is its own only part. */
export function partsOf(type: Type): readonly Type[] {
  return type.kind === "union" ? type.members : type.kind === "never" ? [] : [type];
}

/** Drops literals beside their kind, joins `true` and `false`, and drops the empty array beside other arrays. */
function absorb(parts: readonly UnionPart[]): UnionPart[] {
  const whole = new Set<string>();
  for (const part of parts) if (!isLiteral(part)) whole.add(part.kind);
  const values = parts.filter((part) => part.kind === "boolean" && isLiteral(part));
  const bothBooleans = values.length === 2;
  if (bothBooleans) whole.add("boolean");
  let kept = parts.filter((part) => !isLiteral(part) || !whole.has(part.kind));
  if (kept.filter(({ kind }) => kind === "array").length > 1) kept = absorbArrays(kept);
  if (bothBooleans && !kept.includes(boolean as UnionPart)) kept.push(boolean as UnionPart);
  return kept;
}

/** Arrays beside what they are kinds of, and the empty one beside any that may be empty too. */
function absorbArrays(parts: readonly UnionPart[]): UnionPart[] {
  const isEmpty = parts.some((part) => part.kind === "array" && part.items === never);
  // One that isn't empty, or else is: any.
  const opened = new Set(
    parts.map((part) =>
      isEmpty && part.kind === "array" && part.first !== undefined && part.isClosed !== true
        ? (array(part.items) as UnionPart)
        : part,
    ),
  );
  const plain = new Set<Type>();
  for (const part of opened) {
    if (part.kind === "array" && part.first === undefined && part.items !== never) plain.add(part.items);
  }
  return [...opened].filter(
    (part) =>
      part.kind !== "array" ||
      (part.first === undefined ? part.items !== never || plain.size === 0 : !plain.has(part.items)),
  );
}

function isLiteral(type: Type): boolean {
  return "value" in type && type.value !== undefined;
}

/** Whether the type has one value only. */
export function isUnit(type: Type): boolean {
  return type.kind === "null" || isLiteral(type);
}

/** One type for each kind of value. */
function widenKinds(parts: readonly UnionPart[]): readonly Type[] {
  const result = new Set<Type>();
  const arrays: ArrayType[] = [];
  const objects: ObjectType[] = [];
  for (const part of parts) {
    if (part.kind === "array") arrays.push(part);
    else if (part.kind === "object") objects.push(part);
    else result.add(widenLiterals(part));
  }
  if (arrays.length > 0) result.add(array(union(...arrays.map(({ items }) => items))));
  if (objects.length > 0) result.add(mergeObjects(objects));
  return [...result];
}

/** One object type that has all values of the given ones. */
function mergeObjects(objects: readonly ObjectType[]): Type {
  const names = new Set(objects.flatMap(({ members }) => [...members.keys()]));
  const rests = objects.map(({ rest }) => rest).filter((rest) => rest !== undefined);
  const members: [string, Member][] = [];
  for (const name of names) {
    const types: Type[] = [];
    let optional = false;
    for (const { members, rest } of objects) {
      const member = members.get(name);
      if (member !== undefined) types.push(member.type);
      else if (rest !== undefined) types.push(rest);
      optional ||= member?.optional ?? true;
    }
    members.push([name, { type: union(...types), optional }]);
  }
  return rests.length === 0 ? object(members) : object(members, union(...rests));
}

/** The type with every literal replaced by its kind, at any depth: where a value is computed in a cycle. */
export function widenLiterals(type: Type): Type {
  switch (type.kind) {
    case "boolean":
      return boolean;
    case "number":
      return number;
    case "string":
      return string;
    case "array":
      return mapItems(type, widenLiterals);
    case "object":
      return mapMembers(type, widenLiterals);
    case "union":
      return union(...type.members.map(widenLiterals));
    default:
      return type;
  }
}

/** The type with everything below the given depth unknown. */
function truncate(type: Type, depth: number): Type {
  if (type.depth <= depth) return type;
  if (depth <= 0) return unknown;
  switch (type.kind) {
    case "array":
      return mapItems(type, (item) => truncate(item, depth - 1));
    case "object":
      return mapMembers(type, (member) => truncate(member, depth - 1));
    case "union":
      return union(...type.members.map((member) => truncate(member, depth)));
    default:
      return type;
  }
}

function mapItems({ items, first, isClosed }: ArrayType, map: (type: Type) => Type): Type {
  if (first === undefined) return array(map(items));
  const mapped = first.map(map);
  return arrayFrom(mapped, isClosed === true ? union(...mapped) : map(items), isClosed);
}

function mapMembers({ members, rest }: ObjectType, map: (type: Type) => Type): Type {
  const mapped = [...members].map(
    ([name, { type, optional }]) => [name, { type: map(type), optional }] as const,
  );
  return rest === undefined ? object(mapped) : object(mapped, map(rest));
}
