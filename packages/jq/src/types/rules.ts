import { arithmetic } from "./arithmetic.ts";
import { atMost, type Cardinality, times } from "./cardinality.ts";
import { entryOf, indexOf, isSubtype, itemsOf, mapParts, ofKinds, truthy } from "./operations.ts";
import {
  anyArray,
  anyObject,
  array,
  boolean,
  literal,
  never,
  nullType,
  number,
  object,
  partsOf,
  record,
  string,
  type Type,
  union,
  unknown,
  widenLiterals,
} from "./type.ts";

/** What an expression gives for one input: the union of its outputs' types, and how many they are. */
export interface Flow {
  readonly type: Type;
  readonly cardinality: Cardinality;
}

/** An argument of a builtin: infers what it gives for an input. */
export type Argument = (input: Type) => Flow;

/** The type rule of a builtin. It claims only what no output can violate. */
export type Rule = (input: Type, args: readonly Argument[]) => Flow;

export const one = (type: Type): Flow => ({ type, cardinality: "one" });
export const none: Flow = { type: never, cardinality: "none" };
const maybe = (type: Type): Flow => ({ type, cardinality: "maybe" });
const many = (type: Type): Flow => ({ type, cardinality: "many" });

/** A rule for functions that give one output of one type whatever the input. */
const always =
  (type: Type): Rule =>
  (input, args) => ({ type, cardinality: perArguments(input, args) });

/** A rule for `select`-like functions of kinds. */
const kinds =
  (...names: readonly Type["kind"][]): Rule =>
  (input) => {
    const type = ofKinds(input, names);
    if (type.kind === "never") return none;
    return type === input && type.kind !== "unknown" ? one(type) : maybe(type);
  };

/** Arguments marked `$` multiply the outputs. */
function perArguments(input: Type, args: readonly Argument[]): Cardinality {
  return args.reduce<Cardinality>((total, argument) => times(total, argument(input).cardinality), "one");
}

const arrayOfItems: Rule = (input) => one(mapParts(input, (part) => (part.kind === "array" ? part : never)));
/** Sorting and the like: the items of an array, which may be unknown. */
const sameItems: Rule = (input) => one(input.kind === "unknown" ? anyArray : arrayOfItems(input, []).type);
const anItem: Rule = (input) => one(union(itemsOf(ofKinds(input, ["array"])), nullType));
const numeric = always(number);
const textual = always(string);
const truth = always(boolean);

const map: Rule = (input, [update]) => one(array(update!(itemsOf(input)).type));

const firstOf: Rule = (input, args) => {
  const { type, cardinality } = args.at(-1)!(input);
  const first: Cardinality = cardinality === "many" ? "maybe" : cardinality;
  return { type, cardinality: first };
};

const streamOf: Rule = (input, args) => {
  const { type, cardinality } = args.at(-1)!(input);
  return { type, cardinality: cardinality === "many" ? "many" : atMost(cardinality) };
};

const addItems = (items: Type): Type => {
  // Null is the sum of nothing; a sum of two is added to a third until the type stays the same.
  let sum: Type = widenLiterals(items);
  for (let round = 0; round < 4; round++) {
    const next = union(sum, arithmetic("+", sum, widenLiterals(items)));
    if (next === sum) return union(sum, nullType);
    sum = next;
  }
  return unknown;
};

const breakdown = array(number);
const match = record({
  offset: number,
  length: number,
  string,
  captures: array(
    object([
      ["offset", { type: number, optional: false }],
      ["length", { type: number, optional: false }],
      ["string", { type: union(string, nullType), optional: false }],
      ["name", { type: union(string, nullType), optional: false }],
    ]),
  ),
});
const fromEntries: Rule = (input, [update]) => {
  const entries = update === undefined ? itemsOf(input) : update(entryOf(input)).type;
  return one(
    object(
      [],
      mapParts(entries, (entry) => {
        if (entry.kind !== "object" || entry.rest !== undefined) return unknown;
        const value = entry.members.get("value");
        return value === undefined || value.optional ? unknown : value.type;
      }),
    ),
  );
};

/** One match at most, unless the flags say “g”; the expression may be an array that holds flags too. */
const matches =
  (type: Type): Rule =>
  (input, [regex, flags]) => {
    const first = regex!(input);
    if (first.cardinality !== "one" || first.type.kind !== "string") return { type, cardinality: "unknown" };
    if (flags === undefined) return maybe(type);
    const second = flags(input);
    if (second.cardinality !== "one" || second.type.kind !== "string")
      return { type, cardinality: "unknown" };
    const { value } = second.type;
    if (value === undefined) return { type, cardinality: "unknown" };
    return value.includes("g") ? many(type) : maybe(type);
  };

const table: Readonly<Record<string, Rule>> = {
  "null/0": always(nullType),
  "true/0": always(literal(true)),
  "false/0": always(literal(false)),
  "empty/0": () => none,
  "error/0": () => none,
  "error/1": () => none,
  "not/0": (input) => {
    const parts = partsOf(truthy(input));
    if (input.kind !== "unknown" && parts.length === 0) return one(literal(true));
    return one(isSubtype(input, truthy(input)) && input.kind !== "unknown" ? literal(false) : boolean);
  },
  "type/0": (input) =>
    one(input.kind === "unknown" ? string : union(...partsOf(input).map((part) => literal(part.kind)))),
  "length/0": numeric,
  "utf8bytelength/0": numeric,
  "tostring/0": (input) => one(mapParts(input, (part) => (part.kind === "string" ? part : string))),
  "tonumber/0": (input) => one(mapParts(input, (part) => (part.kind === "number" ? part : number))),
  "toboolean/0": truth,
  "tojson/0": textual,
  "toarray/0": (input) => one(mapParts(input, (part) => (part.kind === "array" ? part : array(part)))),
  "select/1": (input, [condition]) => {
    const { type, cardinality } = condition!(input);
    if (cardinality === "none" || (type.kind !== "unknown" && truthy(type).kind === "never")) return none;
    return { type: input, cardinality: atMost(cardinality) };
  },
  "values/0": (input) => {
    if (input.kind === "unknown") return maybe(input);
    const type = mapParts(input, (part) => (part.kind === "null" ? never : part));
    if (type.kind === "never") return none;
    return type === input ? one(type) : maybe(type);
  },
  "nulls/0": kinds("null"),
  "booleans/0": kinds("boolean"),
  "numbers/0": kinds("number"),
  "strings/0": kinds("string"),
  "arrays/0": kinds("array"),
  "objects/0": kinds("object"),
  "iterables/0": kinds("array", "object"),
  "scalars/0": kinds("null", "boolean", "number", "string"),
  "isempty/1": () => one(boolean),
  "first/1": firstOf,
  "last/1": firstOf,
  "limit/2": streamOf,
  "skip/2": streamOf,
  "range/1": () => many(number),
  "range/2": () => many(number),
  "range/3": () => many(number),
  "first/0": (input) => one(indexOf(input, number)),
  "last/0": (input) => one(indexOf(input, number)),
  "nth/1": (input, args) => ({ type: indexOf(input, number), cardinality: perArguments(input, args) }),
  "map/1": map,
  "map_values/1": (input, [update]) => {
    const values = update!(itemsOf(input)).type;
    return one(
      mapParts(input, (part) => {
        if (part.kind === "array") return array(values);
        return part.kind === "object" ? object([], values) : part;
      }),
    );
  },
  "keys/0": (input) => keysOf(input),
  "keys_unsorted/0": (input) => keysOf(input),
  "has/1": truth,
  "in/1": truth,
  "contains/1": truth,
  "inside/1": truth,
  "any/0": truth,
  "all/0": truth,
  "any/1": () => one(boolean),
  "all/1": () => one(boolean),
  "any/2": () => one(boolean),
  "all/2": () => one(boolean),
  "IN/1": () => one(boolean),
  "IN/2": () => one(boolean),
  "add/0": (input) => one(addItems(itemsOf(input))),
  "add/1": (input, [generator]) => one(addItems(generator!(input).type)),
  "flatten/0": always(anyArray),
  "reverse/0": (input) =>
    one(
      mapParts(input, (part) => {
        if (part.kind === "array") return part;
        return part.kind === "string" ? string : array(never);
      }),
    ),
  "sort/0": sameItems,
  "sort_by/1": sameItems,
  "unique/0": sameItems,
  "unique_by/1": sameItems,
  "group_by/1": (input) => one(array(sameItems(input, []).type)),
  "min/0": anItem,
  "max/0": anItem,
  "min_by/1": anItem,
  "max_by/1": anItem,
  "to_entries/0": (input) => one(array(entryOf(input))),
  "from_entries/0": fromEntries,
  "with_entries/1": fromEntries,
  "paths/0": () => many(anyArray),
  "path/1": (input, [expression]) => ({ type: anyArray, cardinality: expression!(input).cardinality }),
  "tostream/0": () => many(anyArray),
  "ascii_downcase/0": textual,
  "ascii_upcase/0": textual,
  "explode/0": always(array(number)),
  "implode/0": textual,
  "startswith/1": truth,
  "endswith/1": truth,
  "ltrimstr/1": textual,
  "rtrimstr/1": textual,
  "trimstr/1": textual,
  "trim/0": textual,
  "ltrim/0": textual,
  "rtrim/0": textual,
  "split/1": always(array(string)),
  "split/2": always(array(string)),
  "splits/1": () => many(string),
  "splits/2": () => many(string),
  "join/1": textual,
  "test/1": truth,
  "test/2": truth,
  "match/1": matches(match),
  "match/2": matches(match),
  "capture/1": matches(object([], union(string, nullType))),
  "capture/2": matches(object([], union(string, nullType))),
  "scan/1": () => many(union(string, array(union(string, nullType)))),
  "scan/2": () => many(union(string, array(union(string, nullType)))),
  "now/0": numeric,
  "mktime/0": numeric,
  "gmtime/0": always(breakdown),
  "localtime/0": always(breakdown),
  "strptime/1": always(breakdown),
  "strftime/1": textual,
  "strflocaltime/1": textual,
  "todate/0": textual,
  "todateiso8601/0": textual,
  "date/0": textual,
  "fromdate/0": numeric,
  "fromdateiso8601/0": numeric,
  "infinite/0": numeric,
  "nan/0": numeric,
  "isnan/0": truth,
  "isinfinite/0": truth,
  "isnormal/0": truth,
  "isfinite/0": truth,
  "pow/2": numeric,
  "input_line_number/0": numeric,
  "builtins/0": always(array(string)),
  "env/0": always(object([], string)),
  "abs/0": (input) => one(mapParts(input, (part) => (part.kind === "number" ? number : part))),
  "bsearch/1": numeric,
  "indices/1": always(union(array(number), nullType)),
  "index/1": always(union(number, nullType)),
  "rindex/1": always(union(number, nullType)),
  "debug/0": one,
  "debug/1": one,
  "stderr/0": one,
  "halt/0": () => none,
  "halt_error/0": () => none,
  "halt_error/1": () => none,
  "repeat/1": () => many(unknown),
  "recurse/0": () => many(unknown),
  "recurse/1": () => many(unknown),
  "INDEX/1": (input) => one(object([], itemsOf(input))),
  "INDEX/2": (input, [generator]) => one(object([], generator!(input).type)),
  "setpath/2": () => one(unknown),
  "delpaths/1": () => one(unknown),
  "del/1": (input) => one(withoutMembers(input)),
  "getpath/1": always(unknown),
  "walk/1": (_input, [update]) => ({
    type: unknown,
    cardinality: update!(unknown).cardinality === "one" ? "one" : "unknown",
  }),
  "pick/1": () => one(unknown),
  "transpose/0": always(array(anyArray)),
  "fromjson/0": always(unknown),
};

/** Functions of one number. */
const numericNames = [
  "floor",
  "ceil",
  "round",
  "trunc",
  "rint",
  "nearbyint",
  "sqrt",
  "cbrt",
  "fabs",
  "exp",
  "exp2",
  "exp10",
  "log",
  "log2",
  "log10",
  "sin",
  "cos",
  "tan",
  "asin",
  "acos",
  "atan",
];

const rules: ReadonlyMap<string, Rule> = new Map([
  ...Object.entries(table),
  ...numericNames.map((name) => [`${name}/0`, numeric] as const),
]);

/** The type rule of a builtin function; without one its outputs are unknown. */
export function ruleOf(name: string, arity: number): Rule | undefined {
  return rules.get(`${name}/${arity}`);
}

function keysOf(input: Type): Flow {
  if (input.kind === "unknown") return one(array(union(string, number)));
  return one(
    mapParts(input, (part) => {
      if (part.kind === "array") return array(number);
      return part.kind === "object" ? array(string) : never;
    }),
  );
}

/** After `del(…)` every member may be gone, those deeper inside too; `del(.)` gives null. */
function withoutMembers(input: Type): Type {
  return mapParts(input, (part) => {
    if (part.kind === "object") return union(anyObject, nullType);
    return union(part.kind === "array" ? anyArray : part, nullType);
  });
}
