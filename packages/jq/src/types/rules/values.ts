import { type Flow, maybe, none, one } from "../flow.ts";
import { isSubtype, mapParts, ofKinds, truthy } from "../operations.ts";
import {
  array,
  boolean,
  literal,
  never,
  nullType,
  number,
  partsOf,
  string,
  type Type,
  union,
  unknown,
} from "../type.ts";
import { type BuiltinRule, gives, type Kind, maps, type RuleTable } from "./rule.ts";

/** A filter by kind. */
function passes(...kinds: readonly Kind[]): BuiltinRule {
  return { flow: ({ input }) => passed(input, ofKinds(input, kinds)) };
}

/** What is left of an input that is passed on or not. */
function passed(input: Type, type: Type): Flow {
  if (type.kind === "never") return none;
  return type === input && type.kind !== "unknown" ? one(type) : maybe(type);
}

const notNull = (input: Type): Type => mapParts(input, (part) => (part.kind === "null" ? never : part));

function negated(input: Type): Type {
  if (input.kind === "unknown") return boolean;
  const kept = truthy(input);
  if (kept.kind === "never") return literal(true);
  return isSubtype(input, kept) ? literal(false) : boolean;
}

/** Types, conversions and filters by type. */
export const valuesRules: RuleTable = {
  "null/0": gives(nullType),
  "true/0": gives(literal(true)),
  "false/0": gives(literal(false)),
  "not/0": maps(undefined, negated),
  "type/0": maps(undefined, (input) =>
    input.kind === "unknown" ? string : union(...partsOf(input).map((part) => literal(part.kind))),
  ),
  "length/0": gives(number, ["null", "number", "string", "array", "object"]),
  "utf8bytelength/0": gives(number, ["string"]),
  "tostring/0": maps(undefined, (input) =>
    input.kind === "unknown" ? string : mapParts(input, (part) => (part.kind === "string" ? part : string)),
  ),
  "tonumber/0": maps(["number", "string"], (input) =>
    mapParts(input, (part) => (part.kind === "number" ? part : number)),
  ),
  "toboolean/0": maps(["boolean", "string"], (input) =>
    mapParts(input, (part) => (part.kind === "boolean" ? part : boolean)),
  ),
  "toarray/0": maps(undefined, (input) =>
    mapParts(input, (part) => (part.kind === "array" ? part : array(part))),
  ),
  "tojson/0": gives(string),
  "fromjson/0": gives(unknown, ["string"]),
  "values/0": { flow: ({ input }) => passed(input, notNull(input)) },
  "nulls/0": passes("null"),
  "booleans/0": passes("boolean"),
  "numbers/0": passes("number"),
  "strings/0": passes("string"),
  "arrays/0": passes("array"),
  "objects/0": passes("object"),
  "iterables/0": passes("array", "object"),
  "scalars/0": passes("null", "boolean", "number", "string"),
  "finites/0": { flow: ({ input }) => atMostNumbers(input) },
  "normals/0": { flow: ({ input }) => atMostNumbers(input) },
  "builtins/0": gives(array(string)),
  "have_decnum/0": gives(boolean),
  "have_literal_numbers/0": gives(boolean),
  "input_line_number/0": gives(number),
  "modulemeta/0": gives(unknown),
};

function atMostNumbers(input: Type): Flow {
  const type = ofKinds(input, ["number"]);
  return type.kind === "never" ? none : maybe(type);
}
