import type { Json } from "../json.ts";
import type { Span } from "../syntax-tree.ts";
import { fail } from "./error.ts";
import type { Path, PathStep } from "./machine.ts";
import { countArray, countSteps } from "./meter.ts";
import { excerpt } from "./values.ts";

/** A path as jq shows it: an array of keys. */
export function pathKeys(path: PathStep | null): readonly Json[] {
  let length = 0;
  for (let step = path; step !== null; step = step.parent) length++;
  countSteps(1 + length);
  countArray(length);
  const keys = new Array<Json>(length);
  for (let step = path; step !== null; step = step.parent) keys[--length] = step.key;
  return keys;
}

/** A path at the end of a path expression; fails if the value isn't a part of the input. */
export function finished(path: Path, value: Json, span: Span): PathStep | null {
  return path === undefined ? fail(`Invalid path expression with result ${excerpt(value)}`, span) : path;
}

export function pathTo(path: Path, key: Json, value: Json, span: Span): PathStep {
  if (path !== undefined) return { parent: path, key };
  return fail(
    `Invalid path expression near attempt to access element ${excerpt(key)} of ${excerpt(value)}`,
    span,
  );
}

/**
 * Whether for jq an output is the input itself: the same array or object, and null, true and false wherever they come from. Of
 * numbers and texts it isn't known here.
 */
export function isInputItself(output: Json, value: Json): boolean {
  return output === value && (output === null || typeof output === "boolean" || typeof output === "object");
}
