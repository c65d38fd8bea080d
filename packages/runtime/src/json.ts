import { ExactNumber, type Json, type JsonObject, parseExact, printExact } from "@configc/jq";
import { jsonCost } from "./memory/json-cost.ts";

/** The number that keeps its digits, if a value is one; `Json` doesn't tell. */
export function asExact(value: unknown): ExactNumber | undefined {
  return value instanceof ExactNumber ? value : undefined;
}

/** A number to reckon with, however it is kept; undefined for anything else. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const exact = asExact(value);
  return exact === undefined ? undefined : Number(exact.text);
}

export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/** What an array or object is called in a message; undefined for scalars. */
export function structureName(value: Json): "array" | "object" | undefined {
  if (Array.isArray(value)) return "array";
  return isObject(value) ? "object" : undefined;
}

/** An own member; undefined if there is none. Maps have no prototype. */
export function ownMember(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Sets a member of an object that is being built; `__proto__` is a name like any other. */
export function setOwn(object: Record<string, Json>, name: string, value: Json): void {
  if (name === "__proto__")
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}

/** Compact JSON text; numbers as they were read, and what is larger than any as jq writes it. */
export function jsonText(value: Json): string {
  // The engine's own writer is many times faster, but it knows no exact numbers, nothing infinite, and not every depth.
  if (!hasUnusual(value)) {
    try {
      return JSON.stringify(value);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return printExact(value);
}

/** Whether there is a number that the engine's own writer would lose. */
function hasUnusual(value: Json): boolean {
  if (isInfinite(value)) return true;
  const waiting: Json[] = [value];
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    if (typeof item !== "object" || item === null) continue;
    if (item instanceof ExactNumber) return true;
    for (const inner of Array.isArray(item) ? (item as readonly Json[]) : Object.values(item)) {
      if (typeof inner === "object" && inner !== null) waiting.push(inner);
      else if (isInfinite(inner)) return true;
    }
  }
  return false;
}

function isInfinite(value: Json): boolean {
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
}

/** Digits in a row that a double may not keep. */
const MANY_DIGITS = 16;

/** Whether there are so many digits in a row. One of them stands at every sixteenth place, so only those are looked at. */
function hasManyDigits(text: string): boolean {
  for (let at = MANY_DIGITS - 1; at < text.length; at += MANY_DIGITS) {
    if (!isDigit(text, at)) continue;
    let from = at;
    let to = at;
    while (at - from < MANY_DIGITS && isDigit(text, from - 1)) from--;
    while (to - from < MANY_DIGITS && isDigit(text, to + 1)) to++;
    if (to - from + 1 >= MANY_DIGITS) return true;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** Bytes of memory that `parseJson` needs at most for a text, and its value then. Our own reader needs more than the engine's. */
export function parseCost(text: string): number {
  const cost = jsonCost(text);
  return hasManyDigits(text) ? 3 * cost + 6 * text.length : cost;
}

/**
 * Reads JSON; numbers keep all their digits.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): Json {
  return hasManyDigits(text) ? parseExact(text) : (JSON.parse(text) as Json);
}
