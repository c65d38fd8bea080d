import type { Json, JsonObject } from "../json.ts";
import type { ArithmeticOperator, ComparisonOperator, Span } from "../syntax-tree.ts";
import { fail } from "./error.ts";
import { asExact, doubleOf, plain } from "./exact-number.ts";
import type { Machine } from "./machine.ts";
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
import type { Ownership } from "./ownership.ts";
import {
  codePointLength,
  compare,
  described,
  equals,
  isArray,
  isObject,
  member,
  setMember,
} from "./values.ts";

type Test = (a: Json, b: Json) => boolean;

/** Of numbers that aren't nan; whether they are equal, of all that has no parts. */
export const tests: Readonly<Record<ComparisonOperator, Test>> = {
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a! < b!,
  "<=": (a, b) => a! <= b!,
  ">": (a, b) => a! > b!,
  ">=": (a, b) => a! >= b!,
};

export function comparison(operator: ComparisonOperator): Test {
  const test = tests[operator];
  if (operator === "==" || operator === "!=") return (a, b) => test(equals(a, b), true);
  return (a, b) => test(compare(a, b), 0);
}

type BinaryOperation = (a: Json, b: Json, machine: Machine, span: Span) => Json;

export const arithmeticOperations: Readonly<Record<ArithmeticOperator, BinaryOperation>> = {
  "+": add,
  "-": subtract,
  "*": multiply,
  "/": divide,
  "%": remainder,
};

export function add(a: Json, b: Json, machine: Machine, span: Span): Json {
  if (typeof a === "number" && typeof b === "number") return a + b;
  if (typeof a === "string" && typeof b === "string") {
    machine.charge(a.length + b.length, span);
    // Long texts are joined only when they are read.
    machine.makes(bytes.text, span);
    return a + b;
  }
  if (a === null) return b;
  if (b === null) return a;
  if (isArray(a) && isArray(b)) {
    machine.charge(a.length + b.length, span);
    machine.makes(bytes.array + (a.length + b.length) * bytes.slot, span);
    countScan(a.length + b.length);
    return [...a, ...b];
  }
  if (isObject(a) && isObject(b)) {
    countCopy(a);
    countCopy(b);
    return { ...a, ...b };
  }
  if (areNumbers(a, b)) return add(plain(a), plain(b), machine, span);
  return fail(`${described(a)} and ${described(b)} cannot be added`, span);
}

/**
 * Adds to an array or object that nobody else has.
 *
 * @returns whether the two can be added so; else nothing has been changed
 */
export function addInPlace(sum: Json, more: Json, machine: Machine, span: Span): boolean {
  if (isArray(sum) && isArray(more)) {
    machine.charge(sum.length + more.length, span);
    machine.makes(more.length * bytes.item, span);
    countScan(more.length);
    for (const item of more) (sum as Json[]).push(item);
    return true;
  }
  if (!isObject(sum) || !isObject(more)) return false;
  const names = Object.keys(more);
  machine.makes(names.length * bytes.entry, span);
  countSteps(names.length * 4);
  for (const name of names) setMember(sum as Record<string, Json>, name, more[name]!);
  return true;
}

/** The sum of values that are given one by one. */
export function summing(machine: Machine, span: Span): { add(value: Json): void; result(): Json } {
  let sum: Json = null;
  let isOurs = false;
  return {
    add(value) {
      if (isOurs && addInPlace(sum, value, machine, span)) return;
      const next = add(sum, value, machine, span);
      isOurs = typeof next === "object" && next !== sum && next !== value;
      sum = next;
    },
    result: () => sum,
  };
}

/** Whether exact numbers are among two numbers: arithmetic is done on their doubles. */
function areNumbers(a: Json, b: Json): boolean {
  return doubleOf(a) !== undefined && doubleOf(b) !== undefined;
}

function isText(value: Json): value is string {
  return typeof value === "string";
}

function subtract(a: Json, b: Json, machine: Machine, span: Span): Json {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (isArray(a) && isArray(b)) {
    countArray(a.length);
    return a.filter((item) => {
      countWalk(b.length * 2);
      return !b.some((other) => equals(item, other));
    });
  }
  if (areNumbers(a, b)) return subtract(plain(a), plain(b), machine, span);
  return fail(`${described(a)} and ${described(b)} cannot be subtracted`, span);
}

function multiply(a: Json, b: Json, machine: Machine, span: Span): Json {
  if (typeof a === "number" && typeof b === "number") return a * b;
  if (typeof a === "string" && typeof b === "number") return repeat(a, b, machine, span);
  if (typeof a === "number" && typeof b === "string") return repeat(b, a, machine, span);
  if (isObject(a) && isObject(b)) return merge(a, b, span);
  if (areNumbers(a, b) || (isText(a) && asExact(b)) || (isText(b) && asExact(a))) {
    return multiply(plain(a), plain(b), machine, span);
  }
  return fail(`${described(a)} and ${described(b)} cannot be multiplied`, span);
}

/** Characters; jq counts bytes. What is shorter, and still too long for a run, is a matter of its budget. */
const LONGEST_REPETITION = 2 ** 31 - 1;

function repeat(text: string, count: number, machine: Machine, span: Span): Json {
  if (Number.isNaN(count) || count < 0) return null;
  if (text === "") return "";
  const times = Math.floor(count);
  if (text.length * times >= LONGEST_REPETITION) return fail("Repeat string result too long", span);
  machine.charge(text.length * times, span);
  machine.makes(bytes.text + text.length * times * bytes.character, span);
  return times === 0 ? "" : text.repeat(times);
}

const DEPTH_LIMIT = 10_000;

/**
 * Recursive merge, without recursion over the depth of the values.
 *
 * @param owned what may be changed in place: see `Ownership`
 * @param top where the first object lies in what that is of
 */
export function merge(a: JsonObject, b: JsonObject, span: Span, owned?: Ownership, top = 0): Json {
  const ours = (object: JsonObject, depth: number): Record<string, Json> => {
    if (owned?.has(object, top + depth) === true) return object as Record<string, Json>;
    countCopy(object);
    const copy = { ...object };
    owned?.add(copy, top + depth);
    return copy;
  };
  const result = ours(a, 0);
  const work: [Record<string, Json>, JsonObject, number][] = [[result, b, 0]];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const [target, source, depth] = next;
    if (depth > DEPTH_LIMIT) return fail("Object merge too deep", span);
    const entries = Object.entries(source);
    countWalk(entries.length);
    countMade(entries.length * bytes.entry);
    for (const [key, value] of entries) {
      const old = member(target, key);
      if (isObject(old) && isObject(value)) {
        const copy = ours(old, depth + 1);
        setMember(target, key, copy);
        work.push([copy, value, depth + 1]);
      } else setMember(target, key, value);
    }
  }
  return result;
}

function divide(a: Json, b: Json, machine: Machine, span: Span): Json {
  if (typeof a === "number" && typeof b === "number") {
    if (b === 0)
      return fail(`${described(a)} and ${described(b)} cannot be divided because the divisor is zero`, span);
    return a / b;
  }
  if (typeof a === "string" && typeof b === "string") return split(a, b);
  if (areNumbers(a, b)) return divide(plain(a), plain(b), machine, span);
  return fail(`${described(a)} and ${described(b)} cannot be divided`, span);
}

export function split(text: string, separator: string): Json {
  if (text === "") return [];
  countParts(text, separator);
  return separator === "" ? [...text] : text.split(separator);
}

/** Counts the parts that a long text will have before it is split. */
function countParts(text: string, separator: string): void {
  if (text.length < 100) return countMade(text.length * (bytes.item + bytes.text));
  let parts = 1;
  if (separator === "") parts = text.length;
  else
    for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, at + separator.length))
      parts++;
  countSize(parts);
  countMade(bytes.array + parts * (bytes.item + bytes.text));
  countWalk(parts * 4);
}

function remainder(a: Json, b: Json, machine: Machine, span: Span): Json {
  if (typeof a !== "number" || typeof b !== "number") {
    if (areNumbers(a, b)) return remainder(plain(a), plain(b), machine, span);
    return fail(`${described(a)} and ${described(b)} cannot be divided (remainder)`, span);
  }
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN;
  const divisor = toInteger(b);
  if (divisor === 0) {
    return fail(
      `${described(a)} and ${described(b)} cannot be divided (remainder) because the divisor is zero`,
      span,
    );
  }
  const dividend = toInteger(a);
  const limit = 2 ** 53;
  if (Math.abs(dividend) < limit && Math.abs(divisor) < limit) return (dividend % divisor) + 0;
  return Number(toInteger64(dividend) % toInteger64(divisor));
}

/** Cut to a whole number, without the sign of a zero. */
function toInteger(value: number): number {
  return Math.trunc(value) + 0;
}

const LARGEST_INTEGER = 2n ** 63n - 1n;

/** What doesn't fit into 64 bits becomes the largest or smallest number that does. */
function toInteger64(value: number): bigint {
  if (value >= 2 ** 63) return LARGEST_INTEGER;
  return value < -(2 ** 63) ? -LARGEST_INTEGER - 1n : BigInt(value);
}

/** Zero stays without a sign, as it does in jq unless it was computed. */
export function negate(value: Json, span: Span): Json {
  if (typeof value === "number") return 0 - value;
  const exact = asExact(value);
  if (exact === undefined) return fail(`${described(value)} cannot be negated`, span);
  return exact.negated() as unknown as Json;
}

/** Without its sign; what jq orders before 0 is negated, and only numbers can be. */
export function absolute(value: Json, span: Span): Json {
  if (typeof value === "number") return value < 0 ? -value : value;
  return compare(value, 0) < 0 ? negate(value, span) : value;
}

export function length(value: Json, span: Span): Json {
  if (value === null) return 0;
  if (typeof value === "string") {
    countText(value.length);
    return codePointLength(value);
  }
  if (typeof value === "number") return Math.abs(value);
  if (isArray(value)) return value.length;
  if (isObject(value)) return Object.keys(value).length;
  if (asExact(value) !== undefined) return absolute(value, span);
  return fail(`${described(value)} has no length`, span);
}
