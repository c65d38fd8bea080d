import type { Json } from "../../json.ts";
import { deletePaths, getPath, setPath } from "../access.ts";
import { fail } from "../error.ts";
import { doubleOf } from "../exact-number.ts";
import { formatText } from "../formats.ts";
import { countArray, countSteps, countText } from "../meter.ts";
import { length } from "../operators.ts";
import { JsonSyntaxError, parseJson, parseNumber } from "../parse-json.ts";
import {
  byteLength,
  contains,
  described,
  isArray,
  isObject,
  jsonText,
  sortedKeys,
  textOf,
  typeName,
} from "../values.ts";
import { type Attempted, throwing, type ValueFunction } from "./contract.ts";

/** What programs try out: whether a text is a number, whether a value has keys. */
export const attempted: Readonly<Record<string, Attempted>> = {
  "tonumber/0": (input, _args, machine, span) => {
    if (typeName(input) === "number") return input;
    const value = typeof input === "string" ? parseNumber(input, machine.exact) : undefined;
    return value ?? machine.fails(() => `${described(input)} cannot be parsed as a number`, span);
  },
  "toboolean/0": (input, _args, machine, span) => {
    if (typeof input === "boolean") return input;
    if (input === "true" || input === "false") return input === "true";
    return machine.fails(() => `${described(input)} cannot be parsed as a boolean`, span);
  },
  "keys/0": (input, _args, machine, span) =>
    keys(input, true) ?? machine.fails(() => `${described(input)} has no keys`, span),
  "keys_unsorted/0": (input, _args, machine, span) =>
    keys(input, false) ?? machine.fails(() => `${described(input)} has no keys`, span),
  "length/0": (input, _args, machine, span) =>
    typeof input === "boolean"
      ? machine.fails(() => `${described(input)} has no length`, span)
      : length(input, span),
  "fromjson/0": (input, _args, machine, span) => {
    if (typeof input !== "string")
      return machine.fails(() => `${described(input)} only strings can be parsed`, span);
    const value = parseJson(input, machine.exact);
    return value instanceof JsonSyntaxError
      ? machine.fails(() => `${value.message} (while parsing '${input}')`, span)
      : value;
  },
  "error/0": (input, _args, machine, span) => machine.fails(input, span),
  "error/1": (_input, [value], machine, span) => machine.fails(value!, span),
};

/** Conversions, and what works on any kind of value. */
export const generalFunctions: Readonly<Record<string, ValueFunction>> = {
  ...Object.fromEntries(Object.entries(attempted).map(([key, each]) => [key, throwing(each)])),
  "not/0": (input) => input === null || input === false,
  "type/0": (input) => typeName(input),
  "utf8bytelength/0": (input, _args, _machine, span) =>
    typeof input === "string"
      ? byteLength(input)
      : fail(`${described(input)} only strings have UTF-8 byte length`, span),
  "tostring/0": (input) => textOf(input),
  "tojson/0": (input) => jsonText(input),
  "toarray/0": (input) => (isArray(input) ? input : [input]),
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
  "setpath/2": (input, [path, value], _machine, span) => setPath(input, path!, value!, span),
  "delpaths/1": (input, [paths], _machine, span) =>
    isArray(paths!) ? deletePaths(input, paths, span) : fail("Paths must be specified as an array", span),
  "format/1": (input, [name], _machine, span) =>
    typeof name === "string"
      ? formatText(name, input, span)
      : fail(`${described(name!)} is not a valid format`, span),
  "have_decnum/0": (_input, _args, machine) => machine.exact,
  "have_literal_numbers/0": () => true,
};

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
