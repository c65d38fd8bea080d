import type { Expression, Suffix } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";

/** Names of members, and `[]` for the items of an array or the values of an object. */
export type ValuePath = readonly string[];

/** What a value in a program comes from. */
export type ValueSource =
  /** A part of the program's input, or of one of its expansions. */
  | { readonly kind: "input"; readonly path: ValuePath }
  | { readonly kind: "hole"; readonly hole: number; readonly path: ValuePath }
  /** It is made there: a literal, a call … */
  | { readonly kind: "made"; readonly node: Expression };

/** What a part of a value comes from; nothing where that depends on values. */
export type Trace = (path: ValuePath) => readonly ValueSource[];

/** What suffixes lead to; undefined where one is computed. */
export function stepsOf(suffixes: readonly Suffix[]): ValuePath | undefined {
  const steps: string[] = [];
  for (const suffix of suffixes) {
    if (suffix.kind === "Optional" || suffix.kind === "Slice") continue;
    const step = suffix.kind === "Iterate" ? "[]" : keyOf(suffix);
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return steps;
}

/** The members that an expression reads of what comes in, `.a.b`; undefined where it reads something else, a part of a value, or items. */
export function inputPath(given: Expression): ValuePath | undefined {
  let node = given;
  while (node.kind === "Group") node = node.body;
  if (node.kind !== "Postfix" || node.head.kind !== "Identity") return undefined;
  const isPlain = node.suffixes.every(({ kind }) => kind === "Field" || kind === "Index");
  const path = isPlain ? stepsOf(node.suffixes) : undefined;
  return path?.includes("[]") ? undefined : path;
}

function keyOf(suffix: Extract<Suffix, { kind: "Field" | "Index" }>): string | undefined {
  const key = suffix.kind === "Index" ? suffix.index : suffix.key;
  if (key.kind === "Name") return key.text;
  if (key.kind === "Hole") return undefined;
  const value = constantOf(key);
  if (typeof value === "number") return "[]";
  return typeof value === "string" ? value : undefined;
}
