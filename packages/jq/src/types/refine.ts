import { mapParts, memberOf } from "./operations.ts";
import {
  arrayFrom,
  boolean,
  isUnit,
  literal,
  type Member,
  never,
  nullType,
  object,
  partsOf,
  type Type,
  union,
} from "./type.ts";

/** Changes what is known of a value by what is known of a member of it; `never` where that can't be. */
export type Refinement = (type: Type) => Type;

/** Nothing is known of what lies deeper. */
const LONGEST_PATH = 50;

/** The values of `type` whose member at the path is of the refined type. Reading it has succeeded. */
export function refineAt(type: Type, path: readonly string[], refine: Refinement): Type {
  if (path.length > LONGEST_PATH) return type;
  const [name, ...rest] = path;
  if (name === undefined) return refine(type);
  if (type.kind === "unknown") {
    const inner = refineAt(type, rest, refine);
    if (inner.kind === "never") return never;
    // Only an object has a member that isn't null.
    const mayBeNull = inner.kind === "unknown" || partsOf(inner).includes(nullType);
    return mayBeNull ? type : object([[name, { type: inner, optional: false }]], type);
  }
  return mapParts(type, (part) => {
    if (part.kind === "null") return refineAt(nullType, rest, refine).kind === "never" ? never : part;
    if (part.kind !== "object") return never;
    const current = memberOf(part, name);
    const inner = refineAt(current, rest, refine);
    if (inner.kind === "never") return never;
    if (inner === current) return part;
    const member = part.members.get(name);
    if (member === undefined && (part.rest === undefined || partsOf(inner).includes(nullType))) return part;
    return object([...part.members, [name, refinedMember(member, inner)]], part.rest);
  });
}

/** An absent member reads as null, so that one that may be null may still be absent. */
function refinedMember(member: Member | undefined, inner: Type): Member {
  if (member === undefined || !member.optional || !partsOf(inner).includes(nullType)) {
    return { type: inner, optional: false };
  }
  if (partsOf(member.type).includes(nullType) || member.type.kind === "unknown")
    return { type: inner, optional: true };
  return { type: union(...partsOf(inner).filter((part) => part !== nullType)), optional: true };
}

/** `null` and `false`. */
export function falsy(type: Type): Type {
  return mapParts(type, (part) => {
    if (part.kind === "null") return part;
    return part.kind === "boolean" && part.value !== true ? literal(false) : never;
  });
}

/** Values whose length isn't 0. */
export function filled(type: Type): Type {
  return mapParts(type, (part) => {
    if (part.kind === "null" || (part.kind === "array" && part.items === never)) return never;
    return part.kind === "array" && part.first === undefined ? arrayFrom([part.items], part.items) : part;
  });
}

/** Values equal to those of the given types of one value each. */
export function equalTo(type: Type, wanted: readonly Type[]): Type {
  if (type.kind === "unknown") return union(...wanted);
  return mapParts(type, (part) =>
    union(
      ...wanted
        .filter((unit) => unit.kind === part.kind && mayEqual(part, unit))
        .map((unit) => (isUnit(part) ? part : unit)),
    ),
  );
}

/** Values other than the given one. */
export function unequalTo(type: Type, unwanted: Type): Type {
  return mapParts(type, (part) => {
    if (part === boolean && unwanted.kind === "boolean") return literal(!unwanted.value);
    return part.kind === unwanted.kind && isUnit(part) && mayEqual(part, unwanted) ? never : part;
  });
}

function mayEqual(part: Type, unit: Type): boolean {
  return !isUnit(part) || part === unit || singleValue(part) === singleValue(unit);
}

function singleValue(type: Type): unknown {
  return "value" in type ? type.value : null;
}

/** Objects that have the member, or that don't; other values are left. */
export function havingMember(type: Type, name: string, has: boolean): Type {
  return mapParts(type, (part) => {
    if (part.kind === "null") return has ? never : part;
    if (part.kind !== "object") return part;
    const member = part.members.get(name);
    if (has) {
      const present = member?.type ?? part.rest;
      if (present === undefined) return never;
      return object([...part.members, [name, { type: present, optional: false }]], part.rest);
    }
    if (member === undefined) return part;
    if (!member.optional) return never;
    return part.rest === undefined ? object([...part.members].filter(([key]) => key !== name)) : part;
  });
}
