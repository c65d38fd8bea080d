import type { Json } from "../../json.ts";
import { type Flow, many, one } from "../flow.ts";
import { entryOf, indexOf, itemsOf, mapParts, memberOf } from "../operations.ts";
import {
  anyArray,
  array,
  literal,
  type Member,
  never,
  nullType,
  number,
  object,
  partsOf,
  string,
  type Type,
  union,
  unknown,
} from "../type.ts";
import { type Argument, type BuiltinRule, type Kind, maps, type RuleTable } from "./rule.ts";

const containers: readonly Kind[] = ["array", "object"];
const anyPath = array(union(string, number));

/** The value at a path of known keys. */
function atPath(input: Type, path: Json | undefined): Type {
  if (!Array.isArray(path)) return unknown;
  return path.reduce<Type>((type, key) => {
    if (typeof key !== "string" && typeof key !== "number") return unknown;
    return indexOf(type, literal(key));
  }, input);
}

/** The input with whatever stands at some paths gone or changed. */
function shaken(input: Type): Type {
  return mapParts(input, (part) => {
    if (part.kind === "object") return union(object([], unknown), nullType);
    return union(part.kind === "array" ? anyArray : part, nullType);
  });
}

/** `del(paths)`; what is left may be null where the input itself is deleted. */
function deleted(input: Type, paths: Argument): Type {
  const result = paths.update(input, "delete", () => ({ type: never, deletes: true }));
  if (result === undefined) return shaken(input);
  return result.deletes ? union(result.type, nullType) : result.type;
}

/** `pick(.a, .b.c)`: an object with these members only, null where they are missing. */
function picked(input: Type, paths: Argument): Type {
  if (paths.members === undefined || paths.members.some((path) => path.length === 0)) return unknown;
  return paths.members.reduce<Type>((type, path) => {
    const result = put(type, path, path.reduce(memberOf, input));
    return paths.isOptional() && !isReadable(input, path) ? union(type, result) : result;
  }, nullType);
}

/** Whether each step of a path can be taken; with a `?` the path selects nothing where it can't. */
function isReadable(input: Type, path: readonly string[]): boolean {
  let type = input;
  for (const name of path) {
    if (!partsOf(type).every(({ kind }) => kind === "object" || kind === "null")) return false;
    type = memberOf(type, name);
  }
  return true;
}

/** An object, or null, with a value at a path; anything else fails. */
function put(type: Type, [name, ...rest]: readonly string[], value: Type): Type {
  if (name === undefined) return value;
  return mapParts(type, (part) => {
    if (part.kind !== "object" && part.kind !== "null") return never;
    const { members, rest: further } = part.kind === "object" ? part : { members: [], rest: undefined };
    const inner = put(memberOf(part, name), rest, value);
    if (inner.kind === "never") return never;
    return object([...members, [name, { type: inner, optional: false }]], further);
  });
}

/** What `from_entries` makes of an array of entries. */
function fromEntries(entries: Type): Type {
  if (entries.kind === "unknown") return object([], unknown);
  const members = new Map<string, Member>();
  let rest: Type = never;
  for (const entry of partsOf(entries)) {
    const value = memberIfPresent(entry, "value") ?? unknown;
    const key = memberIfPresent(entry, "key");
    const name = key?.kind === "string" ? key.value : undefined;
    if (name === undefined) rest = union(rest, value);
    else members.set(name, { type: union(members.get(name)?.type ?? never, value), optional: true });
  }
  if (rest.kind !== "never")
    for (const [name, { type }] of members) members.set(name, { type: union(type, rest), optional: true });
  return object(members, rest);
}

function memberIfPresent(entry: Type, name: string): Type | undefined {
  if (entry.kind !== "object") return undefined;
  const member = entry.members.get(name);
  return member === undefined || member.optional ? undefined : member.type;
}

/** With a computed path the value may be anywhere. */
const setsPath: BuiltinRule = {
  arguments: [["array"]],
  flow: ({ input, arguments: [path], values }) => {
    const constant = path!.constant;
    if (!Array.isArray(constant) || !constant.every((key) => typeof key === "string")) return one(unknown);
    return one(put(input, constant, values[1]!));
  },
};

/** Paths, and the structure of objects. */
export const pathsRules: RuleTable = {
  "getpath/1": {
    arguments: [["array"]],
    flow: ({ input, arguments: [path] }) => one(atPath(input, path!.constant)),
  },
  "setpath/2": setsPath,
  "delpaths/1": { arguments: [["array"]], flow: ({ input }) => one(shaken(input)) },
  "path/1": {
    flow: ({ input, arguments: [expression] }) => {
      const { cardinality, fails } = expression!.paths(input);
      return { type: anyArray, cardinality, fails };
    },
  },
  "paths/0": { flow: () => many(anyPath) },
  "paths/1": {
    flow: ({ input, arguments: [condition] }) => {
      condition!(unknown);
      return input.kind === "never" ? many(never) : many(anyPath);
    },
  },
  "del/1": {
    flow: ({ input, arguments: [paths] }): Flow => {
      const { fails } = paths!.paths(input);
      const type = deleted(input, paths!);
      return { type, cardinality: "one", fails };
    },
  },
  "pick/1": {
    flow: ({ input, arguments: [paths] }) => {
      paths!(input);
      return one(picked(input, paths!));
    },
  },
  "walk/1": {
    flow: ({ arguments: [update] }) => {
      const { type, cardinality } = update!(unknown);
      return { type, cardinality: cardinality === "one" ? "one" : "unknown", fails: false };
    },
  },
  "to_entries/0": maps(containers, (input) => array(entryOf(input))),
  "from_entries/0": maps(containers, (input) => fromEntries(itemsOf(input))),
  "with_entries/1": {
    input: containers,
    flow: ({ input, arguments: [update] }) => one(fromEntries(update!(entryOf(input)).type)),
  },
  "tostream/0": { flow: () => many(anyArray) },
  "fromstream/1": {
    flow: ({ input, arguments: [events] }) => {
      events!(input);
      return many(unknown);
    },
  },
  "truncate_stream/1": {
    flow: ({ arguments: [events] }) => {
      events!(nullType);
      return many(anyArray);
    },
  },
};
