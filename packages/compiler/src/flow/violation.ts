import { type Type, types } from "@configc/jq";

/**
 * Whether no value of a type is one that is wanted: then it certainly is a mistake. `unknown` never is, and neither is a list
 * that may be empty of items that fit. A `null` among other values stays aside, since most expressions may give it.
 */
export function violates(type: Type, wanted: Type): boolean {
  if (type.kind === "unknown" || type.kind === "never" || accepts(wanted, "unknown")) return false;
  let isNull = true;
  for (const part of types.partsOf(type)) {
    if (part.kind === "null") continue;
    if (!clashesWithAll(part, wanted)) return false;
    isNull = false;
  }
  return !isNull || !accepts(wanted, "null");
}

/** Whether some value of a type, at any depth, certainly isn't wanted: a reason to look at the branches of an expression. */
export function maySomewhereViolate(type: Type, wanted: Type): boolean {
  if (type.kind === "unknown" || accepts(wanted, "unknown")) return false;
  if (type.kind === "null") return !accepts(wanted, "null");
  if (type.kind !== "union") return mayPartViolate(type, wanted);
  return type.members.some((part) => mayPartViolate(part, wanted));
}

function mayPartViolate(part: Type, wanted: Type): boolean {
  if (part.kind === "null" || part.kind === "unknown" || part.kind === "never") return false;
  if (clashesWithAll(part, wanted)) return true;
  const same = partOfKind(wanted, part.kind);
  if (part.kind === "array" && same?.kind === "array") return maySomewhereViolate(part.items, same.items);
  if (part.kind !== "object" || same?.kind !== "object") return false;
  for (const [name, member] of same.members) {
    const found = part.members.get(name);
    if (found === undefined || found.type.kind === "unknown") continue;
    if (maySomewhereViolate(found.type, orNull(member))) return true;
  }
  return false;
}

/** The part of a wanted type that is of a kind: a contract has one at most. */
export function partOfKind(wanted: Type, kind: Type["kind"]): Type | undefined {
  if (wanted.kind !== "union") return wanted.kind === kind ? wanted : undefined;
  for (const part of wanted.members) if (part.kind === kind) return part;
  return undefined;
}

/** The type of a wanted member; an optional one may be `null` as well. */
export function orNull({ type, optional }: { readonly type: Type; readonly optional: boolean }): Type {
  return optional ? types.union(type, types.nullType) : type;
}

function accepts(wanted: Type, kind: Type["kind"]): boolean {
  return partOfKind(wanted, kind) !== undefined;
}

function clashesWithAll(part: Type, wanted: Type): boolean {
  if (wanted.kind === "union") return wanted.members.every((each) => clashes(part, each));
  return wanted.kind === "never" || clashes(part, wanted);
}

/** Both are of one kind. */
function clashes(part: Type, wanted: Type): boolean {
  if (part.kind === "unknown" || wanted.kind === "unknown") return false;
  if (part.kind !== wanted.kind) return true;
  if (part.kind === "array" && wanted.kind === "array") return violates(part.items, wanted.items);
  if (part.kind !== "object" || wanted.kind !== "object") return false;
  for (const [name, member] of wanted.members) {
    const found = part.members.get(name);
    if (found === undefined) {
      if (!member.optional && part.rest === undefined) return true;
    } else if (found.type.kind !== "unknown" && violates(found.type, orNull(member))) return true;
  }
  return false;
}
