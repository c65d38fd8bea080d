import {
  A_NUMBER,
  compare,
  concat,
  each,
  entriesOf,
  isKind,
  isTrue,
  itemsOf,
  madeOf,
  type Outputs,
  UNKNOWN,
  type Value,
} from "../value.ts";
import { type AnyOutputs, type Argument, type Call, firstArgument, type OneOutput } from "./builtin.ts";

export const lists: OneOutput = {
  length,
  index,
  IN,
  join,
  map,
  any: (call) => decidedBy(true, call),
  all: (call) => decidedBy(false, call),
  max: ({ input }) => extremeOf(input, 1),
  min: ({ input }) => extremeOf(input, -1),
  sort: (call) => listOf(sorted(call)),
  sort_by: (call) => listOf(sorted(call)),
  min_by: (call) => endOf(sorted(call), 0),
  max_by: (call) => endOf(sorted(call), -1),
  reverse: ({ input }) => listOf(itemsOf(input)?.toReversed()),
};

export const listStreams: AnyOutputs = {
  first: ({ input, known, first }) =>
    first === undefined ? [endOf(itemsOf(input) ?? onlyEntry(known), 0)] : first(input)?.slice(0, 1),
  last: ({ input, first }) => (first === undefined ? [endOf(itemsOf(input), -1)] : first(input)?.slice(-1)),
};

function listOf(items: readonly Value[] | undefined): Value {
  return items === undefined ? UNKNOWN : { kind: "list", items };
}

function endOf(items: readonly Value[] | undefined, at: 0 | -1): Value {
  return items === undefined ? UNKNOWN : (items.at(at) ?? null);
}

function length({ input, known }: Call): Value {
  if (typeof known === "string") return known.length;
  if (typeof known === "number") return Math.abs(known);
  return known === null ? 0 : (itemsOf(input)?.length ?? UNKNOWN);
}

/** The one item that is known of a list. */
function onlyEntry(list: Value): readonly Value[] | undefined {
  const entries = entriesOf(list);
  return entries?.length === 1 ? entries : undefined;
}

function IN(call: Call): Value {
  const { input, first, second } = call;
  if (second !== undefined) return UNKNOWN;
  const orders = first?.(input)?.map((wanted) => compare(input, wanted));
  if (orders?.includes(0)) return true;
  return orders === undefined || orders.includes(undefined) ? UNKNOWN : false;
}

/** A list of texts as one. */
function join(call: Call): Value {
  const [items, separator] = [itemsOf(call.input), firstArgument(call)];
  if (items === undefined || items.length === 0 || typeof separator !== "string") return UNKNOWN;
  return madeOf(items.flatMap((item, at) => (at === 0 ? [item] : [separator, item]))) ?? UNKNOWN;
}

function index(call: Call): Value {
  // Nothing is in an empty text, whatever is looked for.
  if (call.known === "") return null;
  if (isKind(call.known, "list") && call.known.items.length === 0) return null;
  const wanted = firstArgument(call);
  if (isKind(call.known, "list") && wanted !== undefined) return indexOf(wanted, call.known.items);
  const entries = wanted === undefined ? undefined : mayHave(call.known);
  const found = entries?.map((entry) => compare(whole(entry), wanted!));
  if (found === undefined) return UNKNOWN;
  return found.includes(0) ? A_NUMBER : found.includes(undefined) ? UNKNOWN : null;
}

/** Where a list certainly has a value first. */
function indexOf(wanted: Value, items: readonly Value[]): Value {
  // Of a list it is where its items begin.
  if (itemsOf(wanted) !== undefined) return UNKNOWN;
  for (const [at, item] of items.entries()) {
    const order = compare(item, wanted);
    if (order === undefined) return UNKNOWN;
    if (order === 0) return at;
  }
  return null;
}

/** What may be in a list of which only some items are known. */
function mayHave(list: Value): readonly Value[] | undefined {
  const entries = entriesOf(list);
  return isKind(list, "unknown") && list.plain !== undefined ? [...(entries ?? []), list.plain] : entries;
}

/** `t=1` as one text. */
function whole(entry: Value): Value {
  if (!isKind(entry, "text") || entry.field === undefined) return entry;
  return madeOf([`${entry.field[0]}=`, entry.field[1]]) ?? UNKNOWN;
}

function map({ input, known, first }: Call): Value {
  if (first === undefined) return UNKNOWN;
  const entries = entriesOf(known);
  if (entries === undefined) return listOf(outputsOf(itemsOf(input), first));
  const mapped = outputsOf(entries, first);
  return mapped === undefined ? UNKNOWN : { kind: "unknown", entries: mapped };
}

function outputsOf(items: readonly Value[] | undefined, by: Argument): Outputs {
  return items === undefined ? undefined : concat(each(items, by));
}

/** @param decisive what one item has to be for the whole to be it: true of `any`, false of `all` */
function decidedBy(decisive: boolean, { input, known, first, second }: Call): Value {
  // `any(.list[]; . == 1)`
  const [items, test] =
    second === undefined
      ? [itemsOf(input) ?? (decisive ? mayHave(known) : entriesOf(known)), first]
      : [first?.(input), second];
  const truths = (test === undefined ? items : outputsOf(items, test))?.map(isTrue);
  if (truths?.includes(decisive)) return decisive;
  return truths === undefined || truths.includes(undefined) ? UNKNOWN : !decisive;
}

/** @param sign 1 for the greatest item, -1 for the least one */
function extremeOf(input: Value, sign: 1 | -1): Value {
  const items = itemsOf(input);
  if (items === undefined) return UNKNOWN;
  const [first] = items;
  if (first === undefined) return null;
  let found = first;
  let isSame = false;
  for (let index = 1; index < items.length; index++) {
    const item = items[index]!;
    // Nearly all records of a page are the same one: what it left as it was, it leaves again.
    if (isSame && item === items[index - 1]) continue;
    const before = found;
    found = extreme(before, item, sign);
    isSame = found === before;
  }
  return found;
}

function extreme(a: Value, b: Value, sign: 1 | -1): Value {
  const order = compare(a, b);
  return order === undefined ? UNKNOWN : order * sign >= 0 ? a : b;
}

/** The items in their order, or in that of what the argument gives for each; undefined where the order isn't known. */
function sorted({ input, first: by }: Call): readonly Value[] | undefined {
  const items = itemsOf(input);
  if (items === undefined) return undefined;
  const keyed = each(items, (item) => ({ item, key: by === undefined ? item : by(item)?.[0] })).slice();
  let isKnown = true;
  keyed.sort((a, b) => {
    const isClear = a.key !== undefined && b.key !== undefined;
    const order = a.item === b.item ? 0 : isClear ? compare(a.key!, b.key!) : undefined;
    isKnown &&= order !== undefined;
    return order ?? 0;
  });
  return isKnown ? keyed.map(({ item }) => item) : undefined;
}
