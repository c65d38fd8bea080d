import { reckoned } from "../operators.ts";
import {
  concat,
  EVERY_NAME,
  entriesOf,
  isKind,
  isStrangeName,
  memberOf,
  resolved,
  UNKNOWN,
  type Value,
} from "../value.ts";
import { type Call, firstArgument, type OneOutput } from "./builtin.ts";

export const objects: OneOutput = {
  to_entries,
  from_entries,
  with_entries,
  keys,
  has,
  add: ({ known }) => (isKind(known, "list") ? sumOf(known.items) : merged(entriesOf(known))),
};

function to_entries({ known }: Call): Value {
  const items = pairsOf(known);
  return items === undefined ? UNKNOWN : { kind: "list", items };
}

function from_entries({ known }: Call): Value {
  const some = entriesOf(known);
  if (some === undefined) return objectOf(isKind(known, "list") ? known.items : undefined);
  const made = objectOf(some);
  return isKind(made, "record") && made.absent === undefined
    ? { ...made, open: true, absent: ofRequest }
    : made;
}

function with_entries({ known, first }: Call): Value {
  const pairs = pairsOf(known);
  return objectOf(pairs === undefined || first === undefined ? undefined : concat(pairs.map(first)));
}

/** Members that a request has: no header writes them as `t=1`. */
const ofRequest: ReadonlySet<string> = new Set(["raw_body", "headers", "query", "query_params", "method"]);

/** The members of an object that is known whole, as `{key, value}`. */
function pairsOf(known: Value): readonly Value[] | undefined {
  if (!isKind(known, "record") || known.open) return undefined;
  return [...known.members].map(([key, value]) => ({
    kind: "record",
    members: new Map<string, Value>([
      ["key", key],
      ["value", value],
    ]),
    open: false,
  }));
}

/** What jq takes for the name and the value. */
const keyNames = ["key", "k", "name", "Name", "Key", "K"];
const valueNames = ["value", "v", "Value", "V"];

/** The object of members that are given as `{key, value}`. */
function objectOf(pairs: readonly Value[] | undefined): Value {
  const members = new Map<string, Value>();
  const given = (pair: Value, names: readonly string[]): Value =>
    names.map((name) => memberOf(pair, name)).find((value) => resolved(value) !== null) ?? null;
  const keyOf = (pair: Value): Value => resolved(given(pair, keyNames));
  if (pairs !== undefined && pairs.length > 0 && pairs.every((pair) => isStrangeName(keyOf(pair))))
    return { kind: "record", members, open: true, absent: EVERY_NAME };
  for (const pair of pairs ?? []) {
    const [key, value] = [keyOf(pair), given(pair, valueNames)];
    if (typeof key !== "string") return UNKNOWN;
    members.set(key, value);
  }
  return pairs === undefined ? UNKNOWN : { kind: "record", members, open: false };
}

function sumOf(items: readonly Value[]): Value {
  return items.reduce((sum, item) => reckoned("+", sum, item), null);
}

/** The object that some records and others become together. */
function merged(entries: readonly Value[] | undefined): Value {
  const members = new Map<string, Value>();
  const isStrange = (entry: Value): boolean => isKind(entry, "record") && entry.absent === EVERY_NAME;
  if (entries !== undefined && entries.length > 0 && entries.every(isStrange)) return entries[0]!;
  for (const entry of entries ?? []) {
    if (!isKind(entry, "record") || entry.open) return UNKNOWN;
    for (const [name, value] of entry.members) members.set(name, value);
  }
  return entries === undefined ? UNKNOWN : { kind: "record", members, open: true, absent: ofRequest };
}

function keys({ known }: Call): Value {
  if (!isKind(known, "record") || known.open) return UNKNOWN;
  return { kind: "list", items: [...known.members.keys()].sort() };
}

function has(call: Call): Value {
  const { input, known } = call;
  const key = firstArgument(call);
  if (typeof key !== "string") return UNKNOWN;
  const member = resolved(memberOf(input, key));
  if (member === UNKNOWN) return UNKNOWN;
  if (isKind(known, "record") && known.members.has(key)) return true;
  // A member that is null may be there or not; what an answer says stands beside the members that are known.
  return isKind(known, "record") && !known.open ? false : member !== null;
}
