import type { Json } from "../../json.ts";
import { values } from "../access.ts";
import { fail } from "../error.ts";
import { doubleOf } from "../exact-number.ts";
import { bytes, countArray, countMade, countSteps } from "../meter.ts";
import { add, split } from "../operators.ts";
import { described, isArray, jsonText, typeName } from "../values.ts";
import type { ValueFunction } from "./contract.ts";

/** Texts. */
export const stringFunctions: Readonly<Record<string, ValueFunction>> = {
  "ascii_downcase/0": (input, _args, _machine, span) =>
    typeof input === "string"
      ? inAscii(input, /[A-Z]+/g, (letters) => letters.toLowerCase())
      : fail("explode input must be a string", span),
  "ascii_upcase/0": (input, _args, _machine, span) =>
    typeof input === "string"
      ? inAscii(input, /[a-z]+/g, (letters) => letters.toUpperCase())
      : fail("explode input must be a string", span),
  "explode/0": (input, _args, _machine, span) => {
    if (typeof input !== "string") return fail("explode input must be a string", span);
    countCharacters(input);
    return Array.from(input, (character) => character.codePointAt(0)!);
  },
  "implode/0": (input, _args, _machine, span) => {
    if (!isArray(input)) return fail("implode input must be an array", span);
    countSteps(input.length * 4);
    countArray(input.length * 2);
    return input
      .map((code) => {
        const number = doubleOf(code);
        if (number === undefined || Number.isNaN(number)) {
          return fail(`${described(code)} can't be imploded, unicode codepoint needs to be numeric`, span);
        }
        const whole = Math.trunc(number);
        const valid = whole >= 0 && whole <= 0x10ffff && (whole < 0xd800 || whole > 0xdfff);
        return String.fromCodePoint(valid ? whole : 0xfffd);
      })
      .join("");
  },
  "ascii/0": (input, _args, _machine, span) => {
    const code = doubleOf(input);
    return code !== undefined && code >= 0 && code < 128
      ? String.fromCharCode(code)
      : fail(`${described(input)} is not the code of an ASCII character`, span);
  },
  "startswith/1": (input, [prefix], _machine, span) =>
    typeof input === "string" && typeof prefix === "string"
      ? input.startsWith(prefix)
      : fail("startswith() requires string inputs", span),
  "endswith/1": (input, [suffix], _machine, span) =>
    typeof input === "string" && typeof suffix === "string"
      ? input.endsWith(suffix)
      : fail("endswith() requires string inputs", span),
  "ltrimstr/1": (input, [prefix], _machine, span) => {
    if (typeof input !== "string" || typeof prefix !== "string") {
      return fail("startswith() requires string inputs", span);
    }
    return input.startsWith(prefix) ? input.slice(prefix.length) : input;
  },
  "rtrimstr/1": (input, [suffix], _machine, span) => {
    if (typeof input !== "string" || typeof suffix !== "string") {
      return fail("endswith() requires string inputs", span);
    }
    return input.endsWith(suffix) ? input.slice(0, input.length - suffix.length) : input;
  },
  "trimstr/1": (input, [affix], _machine, span) => {
    if (typeof input !== "string" || typeof affix !== "string") {
      return fail("startswith() requires string inputs", span);
    }
    const start = input.startsWith(affix) ? input.slice(affix.length) : input;
    return start.endsWith(affix) ? start.slice(0, start.length - affix.length) : start;
  },
  "trim/0": (input, _args, _machine, span) => trimmed(input, true, true, span),
  "ltrim/0": (input, _args, _machine, span) => trimmed(input, true, false, span),
  "rtrim/0": (input, _args, _machine, span) => trimmed(input, false, true, span),
  "join/1": (input, [separator], machine, span) => {
    let text: Json = null;
    for (const item of values(input, span)) {
      machine.tick(span);
      const before: Json = text === null ? "" : add(text, separator!, machine, span);
      text = add(before, joinable(item), machine, span);
    }
    return text ?? "";
  },
  "split/1": (input, [separator], _machine, span) =>
    typeof input === "string" && typeof separator === "string"
      ? split(input, separator)
      : fail("split input and separator must be strings", span),
};

/** A text is taken apart into its characters. */
function countCharacters(text: string): void {
  countSteps(text.length * 2);
  countMade(bytes.array + text.length * (bytes.item + bytes.text));
}

/** Converts ASCII letters only; where there are no others, the whole text at once. */
function inAscii(text: string, letters: RegExp, convert: (text: string) => string): string {
  return /^[\0-\x7f]*$/.test(text) ? convert(text) : text.replace(letters, convert);
}

/** What jq takes for blank: Unicode's white space. */
const blankStart = /^[\s\u0085]+/u;
const blank = /[\s\u0085]/u;

function isBlank(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit > 0x20 && unit < 0x7f) return false;
  return unit === 0x20 || blank.test(text[at]!);
}

function trimmed(value: Json, start: boolean, end: boolean, span: Parameters<ValueFunction>[3]): Json {
  if (typeof value !== "string") return fail("trim input must be a string", span);
  let text = start ? value.replace(blankStart, "") : value;
  if (!end) return text;
  let length = text.length;
  while (length > 0 && isBlank(text, length - 1)) length--;
  text = text.slice(0, length);
  return text;
}

/** What stands for an item where a text is joined of them; structures fail there. */
function joinable(item: Json): Json {
  if (item === null) return "";
  const kind = typeName(item);
  return kind === "number" || kind === "boolean" ? jsonText(item) : item;
}
