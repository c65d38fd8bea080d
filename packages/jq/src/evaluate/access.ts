import type { Json, JsonObject } from "../json.ts";
import type { Span } from "../syntax-tree.ts";
import { fail } from "./error.ts";
import { asExact, doubleOf, plain } from "./exact-number.ts";
import {
  bytes,
  countArray,
  countCopy,
  countMade,
  countScan,
  countSize,
  countSteps,
  countText,
  countWalk,
} from "./meter.ts";
import { Ownership } from "./ownership.ts";
import {
  codePointLength,
  compare,
  equals,
  excerpt,
  isArray,
  isObject,
  member,
  setMember,
  typeName,
} from "./values.ts";

/** The largest index that an array can be extended to, as in jq. */
const LARGEST_INDEX = 536_870_911;

/** `.[key]` */
export function index(value: Json, key: Json, span?: Span): Json {
  if (typeof key === "string") {
    if (isObject(value)) {
      countText(key.length);
      return member(value, key);
    }
    return value === null ? null : fail(noMember(value, key), span);
  }
  if (typeof key === "number") {
    if (isArray(value)) {
      if (Number.isNaN(key)) return null;
      const at = Math.trunc(key);
      return value[at < 0 ? at + value.length : at] ?? null;
    }
    if (value === null) return null;
  } else if (isObject(key)) {
    if (isArray(value) || value === null || typeof value === "string") {
      if (value !== null) keyBounds(0, key, span);
      return slice(value, member(key, "start"), member(key, "end"), span);
    }
  } else if (isArray(key) && isArray(value)) return indicesOfArray(value, key);
  else if (asExact(key) !== undefined && (isArray(value) || value === null)) {
    return index(value, plain(key), span);
  }
  return fail(`Cannot index ${typeName(value)} with ${typeName(key)} (${excerpt(key)})`, span);
}

/** Why a value has no members. */
export function noMember(value: Json, name: string): string {
  return `Cannot index ${typeName(value)} with string (${excerpt(name)})`;
}

/** Every place where one array begins in another. */
export function indicesOfArray(value: readonly Json[], wanted: readonly Json[]): Json {
  const found: number[] = [];
  if (wanted.length === 0) return found;
  for (let start = 0; start + wanted.length <= value.length; start++) {
    countWalk(wanted.length);
    if (wanted.every((item, offset) => equals(item, value[start + offset]!))) found.push(start);
  }
  countArray(found.length);
  return found;
}

/** The bounds of a slice of something with the given length; null means its start or end. */
function sliceBounds(length: number, from: Json, to: Json, span?: Span): readonly [number, number] {
  const first = from === null ? 0 : doubleOf(from);
  const last = to === null ? length : doubleOf(to);
  if (first === undefined || last === undefined) return fail(noSlice, span);
  let start = Number.isNaN(first) ? 0 : first;
  let end = Number.isNaN(last) ? length : last;
  if (start < 0) start += length;
  if (end < 0) end += length;
  start = Math.min(Math.max(Math.floor(start), 0), length);
  end = Math.min(Math.ceil(end), length);
  return [start, Math.max(end, start)];
}

const noSlice = "Array/string slice indices must be integers";

/** The bounds of the slice that an object is used as a key for; it must have both. */
function keyBounds(length: number, key: JsonObject, span?: Span): readonly [number, number] {
  if (!Object.hasOwn(key, "start") || !Object.hasOwn(key, "end")) return fail(noSlice, span);
  return sliceBounds(length, key.start!, key.end!, span);
}

/** `.[from:to]` */
export function slice(value: Json, from: Json, to: Json, span?: Span): Json {
  if (value === null) return null;
  if (isArray(value)) {
    const bounds = sliceBounds(value.length, from, to, span);
    countScan(bounds[1] - bounds[0]);
    countArray(bounds[1] - bounds[0]);
    return value.slice(...bounds);
  }
  if (typeof value === "string") {
    countText(value.length);
    const length = codePointLength(value);
    const bounds = sliceBounds(length, from, to, span);
    countMade(bytes.text);
    if (length === value.length) return value.slice(...bounds);
    countSteps(value.length);
    return value.slice(unitOf(value, bounds[0]), unitOf(value, bounds[1]));
  }
  return fail(`Cannot index ${typeName(value)} with object (${excerpt({ start: from, end: to })})`, span);
}

/** Where the code point with this number begins. */
function unitOf(text: string, codePoint: number): number {
  let at = 0;
  for (let left = codePoint; left > 0 && at < text.length; left--)
    at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return at;
}

/** The items of `.[]`, with their keys. */
export function entries(value: Json, span?: Span): Iterable<readonly [string | number, Json]> {
  if (isArray(value)) return value.entries();
  if (isObject(value)) return Object.entries(value);
  return fail(`Cannot iterate over ${typeName(value)} (${excerpt(value)})`, span);
}

export function values(value: Json, span?: Span): readonly Json[] {
  if (isArray(value)) return value;
  if (isObject(value)) {
    countCopy(value);
    return Object.values(value);
  }
  return fail(`Cannot iterate over ${typeName(value)} (${excerpt(value)})`, span);
}

/**
 * The value with what stands at the path replaced by what `change` makes of it; undefined if it makes nothing, and nothing is
 * changed then.
 *
 * @param owned what may be changed in place, as what earlier updates of the same value have made: see `Ownership`
 * @param top where the value lies in what that is of
 */
export function updatePath<Result extends Json | undefined>(
  value: Json,
  path: readonly Json[],
  change: (old: Json) => Result,
  span?: Span,
  owned?: Ownership,
  top = 0,
): Result | Json {
  if (path.length > 10_000) return fail("Path too deep", span);
  // Down along the path, then up again, without recursion.
  const parents: Json[] = [];
  let at = value;
  countWalk(path.length * 4);
  for (const key of path) {
    parents.push(at);
    at = index(at, key, span);
  }
  // Whoever changes it may keep it. What a slice has moved doesn't lie where the path says.
  if (owned !== undefined) {
    const slice = path.findIndex((key) => typeof key === "object");
    if (slice !== -1) owned.lose(top + slice);
    else if (typeof at === "object" && at !== null) owned.lose(top + path.length);
  }
  let result: Json | undefined = change(at);
  if (result === undefined) return result as Result;
  for (let depth = path.length - 1; depth >= 0; depth--) {
    result = setOwned(parents[depth]!, path[depth]!, result, span, owned, top + depth);
  }
  return result;
}

/** `setpath(path; item)`; `owned` as in `updatePath`. */
export function setPath(value: Json, path: Json, item: Json, span?: Span, owned?: Ownership, top = 0): Json {
  if (!isArray(path)) return fail("Path must be specified as an array", span);
  try {
    return updatePath(value, path, () => item, span, owned, top);
  } catch (error) {
    // On its way down jq empties each place, so that one that can't be set fails before what is below it.
    let at = value;
    for (const key of path) {
      const below = index(at, key, span);
      if (!isObject(key)) setIndex(at, key, null, span);
      at = below;
    }
    throw error;
  }
}

/** The container with another item at a key; itself if it is ours. */
function setOwned(
  container: Json,
  key: Json,
  item: Json,
  span: Span | undefined,
  owned: Ownership | undefined,
  depth: number,
): Json {
  if (owned === undefined) return setIndex(container, key, item, span);
  const result = setIndex(container, key, item, span, owned.has(container, depth));
  if (result !== container) owned.add(result, depth);
  return result;
}

/**
 * The value with another item at a key.
 *
 * @param isOurs whether nobody else has the value, so that it may be changed in place
 */
export function setIndex(value: Json, key: Json, item: Json, span?: Span, isOurs = false): Json {
  if (typeof key === "string" && (value === null || isObject(value))) {
    countText(key.length);
    if (isOurs) countMade(bytes.entry);
    else if (value !== null) countCopy(value);
    else countMade(bytes.object);
    const copy = isOurs ? (value as Record<string, Json>) : { ...value };
    setMember(copy, key, item);
    return copy;
  }
  if (typeof key === "number" && (value === null || isArray(value))) {
    if (Number.isNaN(key)) return fail("Cannot set array element at NaN index", span);
    const items = value === null ? [] : isOurs ? (value as Json[]) : [...value];
    let at = Math.trunc(key);
    if (at < 0) at += items.length;
    if (at < 0) return fail("Out of bounds negative array index", span);
    if (at > LARGEST_INDEX) return fail("Array index too large", span);
    if (at > items.length) countSize(at);
    const length = Math.max(at + 1, items.length);
    const added = isOurs ? length - items.length : length;
    countScan(added);
    if (value === null) countMade(bytes.growing);
    if (!isOurs || added > 0) countArray(added);
    while (items.length < at) items.push(null);
    items[at] = item;
    return items;
  }
  if (isObject(key) && (value === null || isArray(value))) {
    const items = value ?? [];
    const [start, end] = keyBounds(items.length, key, span);
    if (!isArray(item)) return fail("A slice of an array can only be assigned another array", span);
    countSize(items.length + item.length);
    countScan(items.length + item.length);
    countArray(items.length + item.length);
    return [...items.slice(0, start), ...item, ...items.slice(end)];
  }
  if (asExact(key) !== undefined) return setIndex(value, plain(key), item, span, isOurs);
  if (isObject(key) && typeof value === "string") return fail("Cannot update string slices", span);
  if (isArray(key) && isArray(value)) return fail("Cannot update field at array index of array", span);
  return fail(`Cannot index ${typeName(value)} with ${typeName(key)} (${excerpt(key)})`, span);
}

export function getPath(value: Json, path: readonly Json[], span?: Span): Json {
  if (path.length > 10_000) return fail("Path too deep", span);
  countWalk(path.length);
  let at = value;
  for (const key of path) at = index(at, key, span);
  return at;
}

/**
 * The value without what stands at the paths; all of them are looked up before anything is deleted.
 *
 * @param owned as in `updatePath`; each container on the way is copied once
 */
export function deletePaths(
  value: Json,
  paths: readonly Json[],
  span?: Span,
  owned: Ownership = new Ownership(),
  top = 0,
): Json {
  const keys = paths.toSorted(compare).map((path) => {
    if (!isArray(path)) return fail(`Path must be specified as array, not ${typeName(path)}`, span);
    return path.length > 10_000 ? fail("Path too deep", span) : path;
  });
  return deleteBelow(value, keys, 0, { span, owned, top });
}

interface Deletion {
  readonly span: Span | undefined;
  readonly owned: Ownership;
  readonly top: number;
}

/** Levels that paths are followed together, by recursion; further down each is followed alone. */
const SHARED_LEVELS = 500;

/** Deletes sorted paths that have the same first `depth` keys. */
function deleteBelow(
  value: Json,
  paths: readonly (readonly Json[])[],
  depth: number,
  deletion: Deletion,
): Json {
  if (paths.length === 0 || value === null) return value;
  if (paths[0]!.length === depth) return null;
  const { span, owned, top } = deletion;
  let result: Json = value;
  if (depth === SHARED_LEVELS) {
    owned.lose(top + depth);
    // From the last to the first, so that no deletion moves what others mean.
    for (const path of paths.toReversed()) result = deletePath(result, path.slice(depth), span);
    return result;
  }
  const here: Json[] = [];
  for (let from = 0; from < paths.length; ) {
    const key = paths[from]![depth]!;
    let to = from + 1;
    while (to < paths.length && equals(paths[to]![depth]!, key)) to++;
    if (paths[from]!.length === depth + 1) here.push(key);
    else {
      const inner = index(result, key, span);
      if (inner !== null) {
        if (typeof key === "object") owned.lose(top + depth);
        const rest = deleteBelow(inner, paths.slice(from, to), depth + 1, deletion);
        result = setOwned(result, key, rest, span, owned, top + depth);
        if (typeof key === "object") owned.lose(top + depth);
      }
    }
    from = to;
  }
  if (here.length === 0) return result;
  const kept = deleteKeys(result, here, span, owned.has(result, top + depth));
  if (kept !== result) owned.add(kept, top + depth);
  return kept;
}

function deletePath(value: Json, path: readonly Json[], span?: Span): Json {
  if (path.length === 0) return null;
  const parent = path.slice(0, -1);
  if (getPath(value, parent, span) === null) return value;
  return updatePath(value, parent, (old) => deleteKeys(old, path.slice(-1), span), span);
}

/** Members of an object that is ours from which it is copied without some, instead of losing them. */
const FEW = 8;

function deleteKeys(value: Json, keys: readonly Json[], span?: Span, isOurs = false): Json {
  if (isObject(value)) {
    const names = keys.map((key) =>
      typeof key === "string" ? key : fail(`Cannot delete ${typeName(key)} field of object`, span),
    );
    if (isOurs && names.length < FEW) {
      countSteps(names.length * 4);
      for (const name of names) delete (value as Record<string, Json>)[name];
      return value;
    }
    countCopy(value);
    const copy: Record<string, Json> = {};
    const gone = names.length < FEW ? undefined : new Set(names);
    for (const name of Object.keys(value)) {
      const isGone = gone === undefined ? names.includes(name) : gone.has(name);
      if (!isGone) setMember(copy, name, value[name]!);
    }
    return copy;
  }
  if (!isArray(value)) return fail(`Cannot delete fields from ${typeName(value)}`, span);
  countWalk(value.length + keys.length * 4);
  if (!isOurs) countArray(value.length);
  countArray(keys.length * 2);
  const gone = new Set<number>();
  for (const key of keys) {
    const number = doubleOf(key);
    if (number !== undefined) {
      const at = Math.trunc(number);
      gone.add(at < 0 ? at + value.length : at);
    } else if (isObject(key)) {
      const [start, end] = keyBounds(value.length, key, span);
      countArray((end - start) * 2);
      for (let at = start; at < end; at++) gone.add(at);
    } else return fail(`Cannot delete ${typeName(key)} element of array`, span);
  }
  if (!isOurs) return value.filter((_, at) => !gone.has(at));
  const items = value as Json[];
  let length = 0;
  for (let at = 0; at < items.length; at++) if (!gone.has(at)) items[length++] = items[at]!;
  items.length = length;
  return items;
}
