import type { Json, JsonObject } from "../json.ts";
import { fail } from "./error.ts";
import { asExact, doubleOf, writtenExactly } from "./exact-number.ts";
import { isArray, isObject, type TypeName, typeName } from "./kinds.ts";
import { countSteps, countText, countWalk } from "./meter.ts";

/** Levels below the top that jq compares. */
const DEPTH_LIMIT = 10_000;
/** Levels that are compared by recursion; what lies deeper is compared without, more slowly. */
const RECURSION = 64;

/** Orders texts by code points, as jq does; UTF-16 units differ from that above U+FFFF. */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const x = a.charCodeAt(index);
    const y = b.charCodeAt(index);
    if (x === y) continue;
    if (index > 15) countText(index);
    const xHigh = x >= 0xd800 && x <= 0xdfff;
    const yHigh = y >= 0xd800 && y <= 0xdfff;
    if (xHigh !== yHigh) return xHigh ? 1 : -1;
    return x - y;
  }
  return a.length - b.length;
}

export function sortedKeys(object: JsonObject): string[] {
  return Object.keys(object).sort(compareStrings);
}

const ranks: Readonly<Record<TypeName, number>> = {
  null: 0,
  boolean: 1,
  number: 3,
  string: 4,
  array: 5,
  object: 6,
};

/** jq's total order: null, false, true, numbers, strings, arrays, objects. nan is below every number. */
export function compare(a: Json, b: Json): number {
  if (typeof a === "number" && typeof b === "number") {
    // nan < nan holds in jq.
    if (Number.isNaN(a)) return -1;
    return a < b ? -1 : a === b ? 0 : 1;
  }
  if (typeof a === "string" && typeof b === "string") return a === b ? 0 : compareStrings(a, b);
  return compareAt(a, b, 0);
}

/** The order of two values without a look inside them; 0 if that must decide. */
function shallowOrder(a: Json, b: Json): number {
  if (typeof a === "number" && typeof b === "number") return compare(a, b);
  if (typeof a === "string" && typeof b === "string") return a === b ? 0 : compareStrings(a, b);
  const rank = ranks[typeName(a)] + (a === true ? 1 : 0) - ranks[typeName(b)] - (b === true ? 1 : 0);
  return rank === 0 && typeName(a) === "number" ? compareNumbers(a, b) : rank;
}

/**
 * Two exact numbers have an exact order; the results of arithmetic are doubles, and so is what they are
 * compared with, as in jq.
 */
function compareNumbers(a: Json, b: Json): number {
  const order = compare(doubleOf(a)!, doubleOf(b)!);
  if (order !== 0) return order;
  const exact = asExact(a) ?? writtenExactly(a as number);
  const other = asExact(b) ?? writtenExactly(b as number);
  return exact === undefined || other === undefined ? 0 : exact.compareTo(other);
}

function compareAt(a: Json, b: Json, depth: number): number {
  const order = shallowOrder(a, b);
  if (order !== 0 || typeof a !== "object" || a === null || b === null) return order;
  if (depth === RECURSION) return compareDeeply(a, b, depth);
  if (isArray(a) && isArray(b)) {
    const length = Math.min(a.length, b.length);
    countSteps(1 + length);
    for (let index = 0; index < length; index++) {
      const difference = compareAt(a[index]!, b[index]!, depth + 1);
      if (difference !== 0) return difference;
    }
    return a.length - b.length;
  }
  if (isObject(a) && isObject(b)) {
    const keys = sortedKeys(a);
    countSteps(keys.length * 8);
    const difference = compareAt(keys, sortedKeys(b), 0);
    if (difference !== 0) return difference;
    for (const key of keys) {
      const inner = compareAt(a[key]!, b[key]!, depth + 1);
      if (inner !== 0) return inner;
    }
  }
  return 0;
}

/** A pair that is still to be compared; `otherwise` is the order if nothing before decides. */
interface Pair {
  readonly a: Json;
  readonly b: Json;
  readonly depth: number;
  readonly otherwise: number;
}

/** As `compareAt`, without recursion. */
function compareDeeply(first: Json, second: Json, start: number): number {
  const stack: Pair[] = [{ a: first, b: second, depth: start, otherwise: 0 }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { a, b, depth, otherwise } = top;
    if (otherwise !== 0) return otherwise;
    if (depth > DEPTH_LIMIT) return fail("Comparison too deep");
    const order = shallowOrder(a, b);
    if (order !== 0) return order;
    countSteps(4);
    if (isArray(a) && isArray(b)) {
      const length = Math.min(a.length, b.length);
      stack.push({ a, b, depth, otherwise: a.length - b.length });
      if (a.length === b.length) stack.pop();
      for (let at = length - 1; at >= 0; at--) {
        stack.push({ a: a[at]!, b: b[at]!, depth: depth + 1, otherwise: 0 });
      }
    } else if (isObject(a) && isObject(b)) {
      const keys = sortedKeys(a);
      const difference = compareAt(keys, sortedKeys(b), 0);
      if (difference !== 0) return difference;
      for (const key of keys.reverse()) {
        stack.push({ a: a[key]!, b: b[key]!, depth: depth + 1, otherwise: 0 });
      }
    }
  }
  return 0;
}

export function equals(a: Json, b: Json): boolean {
  if (typeof a === "string" && typeof b === "string") {
    // Texts of the same length are compared character by character.
    if (a.length > 15 && a.length === b.length) countText(a.length);
    return a === b;
  }
  if (a === b) return true;
  if (typeof a !== "object" && typeof b !== "object") return false;
  return a !== null && b !== null && equalsAt(a, b, 0);
}

function equalsAt(a: Json, b: Json, depth: number): boolean {
  if (a === b) return true;
  if (isArray(a)) {
    if (!isArray(b) || a.length !== b.length) return false;
    if (depth === RECURSION) return equalsDeeply(a, b, depth);
    countSteps(1 + a.length);
    for (let at = 0; at < a.length; at++) if (!equalsAt(a[at]!, b[at]!, depth + 1)) return false;
    return true;
  }
  if (isObject(a)) {
    if (!isObject(b)) return false;
    if (depth === RECURSION) return equalsDeeply(a, b, depth);
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    countSteps(1 + keys.length * 3);
    for (const key of keys) {
      if (!Object.hasOwn(b, key) || !equalsAt(a[key]!, b[key]!, depth + 1)) return false;
    }
    return true;
  }
  return (
    typeof a !== "string" &&
    typeName(a) === "number" &&
    typeName(b) === "number" &&
    compareNumbers(a, b) === 0
  );
}

/** As `equalsAt`, without recursion. */
function equalsDeeply(first: Json, second: Json, start: number): boolean {
  const stack: (readonly [Json, Json, number])[] = [[first, second, start]];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [a, b, depth] = top;
    if (depth > DEPTH_LIMIT) return fail("Equality check too deep");
    if (a === b) continue;
    countSteps(4);
    if (isArray(a)) {
      if (!isArray(b) || a.length !== b.length) return false;
      for (let at = a.length - 1; at >= 0; at--) stack.push([a[at]!, b[at]!, depth + 1]);
    } else if (isObject(a)) {
      const keys = Object.keys(a);
      if (!isObject(b) || keys.length !== Object.keys(b).length) return false;
      for (const key of keys.reverse()) {
        if (!Object.hasOwn(b, key)) return false;
        stack.push([a[key]!, b[key]!, depth + 1]);
      }
    } else if (!equalsAt(a, b, 0)) return false;
  }
  return true;
}

/** What remains of one containment: all parts must be found. */
interface Search {
  /** For a part's position, what may contain it. */
  readonly candidates: (part: number) => readonly Json[];
  readonly parts: readonly Json[];
  part: number;
  candidate: number;
}

/**
 * Whether a value contains another: substrings, items of which one contains the wanted one, members that
 * contain the wanted one's. Different kinds are compared.
 */
export function contains(whole: Json, wanted: Json): boolean {
  return containsAt(whole, wanted, 0);
}

function containsAt(whole: Json, wanted: Json, depth: number): boolean {
  if (typeof whole === "string" && typeof wanted === "string") {
    countText(whole.length);
    return whole.includes(wanted);
  }
  if (isArray(whole) && isArray(wanted)) {
    if (depth === RECURSION) return containsDeeply(whole, wanted, depth);
    return wanted.every((part) => {
      countSteps(1 + whole.length);
      return whole.some((item) => containsAt(item, part, depth + 1));
    });
  }
  if (isObject(whole) && isObject(wanted)) {
    if (depth === RECURSION) return containsDeeply(whole, wanted, depth);
    const keys = Object.keys(wanted);
    countWalk(keys.length);
    for (const key of keys) {
      if (!Object.hasOwn(whole, key) || !containsAt(whole[key]!, wanted[key]!, depth + 1)) return false;
    }
    return true;
  }
  return equals(whole, wanted);
}

/** As `containsAt`, without recursion. */
function containsDeeply(whole: Json, wanted: Json, start: number): boolean {
  const searches: Search[] = [];
  // A question is either answered at once or becomes a search on the stack.
  const ask = (value: Json, part: Json): boolean | undefined => {
    if (start + searches.length > DEPTH_LIMIT) return fail("Containment check too deep");
    if (typeof value === "string" && typeof part === "string") return containsAt(value, part, 0);
    if (isArray(value) && isArray(part)) {
      searches.push({ candidates: () => value, parts: part, part: 0, candidate: 0 });
    } else if (isObject(value) && isObject(part)) {
      const keys = Object.keys(part);
      const candidates = (at: number): readonly Json[] => {
        const key = keys[at]!;
        return Object.hasOwn(value, key) ? [value[key]!] : [];
      };
      searches.push({ candidates, parts: keys.map((key) => part[key]!), part: 0, candidate: 0 });
    } else return equals(value, part);
    return undefined;
  };
  let answer = ask(whole, wanted);
  for (;;) {
    countSteps(4);
    const search = searches.at(-1);
    if (search === undefined) return answer ?? true;
    if (answer === true) {
      search.part++;
      search.candidate = 0;
    } else if (answer === false) search.candidate++;
    answer = undefined;
    if (search.part === search.parts.length) answer = true;
    else {
      const candidates = search.candidates(search.part);
      if (search.candidate < candidates.length) {
        answer = ask(candidates[search.candidate]!, search.parts[search.part]!);
        continue;
      }
      answer = false;
    }
    searches.pop();
  }
}
