import { escapeText } from "../format.ts";
import type { Json } from "../json.ts";
import { inChunks } from "./chunked-text.ts";
import { asExact } from "./exact-number.ts";
import { isArray, isObject, typeName } from "./kinds.ts";
import { bytes, countMade, countSize, countSteps } from "./meter.ts";
import { numberText } from "./number-text.ts";

const DEPTH_LIMIT = 10_000;
/** Of the engine; more can't be printed. */
const LONGEST_TEXT = 2 ** 29 - 24;
/** A list of all parts would take many times the memory of the text. */
const PARTS_AT_ONCE = 4096;

/**
 * A value as compact JSON text, as jq prints it; without recursion.
 *
 * @param limits characters after which the rest isn't wanted, and levels after which jq prints no more
 */
export function jsonText(value: Json, limits: { enough?: number; levels?: number } = {}): string {
  if (typeof value === "string") return `"${inChunks(value, escapeText)}"`;
  if (typeof value === "number") return numberText(value);
  if (value === null || typeof value === "boolean") return String(value);
  const { enough = Number.POSITIVE_INFINITY, levels = DEPTH_LIMIT } = limits;
  let out: string[] = [];
  let done = "";
  let length = 0;
  const write = (text: string): void => {
    out.push(text);
    length += text.length;
    if (out.length >= PARTS_AT_ONCE) join();
  };
  const join = (): void => {
    // Before memory runs out.
    if (length > LONGEST_TEXT) throw new RangeError("The text is longer than a string can be");
    countSize(length);
    countMade(bytes.text + (length - done.length) * bytes.character);
    done += out.join("");
    out = [];
  };
  const stack: Opened[] = [];
  const open = (item: Json): void => {
    if (stack.length > levels) write("<skipped: too deep>");
    else if (isArray(item)) {
      countSteps(1 + item.length * 2);
      write("[");
      stack.push({ items: item, keys: undefined, next: 0 });
    } else if (isObject(item)) {
      const keys = Object.keys(item);
      countSteps(1 + keys.length * 4);
      write("{");
      stack.push({ items: Object.values(item), keys, next: 0 });
    } else write(asExact(item)?.text ?? jsonText(item));
  };
  open(value);
  for (let top = stack.at(-1); top !== undefined && length < enough; top = stack.at(-1)) {
    const { items, keys, next } = top;
    if (next === items.length) {
      write(keys === undefined ? "]" : "}");
      stack.pop();
      continue;
    }
    if (next > 0) write(",");
    if (keys !== undefined) write(`"${escapeText(keys[next]!)}":`);
    top.next++;
    open(items[next]!);
  }
  join();
  return done;
}

/** An array or object that is being printed. */
interface Opened {
  readonly items: readonly Json[];
  readonly keys: readonly string[] | undefined;
  next: number;
}

export function textOf(value: Json): string {
  return typeof value === "string" ? value : jsonText(value);
}

const EXCERPT_BYTES = 29;

/** A value in an error message: its JSON text, at most 29 bytes long. */
export function excerpt(value: Json): string {
  // A character more than fits says that it doesn't.
  const text =
    typeof value === "string"
      ? jsonText(value.slice(0, EXCERPT_BYTES + 1))
      : jsonText(value, { enough: EXCERPT_BYTES + 1 });
  if (text.length * 3 <= EXCERPT_BYTES || byteLength(text) <= EXCERPT_BYTES) return text;
  // What was opened is closed.
  const end = typeof value === "string" ? '"' : isArray(value) ? "]" : isObject(value) ? "}" : "";
  let kept = "";
  let bytes = 3 + end.length;
  for (const character of text) {
    bytes += byteLength(character);
    if (bytes > EXCERPT_BYTES) break;
    kept += character;
  }
  return `${kept}...${end}`;
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
