import type { Json } from "../../json.ts";
import { changedItems } from "../changes.ts";
import { eitherFlow, type Flow, many, none, one } from "../flow.ts";
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
  record,
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

/** An entry of an object; one that isn't certain may be there, once or many times. */
interface Entry {
  readonly type: Type;
  readonly isCertain: boolean;
}

/** The entries of an array, or of an object that is taken for one: one by one in a tuple. */
function entriesIn(input: Type): readonly Entry[] {
  return partsOf(input).flatMap((part): readonly Entry[] => {
    if (part.kind !== "array" || part.first === undefined || part.isClosed !== true) {
      return [{ type: itemsOf(part), isCertain: false }];
    }
    return part.first.map((type) => ({ type, isCertain: input === part }));
  });
}

/** What `from_entries` makes of entries, in their order. */
function fromEntries(entries: readonly Entry[]): Type {
  const members = new Map<string, Member>();
  let rest: Type = never;
  for (const { type, isCertain } of entries) {
    if (type.kind === "unknown") rest = unknown;
    for (const entry of partsOf(type)) {
      const value = memberIfPresent(entry, "value") ?? unknown;
      const key = memberIfPresent(entry, "key");
      const name = key?.kind === "string" ? key.value : undefined;
      const before = name === undefined ? undefined : members.get(name);
      if (name === undefined) rest = union(rest, value);
      else if (isCertain && type === entry) members.set(name, { type: value, optional: false });
      else
        members.set(name, {
          type: union(before?.type ?? never, value),
          optional: before?.optional ?? true,
        });
    }
  }
  if (rest.kind !== "never")
    for (const [name, { type, optional }] of members)
      members.set(name, { type: union(type, rest), optional });
  return object(members, rest);
}

/** Contacts have up to some thirty members. Of objects with more, all members are updated as one. */
const MEMBERS_ONE_BY_ONE = 40;

/** `with_entries(update)`: an object's members are updated one by one. */
function withEntries(input: Type, update: Argument): Type {
  return mapParts(input, (part) => {
    const isObject = part.kind === "object" && part.members.size <= MEMBERS_ONE_BY_ONE;
    if (!isObject) return fromEntries([{ type: update(entryOf(part)).type, isCertain: false }]);
    const entries = [...part.members].map(([name, { type, optional }]): Entry => {
      const updated = update(record({ key: literal(name), value: type }));
      return { type: updated.type, isCertain: updated.cardinality === "one" && !optional };
    });
    const others = part.rest === undefined ? never : update(record({ key: string, value: part.rest })).type;
    return fromEntries([...entries, { type: others, isCertain: false }]);
  });
}

/** Larger types are walked as unknown ones: each part is updated by itself. */
const MOST_WALKED = 200;

/** `walk(update)`: parts before what they are parts of. */
function walked(input: Type, update: Argument): Flow {
  let isOne = true;
  const updated = (type: Type): Flow => {
    const flow = update(type);
    isOne &&= flow.cardinality === "one";
    return flow;
  };
  const step = (type: Type): Flow => {
    const parts = partsOf(type).map((part) => {
      if (part.kind === "array") return array(part.items === never ? never : step(part.items).type);
      return part.kind === "object"
        ? changedItems(part, (member) => {
            const { type, cardinality, fails } = step(member);
            return { type, deletes: cardinality !== "one" && !fails };
          })
        : part;
    });
    const flows = parts.filter((part) => part.kind !== "never").map(updated);
    return flows.length === 0 ? none : flows.reduce(eitherFlow);
  };
  const { type } = input.size > MOST_WALKED ? updated(unknown) : step(input);
  return { type, cardinality: isOne ? "one" : "unknown", fails: false };
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
    flow: ({ input, arguments: [update] }) => walked(input, update!),
  },
  "to_entries/0": maps(containers, (input) => array(entryOf(input))),
  "from_entries/0": maps(containers, (input) => fromEntries(entriesIn(input))),
  "with_entries/1": {
    input: containers,
    flow: ({ input, arguments: [update] }) => one(withEntries(input, update!)),
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
