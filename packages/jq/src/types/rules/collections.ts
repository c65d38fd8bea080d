import { arithmetic } from "../arithmetic.ts";
import { changedItems } from "../changes.ts";
import { type Flow, many, one } from "../flow.ts";
import { indexOf, itemsOf, mapParts } from "../operations.ts";
import {
  array,
  arrayFrom,
  boolean,
  literal,
  never,
  nullType,
  number,
  object,
  partsOf,
  string,
  type Type,
  union,
  unknown,
  widenLiterals,
} from "../type.ts";
import {
  type Argument,
  type BuiltinCall,
  type BuiltinRule,
  gives,
  type Kind,
  maps,
  type RuleTable,
  reachable,
} from "./rule.ts";

const containers: readonly Kind[] = ["array", "object"];

/** Sorting and the like: the same items in another order, or some of them. */
const sameItems = maps(["array"], reordered);

/** Visits the argument for the items, whose outputs don't matter for the type. */
function byKey(type: (input: Type) => Type, ...input: readonly Kind[]): BuiltinRule {
  return {
    input: input.length === 0 ? ["array"] : input,
    flow: (call) => {
      call.arguments[0]!(itemsOf(call.given));
      return one(type(call.input));
    },
  };
}

/** The same items in any order; where there is one, there still is. */
function reordered(input: Type): Type {
  return mapParts(input, (part) =>
    part.kind === "array" ? arrayFrom(part.first === undefined ? [] : [part.items], part.items) : part,
  );
}

function isFilled(input: Type): boolean {
  return partsOf(input).every((part) => part.kind === "array" && part.first !== undefined);
}

/** One of the items; null of none. */
const anItem = (input: Type): Type => union(itemsOf(input), isFilled(input) ? never : nullType);

/** What has the same key: at least one item in each, and one group at least of one item. */
function groupsOf(input: Type): Type {
  const items = itemsOf(input);
  if (items.kind === "never") return array(never);
  const group = arrayFrom([items], items);
  return isFilled(input) ? arrayFrom([group], group) : array(group);
}

const rows = (items: Type): Type => object([], items);

/** The sum of any number of items; of none it is null. */
/** The first member that an object certainly has, and one that can't be added to it. */
function clashingMembers(input: Type): readonly [Type, Type] | undefined {
  if (input.kind !== "object") return undefined;
  const [first, ...others] = [...input.members.values()]
    .filter(({ type, optional }) => !optional && type.kind !== "never")
    .map(({ type }) => type);
  const other = first && others.find((type) => arithmetic("+", first, type).kind === "never");
  return other && [first!, other];
}

function sumOf(items: Type, isFilled = false): Type {
  const wide = widenLiterals(items);
  const sum = reachable(wide, (sum) => (wide.kind === "never" ? never : arithmetic("+", sum, wide)));
  return isFilled ? sum : union(sum, nullType);
}

/** A test of some outputs by a condition; a result of one that isn't needed is still inferred. */
function tested(input: Type, generator: Argument | undefined, condition: Argument | undefined): Flow {
  const items = generator === undefined ? itemsOf(input) : generator(input).type;
  condition?.(items);
  return one(boolean);
}

const whether: RuleTable = Object.fromEntries(
  ["any", "all"].flatMap((name): [string, BuiltinRule][] => [
    [`${name}/0`, gives(boolean, containers)],
    [
      `${name}/1`,
      { input: containers, flow: ({ input, arguments: [condition] }) => tested(input, undefined, condition) },
    ],
    [
      `${name}/2`,
      { flow: ({ input, arguments: [generator, condition] }) => tested(input, generator, condition) },
    ],
  ]),
);

/** Where a value can be looked for in an input. */
const places = (input: Kind): readonly Kind[] => {
  switch (input) {
    case "string":
      return ["string"];
    case "null":
      return ["string", "number", "object"];
    case "object":
      return ["string"];
    case "array":
      return ["null", "boolean", "number", "string", "array", "object"];
    default:
      return [];
  }
};
const searchable: readonly Kind[] = ["null", "string", "array", "object"];

/** The first, last or all places; a member of an object can also be read this way. */
function place(type: Type): BuiltinRule {
  return {
    input: searchable,
    pairs: places,
    flow: ({ input }) =>
      one(partsOf(input).some(({ kind }) => kind === "object" || kind === "unknown") ? unknown : type),
  };
}

const sameKind = (input: Kind): readonly Kind[] => [input];
const readable = (input: Kind): readonly Kind[] => {
  switch (input) {
    case "null":
      return ["string", "number", "object"];
    case "array":
      return ["number", "array", "object"];
    case "object":
      return ["string"];
    case "string":
      return ["object"];
    default:
      return [];
  }
};

function keysOf(input: Type): Type {
  return mapParts(input, (part) => array(part.kind === "array" ? number : string));
}

/** The items of arrays inside arrays, at every depth; with a limit, also those arrays. */
function flattened(input: Type, keepsArrays: boolean): Type {
  const below = reachable(itemsOf(input), (type) =>
    mapParts(type, (part) => (part.kind === "array" ? part.items : never)),
  );
  return array(keepsArrays ? below : mapParts(below, (part) => (part.kind === "array" ? never : part)));
}

/** Pairs of an item and what an index has for it. */
function joined({ values: [index] }: BuiltinCall, items: Type, key: Argument): Type {
  const keys = key(items).type;
  return array(union(items, indexOf(index!, keys)));
}

/** Arrays and objects. */
export const collectionsRules: RuleTable = {
  "map/1": {
    input: containers,
    flow: ({ input, arguments: [update] }) => {
      const { type, cardinality } = update!(itemsOf(input));
      return one(cardinality === "one" && isFilled(input) ? arrayFrom([type], type) : array(type));
    },
  },
  "map_values/1": {
    input: containers,
    flow: ({ input, arguments: [update] }) => {
      // Of several outputs the first is taken, and without one the item goes.
      const change = (item: Type) => {
        const { type, cardinality, fails } = update!(item);
        return { type, deletes: cardinality !== "one" && !fails };
      };
      return one(changedItems(input, change));
    },
  },
  "keys/0": maps(containers, keysOf),
  "keys_unsorted/0": maps(containers, keysOf),
  "has/1": {
    ...gives(boolean, ["null", "array", "object"]),
    pairs: (input) =>
      input === "array"
        ? ["number"]
        : input === "object"
          ? ["string"]
          : ["null", "boolean", "number", "string", "array", "object"],
  },
  "in/1": {
    flow: ({ input, arguments: [container] }) => ({
      type: boolean,
      cardinality: container!(input).cardinality,
      fails: false,
    }),
  },
  "contains/1": { ...gives(boolean), pairs: sameKind },
  "inside/1": { ...gives(boolean), pairs: sameKind },
  "add/0": { ...maps(containers, (input) => sumOf(itemsOf(input), isFilled(input))), clash: clashingMembers },
  "add/1": { flow: ({ input, arguments: [generator] }) => one(sumOf(generator!(input).type)) },
  ...whether,
  "flatten/0": maps(containers, (input) => flattened(input, false)),
  "flatten/1": maps(containers, (input) => flattened(input, true)),
  "first/0": maps(["null", "array"], (input) => indexOf(input, literal(0))),
  "last/0": maps(["null", "array"], (input) => indexOf(input, literal(-1))),
  "nth/1": {
    input: ["null", "string", "array", "object"],
    pairs: readable,
    flow: ({ input, values: [index] }) => one(indexOf(input, index!)),
  },
  "reverse/0": maps(["null", "number", "string", "array", "object"], (input) =>
    mapParts(input, (part) => {
      if (part.kind === "array") return reordered(part);
      // What is empty becomes an empty array, all else fails.
      return array(part.kind === "object" ? unknown : never);
    }),
  ),
  "sort/0": sameItems,
  "unique/0": sameItems,
  "sort_by/1": byKey(reordered),
  "unique_by/1": byKey(reordered),
  "group_by/1": byKey(groupsOf),
  "min/0": maps(["array"], anItem),
  "max/0": maps(["array"], anItem),
  "min_by/1": byKey(anItem),
  "max_by/1": byKey(anItem),
  "transpose/0": maps(containers, (input) => array(array(union(itemsOf(itemsOf(input)), nullType)))),
  "combinations/0": {
    flow: ({ input }) => many(array(input.kind === "array" ? itemsOf(input.items) : unknown)),
  },
  "combinations/1": { flow: ({ input }) => many(array(input.kind === "array" ? input.items : unknown)) },
  "bsearch/1": gives(number, ["array"]),
  "index/1": place(union(number, nullType)),
  "rindex/1": place(union(number, nullType)),
  "indices/1": place(union(array(number), nullType)),
  "IN/1": {
    flow: ({ input, arguments: [generator] }) => {
      generator!(input);
      return one(boolean);
    },
  },
  "IN/2": {
    flow: ({ input, arguments: [source, generator] }) => {
      source!(input);
      generator!(input);
      return one(boolean);
    },
  },
  "INDEX/1": byKey((input) => rows(itemsOf(input)), "array", "object"),
  "INDEX/2": {
    flow: ({ input, arguments: [generator, key] }) => {
      const { type } = generator!(input);
      key!(type);
      return one(rows(type));
    },
  },
  "JOIN/2": {
    input: containers,
    flow: (call) => one(array(joined(call, itemsOf(call.input), call.arguments[1]!))),
  },
  "JOIN/3": {
    flow: (call) => many(joined(call, call.arguments[1]!(call.input).type, call.arguments[2]!)),
  },
  "JOIN/4": {
    flow: (call) => {
      const pairs = joined(call, call.arguments[1]!(call.input).type, call.arguments[2]!);
      return many(call.arguments[3]!(pairs).type);
    },
  },
};
