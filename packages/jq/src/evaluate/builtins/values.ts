import { builtins } from "../../builtins/index.ts";
import type { Json } from "../../json.ts";
import { deletePaths, getPath, index, indicesOfArray, updatePath, values } from "../access.ts";
import { fail, JqError, STEPS_OF_FAILURE } from "../error.ts";
import { doubleOf } from "../exact-number.ts";
import { formatText } from "../formats.ts";
import { bytes, countArray, countMade, countSize, countSort, countSteps, countText } from "../meter.ts";
import { length, split } from "../operators.ts";
import { parseJson, parseNumber } from "../parse-json.ts";
import {
  byteLength,
  compare,
  contains,
  described,
  equals,
  excerpt,
  isArray,
  isObject,
  jsonText,
  sortedKeys,
  textOf,
  typeName,
} from "../values.ts";
import type { ValueFunction } from "./contract.ts";

const builtinNames: Json = builtins
  .filter(({ name }) => !["null", "true", "false"].includes(name))
  .map(({ name, parameters }) => `${name}/${parameters.length}`);

/** Conversions, and what works on any kind of value. */
export const generalFunctions: Readonly<Record<string, ValueFunction>> = {
  "not/0": (input) => input === null || input === false,
  "type/0": (input) => typeName(input),
  "length/0": (input, _args, _machine, span) => length(input, span),
  "utf8bytelength/0": (input, _args, _machine, span) =>
    typeof input === "string"
      ? byteLength(input)
      : fail(`${described(input)} only strings have UTF-8 byte length`, span),
  "tostring/0": (input) => textOf(input),
  "tojson/0": (input) => jsonText(input),
  "fromjson/0": (input, _args, machine, span) =>
    typeof input === "string"
      ? parseJson(input, span, machine.exact)
      : fail(`${described(input)} only strings can be parsed`, span),
  "tonumber/0": (input, _args, machine, span) => {
    if (typeName(input) === "number") return input;
    const value = typeof input === "string" ? parseNumber(input, machine.exact) : undefined;
    return value ?? fail(`${described(input)} cannot be parsed as a number`, span);
  },
  "toboolean/0": (input, _args, _machine, span) => {
    if (typeof input === "boolean") return input;
    if (input === "true" || input === "false") return input === "true";
    return fail(`${described(input)} cannot be parsed as a boolean`, span);
  },
  "toarray/0": (input) => (isArray(input) ? input : [input]),
  "keys/0": (input, _args, _machine, span) =>
    keys(input, true) ?? fail(`${described(input)} has no keys`, span),
  "keys_unsorted/0": (input, _args, _machine, span) =>
    keys(input, false) ?? fail(`${described(input)} has no keys`, span),
  "has/1": (input, [key], _machine, span) => {
    if (input === null) return false;
    if (isObject(input) && typeof key === "string") {
      countText(key.length);
      return Object.hasOwn(input, key);
    }
    const at = doubleOf(key);
    if (isArray(input) && at !== undefined) return Math.trunc(at) >= 0 && Math.trunc(at) < input.length;
    return fail(`Cannot check whether ${typeName(input)} has a ${typeName(key!)} key`, span);
  },
  "contains/1": (input, [other], _machine, span) => {
    // For jq, true and false are of different kinds.
    const isSameKind = typeof input === "boolean" ? input === other : typeName(input) === typeName(other!);
    if (!isSameKind) {
      return fail(`${described(input)} and ${described(other!)} cannot have their containment checked`, span);
    }
    return contains(input, other!);
  },
  "getpath/1": (input, [path], _machine, span) =>
    isArray(path!) ? getPath(input, path, span) : fail("Path must be specified as an array", span),
  "setpath/2": (input, [path, value], _machine, span) =>
    isArray(path!)
      ? updatePath(input, path, () => value!, span)
      : fail("Path must be specified as an array", span),
  "delpaths/1": (input, [paths], _machine, span) =>
    isArray(paths!) ? deletePaths(input, paths, span) : fail("Paths must be specified as an array", span),
  "format/1": (input, [name], _machine, span) =>
    typeof name === "string"
      ? formatText(name, input, span)
      : fail(`${described(name!)} is not a valid format`, span),
  "error/0": (input, _args, _machine, span) => raise(input, span),
  "error/1": (_input, [value], _machine, span) => raise(value!, span),
  "builtins/0": () => builtinNames,
  "have_decnum/0": (_input, _args, machine) => machine.exact,
  "have_literal_numbers/0": () => true,
};

/** Arrays, and orderings. */
export const collectionFunctions: Readonly<Record<string, ValueFunction>> = {
  "sort/0": (input, _args, _machine, span) => sorted(sortable(input, span)),
  "unique/0": (input, _args, _machine, span) => unique(sorted(sortable(input, span))),
  "min/0": (input, _args, _machine, span) =>
    iterable(input, span).reduce<Json>(
      (least, item, at) => (at === 0 || compare(item, least) < 0 ? item : least),
      null,
    ),
  "max/0": (input, _args, _machine, span) =>
    iterable(input, span).reduce<Json>(
      (most, item, at) => (at === 0 || compare(item, most) >= 0 ? item : most),
      null,
    ),
  "reverse/0": (input, _args, _machine, span) => {
    if (isArray(input)) {
      countArray(input.length);
      return input.toReversed();
    }
    if (length(input, span) === 0) return [];
    // What is read first is the last item.
    return index(input, (length(input, span) as number) - 1, span);
  },
  // Of two texts.
  "_indices/1": (input, [wanted], machine, span) => indices(input, wanted!, machine, span),
  "indices/1": (input, [wanted], machine, span) => indices(input, wanted!, machine, span),
  "index/1": (input, [wanted], machine, span) => {
    const found = indices(input, wanted!, machine, span);
    return isArray(found) ? (found[0] ?? null) : index(found, 0, span);
  },
  "rindex/1": (input, [wanted], machine, span) => {
    const found = indices(input, wanted!, machine, span);
    return isArray(found) ? (found.at(-1) ?? null) : index(found, -1, span);
  },
  "transpose/0": (input, _args, _machine, span) => {
    const rows = values(input, span);
    // A number has a length too, which says nothing but that there is a column, in which it fails.
    const widths = rows.map((row) => doubleOf(length(row, span))!);
    const width = Math.ceil(widths.reduce((most, next) => Math.max(most, next), 0));
    countSize(width * rows.length);
    countSteps(width * (rows.length + 1));
    countMade(width * (bytes.array + (rows.length + 1) * bytes.item));
    return Array.from({ length: width }, (_, column) => rows.map((row) => index(row, column, span)));
  },
  "flatten/0": (input, _args, _machine, span) => flatten(input, Number.POSITIVE_INFINITY, span),
  "flatten/1": (input, [depth], _machine, span) => {
    if (compare(depth!, 0) < 0) return fail("flatten depth must not be negative", span);
    const levels = doubleOf(depth);
    // jq counts down to zero, which half a level never reaches.
    if (levels !== undefined)
      return flatten(input, Number.isInteger(levels) ? levels : Number.POSITIVE_INFINITY, span);
    const flat = flatten(input, 0, span) as readonly Json[];
    return flat.some(isArray) ? fail(`${described(depth!)} and number (1) cannot be subtracted`, span) : flat;
  },
  "bsearch/1": (input, [wanted], _machine, span) => {
    if (!isArray(input)) return fail(`${described(input)} cannot be searched from`, span);
    let low = 0;
    let high = input.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const order = compare(input[middle]!, wanted!);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1 - low;
  },
};

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
  "split/1": (input, [separator], _machine, span) =>
    typeof input === "string" && typeof separator === "string"
      ? split(input, separator)
      : fail("split input and separator must be strings", span),
};

/** Characters of a value in a message; the whole value is the error's. */
const LONG_MESSAGE = 10_000;

function raise(value: Json, span: Parameters<ValueFunction>[3]): never {
  countSteps(STEPS_OF_FAILURE);
  throw new JqError(
    "error",
    typeof value === "string" ? value : `${jsonText(value, { enough: LONG_MESSAGE })} (not a string)`,
    value,
    span,
  );
}

function keys(value: Json, sorted: boolean): Json | undefined {
  if (isArray(value)) {
    countArray(value.length);
    return value.map((_, at) => at);
  }
  if (!isObject(value)) return undefined;
  const names = sorted ? sortedKeys(value) : Object.keys(value);
  countSteps(names.length * (sorted ? 8 : 1));
  countArray(names.length);
  return names;
}

function sortable(value: Json, span: Parameters<ValueFunction>[3]): readonly Json[] {
  return isArray(value) ? value : fail(`${described(value)} cannot be sorted, as it is not an array`, span);
}

function iterable(value: Json, span: Parameters<ValueFunction>[3]): readonly Json[] {
  return isArray(value)
    ? value
    : fail(`${described(value)} and ${described(value)} cannot be iterated over`, span);
}

function sorted(items: readonly Json[]): readonly Json[] {
  countSort(items.length);
  return items.toSorted(compare);
}

function unique(sorted: readonly Json[]): readonly Json[] {
  return sorted.filter((item, at) => at === 0 || !equals(item, sorted[at - 1]!));
}

function indices(
  value: Json,
  wanted: Json,
  machine: Parameters<ValueFunction>[2],
  span: Parameters<ValueFunction>[3],
): Json {
  if (isArray(value)) return indicesOfArray(value, isArray(wanted) ? wanted : [wanted]);
  if (typeof value !== "string" || typeof wanted !== "string") return index(value, wanted, span);
  const found: number[] = [];
  if (wanted === "") return found;
  let codePoints = 0;
  let counted = 0;
  for (let at = value.indexOf(wanted); at !== -1; at = value.indexOf(wanted, at + 1)) {
    for (; counted < at; counted++) {
      const unit = value.charCodeAt(counted);
      // The second half of a pair was counted with the first.
      if (unit < 0xdc00 || unit > 0xdfff || counted === 0 || !isHigh(value.charCodeAt(counted - 1)))
        codePoints++;
    }
    found.push(codePoints);
    machine.tick(span);
    machine.makes(bytes.item, span);
  }
  return found;
}

/** A text is taken apart into its characters. */
function countCharacters(text: string): void {
  countSteps(text.length * 2);
  countMade(bytes.array + text.length * (bytes.item + bytes.text));
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function flatten(value: Json, depth: number, span: Parameters<ValueFunction>[3]): Json {
  const items = isObject(value) ? Object.values(value) : value;
  if (!isArray(items)) {
    return fail(`Cannot iterate over ${typeName(value)} (${excerpt(value)})`, span);
  }
  const out: Json[] = [];
  // The arrays that are being gone through: the outermost first.
  const stack = [{ items, next: 0 }];
  countSteps(1 + items.length);
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    if (top.next === top.items.length) {
      stack.pop();
      continue;
    }
    const item = top.items[top.next++]!;
    if (!isArray(item) || stack.length > depth) {
      out.push(item);
      countMade(bytes.item);
      continue;
    }
    countSteps(1 + item.length);
    stack.push({ items: item, next: 0 });
  }
  countSize(out.length);
  return out;
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
