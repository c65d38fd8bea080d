import { type ObjectType, type Type, types } from "@configc/jq";

/** Where a value that an old version kept can't be what a new version takes it for. */
interface Mismatch {
  /** Names below the value; `[]` for items of an array. */
  readonly path: readonly string[];
  readonly kept: Type;
  /** Undefined where the kept object has no such member. */
  readonly lacks: boolean;
  readonly wanted: Type;
}

/** The first certain difference; what isn't known, or may be right, is none. */
export function mismatchOf(kept: Type, wanted: Type): Mismatch | undefined {
  const before = types.partsOf(kept);
  const after = types.partsOf(wanted);
  if (before.length === 0 || after.length === 0) return undefined;
  if ([...before, ...after].some(({ kind }) => kind === "unknown")) return undefined;
  const kinds = new Set(after.map(({ kind }) => kind));
  if (!before.some(({ kind }) => kinds.has(kind))) return { path: [], kept, wanted, lacks: false };
  const [one, other] = [before[0], after[0]];
  if (before.length > 1 || after.length > 1) return undefined;
  if (one?.kind === "object" && other?.kind === "object") return memberMismatch(one, other);
  if (one?.kind === "array" && other?.kind === "array")
    return below("[]", mismatchOf(one.items, other.items));
  return undefined;
}

function memberMismatch(kept: ObjectType, wanted: ObjectType): Mismatch | undefined {
  for (const [name, { type, optional }] of wanted.members) {
    const member = kept.members.get(name);
    if (member === undefined) {
      if (kept.rest === undefined && !optional) return { path: [name], kept, wanted: type, lacks: true };
      continue;
    }
    const found = below(name, mismatchOf(member.type, type));
    if (found !== undefined) return found;
  }
  return undefined;
}

function below(name: string, mismatch: Mismatch | undefined): Mismatch | undefined {
  return mismatch === undefined ? undefined : { ...mismatch, path: [name, ...mismatch.path] };
}
