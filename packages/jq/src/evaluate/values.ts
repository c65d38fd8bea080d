import { escapeText } from "../format.ts";
import type { Json, JsonObject } from "../json.ts";

export type TypeName = "null" | "boolean" | "number" | "string" | "array" | "object";

export function typeName(value: Json): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as TypeName;
}

export function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isTrue(value: Json): boolean {
  return value !== null && value !== false;
}

/** An object's own member; null if it has none. */
export function member(object: JsonObject, name: string): Json {
  return Object.hasOwn(object, name) ? object[name]! : null;
}

/** Sets a member of an object that is being built; safe for `__proto__`. */
export function setMember(object: Record<string, Json>, name: string, value: Json): void {
  if (name === "__proto__") {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  } else object[name] = value;
}

/** Orders texts by code points, as jq does; UTF-16 units differ from that above U+FFFF. */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const x = a.charCodeAt(index);
    const y = b.charCodeAt(index);
    if (x === y) continue;
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
  const rank = ranks[typeName(a)] + (a === true ? 1 : 0) - ranks[typeName(b)] - (b === true ? 1 : 0);
  if (rank !== 0) return rank;
  if (isArray(a) && isArray(b)) {
    const length = Math.min(a.length, b.length);
    for (let index = 0; index < length; index++) {
      const order = compare(a[index]!, b[index]!);
      if (order !== 0) return order;
    }
    return a.length - b.length;
  }
  if (isObject(a) && isObject(b)) {
    const keys = sortedKeys(a);
    const order = compare(keys, sortedKeys(b));
    if (order !== 0) return order;
    for (const key of keys) {
      const difference = compare(a[key]!, b[key]!);
      if (difference !== 0) return difference;
    }
  }
  return 0;
}

export function equals(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object") return false;
  return compare(a, b) === 0;
}

/** A number as jq prints it: 17 digits at most, exponents with two digits, nan as null. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return "null";
  if (value === Number.POSITIVE_INFINITY) return "1.7976931348623157e+308";
  if (value === Number.NEGATIVE_INFINITY) return "-1.7976931348623157e+308";
  if (Object.is(value, -0)) return "-0";
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const [mantissa, exponentText] = value.toExponential().split("e") as [string, string];
  const exponent = Number(exponentText);
  const negative = mantissa.startsWith("-");
  const digits = mantissa.replace("-", "").replace(".", "");
  const point = exponent + 1;
  let text: string;
  if (point <= -4 || point > digits.length + 15) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
    const size = String(Math.abs(exponent)).padStart(2, "0");
    text = `${digits[0]}${fraction}e${exponent < 0 ? "-" : "+"}${size}`;
  } else if (point <= 0) text = `0.${"0".repeat(-point)}${digits}`;
  else if (point >= digits.length) text = digits + "0".repeat(point - digits.length);
  else text = `${digits.slice(0, point)}.${digits.slice(point)}`;
  return negative ? `-${text}` : text;
}

const DEPTH_LIMIT = 10_000;

/** A value as compact JSON text, as jq prints it; without recursion. */
export function jsonText(value: Json): string {
  const out: string[] = [];
  const stack: { text?: string; value?: Json; depth: number }[] = [{ value, depth: 0 }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (top.text !== undefined) {
      out.push(top.text);
      continue;
    }
    const item = top.value!;
    if (typeof item === "number") out.push(numberText(item));
    else if (typeof item === "string") out.push(`"${escapeText(item)}"`);
    else if (item === null || typeof item === "boolean") out.push(String(item));
    else if (top.depth > DEPTH_LIMIT) out.push("<skipped: too deep>");
    else if (isArray(item)) {
      stack.push({ text: "]", depth: 0 });
      for (let index = item.length - 1; index >= 0; index--) {
        stack.push({ value: item[index]!, depth: top.depth + 1 });
        if (index > 0) stack.push({ text: ",", depth: 0 });
      }
      out.push("[");
    } else {
      stack.push({ text: "}", depth: 0 });
      const keys = Object.keys(item);
      for (let index = keys.length - 1; index >= 0; index--) {
        const key = keys[index]!;
        stack.push({ value: (item as JsonObject)[key]!, depth: top.depth + 1 });
        stack.push({ text: `${index > 0 ? "," : ""}"${escapeText(key)}":`, depth: 0 });
      }
      out.push("{");
    }
  }
  return out.join("");
}

export function textOf(value: Json): string {
  return typeof value === "string" ? value : jsonText(value);
}

const EXCERPT_BYTES = 29;

/** A value in an error message: its JSON text, at most 29 bytes long. */
export function excerpt(value: Json): string {
  const text = jsonText(value);
  if (text.length * 3 <= EXCERPT_BYTES || byteLength(text) <= EXCERPT_BYTES) return text;
  // What was opened is closed.
  const closed = typeof value === "string" || (typeof value === "object" && value !== null);
  const tail = closed ? `...${text.at(-1)}` : "...";
  let kept = "";
  let bytes = tail.length;
  for (const character of text) {
    bytes += byteLength(character);
    if (bytes > EXCERPT_BYTES) break;
    kept += character;
  }
  return kept + tail;
}

/** `number (1)`: a value in an error message, with its type. */
export function described(value: Json): string {
  return `${typeName(value)} (${excerpt(value)})`;
}

export function byteLength(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit <= 0xdbff && isLow(text.charCodeAt(index + 1))) {
      bytes += 4;
      index++;
    } else bytes += 3;
  }
  return bytes;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Code points of a text; its length in jq. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff && isLow(text.charCodeAt(index + 1))) {
      length--;
      index++;
    }
  }
  return length;
}
