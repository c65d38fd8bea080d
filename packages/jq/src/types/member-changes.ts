import { type Change, each, type Updated, type UpdateMode } from "./changes.ts";
import { memberOf } from "./operations.ts";
import {
  array,
  type Member,
  never,
  nullType,
  type ObjectType,
  object,
  partsOf,
  type Type,
  union,
  unknown,
} from "./type.ts";

/** The type with a member of its objects changed; null becomes an object. */
export function changedMember(target: Type, name: string, mode: UpdateMode, update: Change): Updated {
  return each(target, update, (part, change) => {
    if (part.kind === "unknown" || part.kind === "null") {
      if (part.kind === "null" && mode === "delete") return part;
      const { type, deletes, skips } = change(part);
      if (type.kind === "never" && !deletes) return never;
      if (part.kind === "unknown" && (skips || deletes || mode === "delete")) return part;
      const member: Member = { type, optional: deletes };
      const made = object(
        type.kind === "never" ? [] : [[name, member]],
        part.kind === "null" ? undefined : unknown,
      );
      return skips || deletes ? union(part, made) : made;
    }
    return part.kind === "object" ? objectMember(part, name, mode, change) : never;
  });
}

function objectMember(part: ObjectType, name: string, mode: UpdateMode, change: Change): Type {
  const before = part.members.get(name);
  const absent = before === undefined && part.rest === undefined;
  if (mode === "delete") {
    if (absent) return part;
    const { type, deletes } = change(before?.type ?? part.rest!);
    const others = [...part.members].filter(([key]) => key !== name);
    const mayBeAbsent = before?.optional ?? true;
    if (type.kind === "never") return deletes || mayBeAbsent ? object(others, part.rest) : never;
    return object([...others, [name, { type, optional: deletes || mayBeAbsent }]], part.rest);
  }
  const { type, deletes, skips } = change(memberOf(part, name));
  if (type.kind === "never") {
    if (!deletes) return never;
    return object(
      [...part.members].filter(([key]) => key !== name),
      part.rest,
    );
  }
  const optional = deletes || (skips === true && (before?.optional ?? true));
  return object([...part.members, [name, { type, optional }]], part.rest);
}

/** `[key]` with a key that isn't known exactly. */
export function changedAt(target: Type, key: Type, mode: UpdateMode, update: Change): Updated {
  const kinds = new Set(partsOf(key).map(({ kind }) => kind));
  if ([...kinds].some((kind) => kind !== "string" && kind !== "number"))
    return { type: unknown, deletes: true };
  return each(target, update, (part, change) => {
    if (part.kind === "unknown") {
      change(part);
      return unknown;
    }
    const results: Type[] = [];
    const names = textsOf(key);
    if (names !== undefined && part.kind === "object") return oneOf(part, names, change);
    if (kinds.has("string") && (part.kind === "object" || part.kind === "null"))
      results.push(anyMember(part, mode, change));
    if (kinds.has("number") && (part.kind === "array" || part.kind === "null")) {
      const items = part.kind === "array" ? part.items : never;
      const { type, deletes, skips } = change(union(items, nullType));
      if (part.kind === "null" && (skips || deletes)) results.push(part);
      if (mode === "delete") results.push(part.kind === "null" ? part : array(union(items, type)));
      else results.push(array(union(items, type, nullType)));
    }
    return union(...results);
  });
}

/** The texts that a key is one of. */
function textsOf(key: Type): readonly string[] | undefined {
  const texts = partsOf(key).map((part) => (part.kind === "string" ? part.value : undefined));
  return texts.includes(undefined) ? undefined : (texts as string[]);
}

/** One of several members changed, each of which may also be left as it was. */
function oneOf(part: ObjectType, names: readonly string[], change: Change): Type {
  const members = new Map(part.members);
  for (const name of names) {
    const before = part.members.get(name);
    const { type, deletes } = change(memberOf(part, name));
    members.set(name, {
      type: union(before?.type ?? part.rest ?? never, type),
      optional: (before?.optional ?? true) || deletes,
    });
  }
  return object(members, part.rest);
}

function anyMember(part: Type, mode: UpdateMode, change: Change): Type {
  const from = part.kind === "object" ? part : undefined;
  const old = union(...[...(from?.members.values() ?? [])].map(({ type }) => type), from?.rest ?? never);
  const { type, deletes, skips } = change(union(old, nullType));
  if (from === undefined && mode === "delete") return part;
  const members = [...(from?.members ?? [])].map(
    ([name, member]) =>
      [name, { type: union(member.type, type), optional: member.optional || deletes }] as const,
  );
  if (mode === "delete")
    return object(members, from?.rest === undefined ? undefined : union(from.rest, type));
  const changed = object(members, union(from?.rest ?? never, type));
  return from === undefined && (skips || deletes) ? union(part, changed) : changed;
}
