import { array, type Member, never, type ObjectType, object, partsOf, type Type, union } from "./type.ts";

/** What becomes of a value at a path. */
export interface Updated {
  readonly type: Type;
  /** Whether the value may be deleted instead. */
  readonly deletes: boolean;
  /** Whether it may not be selected at all, so that nothing on the way to it is created. */
  readonly skips?: boolean | undefined;
}

/** What an update makes of an old value. */
export type Change = (old: Type) => Updated;

/** How paths are walked: deleting creates nothing on the way. */
export type UpdateMode = "set" | "delete";

/** More members than this are updated as one. */
const MEMBERS_ONE_BY_ONE = 50;

/** The type with its items or members changed; other kinds of values have none. */
export function changedItems(target: Type, change: Change): Type {
  return union(
    ...partsOf(target).map((part) => {
      switch (part.kind) {
        case "unknown":
          change(part);
          return part;
        case "array": {
          if (part.items.kind === "never") return part;
          const { type, deletes } = change(part.items);
          // What moves into the place of a deleted item may be left as it was.
          return array(deletes ? union(part.items, type) : type);
        }
        case "object":
          return allMembers(part, change);
        default:
          return never;
      }
    }),
  );
}

/** Each member of an object changed. */
function allMembers(part: ObjectType, change: Change): Type {
  if (part.members.size > MEMBERS_ONE_BY_ONE) {
    const { type } = change(
      union(...[...part.members.values()].map((member) => member.type), part.rest ?? never),
    );
    return object([], type);
  }
  const members: [string, Member][] = [];
  for (const [name, member] of part.members) {
    const { type, deletes } = change(member.type);
    if (type.kind !== "never") members.push([name, { type, optional: member.optional || deletes }]);
    else if (!deletes && !member.optional) return never;
  }
  return object(members, part.rest === undefined ? undefined : change(part.rest).type);
}

/** Changes every part of a union. Only the value as a whole can be deleted, by `change` itself. */
export function each(type: Type, change: Change, map: (part: Type, change: Change) => Type): Updated {
  let skips = false;
  const noting: Change = (old) => {
    const updated = change(old);
    // A deleted value leaves no trace of the way to it either.
    skips ||= updated.skips === true || updated.deletes;
    return updated;
  };
  return { type: union(...partsOf(type).map((part) => map(part, noting))), deletes: false, skips };
}

/** What one of several updates makes. */
export function either(results: readonly (Updated | undefined)[]): Updated | undefined {
  let all: Updated = { type: never, deletes: false, skips: false };
  for (const result of results) {
    if (result === undefined) return undefined;
    all = {
      type: union(all.type, result.type),
      deletes: all.deletes || result.deletes,
      skips: all.skips || result.skips === true,
    };
  }
  return all;
}
