import type { Json } from "../../json.ts";
import type { Span } from "../../syntax-tree.ts";
import { values } from "../access.ts";
import { fail } from "../error.ts";
import { type ListLoop, listLoop } from "../inline-caches/loops.ts";
import { type Emit, type Environment, force, type LazyCode } from "../machine.ts";
import { bytes, countArray, countMade, countSort, countSteps, countText } from "../meter.ts";
import { summing } from "../operators.ts";
import { compare, described, isArray } from "../values.ts";
import { type FilterFunction, oneOutput } from "./contract.ts";

/** What is done with each item of a list, or with a key of each. */
export const lists: Readonly<Record<string, FilterFunction>> = {
  "map/1": oneOutput(([update], span) => {
    let loop: ListLoop | undefined;
    return (env, input) => {
      const list = values(input, span);
      const one = update!.maybe;
      if (one !== undefined) {
        loop ??= listLoop(one, update!.single !== undefined);
        return loop(env, list, span);
      }
      const items: Json[] = [];
      const push = collect(items, env, span);
      for (const item of list) force(update!.run(env, item, push), env);
      return items;
    };
  }),
  "add/1": oneOutput(([generator], span) => (env, input) => {
    const sum = summing(env.machine, span);
    force(
      generator!.run(env, input, (value) => {
        sum.add(value);
        return true;
      }),
      env,
    );
    return sum.result();
  }),
  "add/0": oneOutput((_args, span) => (env, input) => addAll(values(input, span), env, span)),
  "sort_by/1": oneOutput(
    ([key], span) =>
      (env, input) =>
        sorted(keyed(key!, env, input, span)).map(({ item }) => item),
  ),
  "group_by/1": oneOutput(
    ([key], span) =>
      (env, input) =>
        groups(keyed(key!, env, input, span)),
  ),
  "unique_by/1": oneOutput(
    ([key], span) =>
      (env, input) =>
        groups(keyed(key!, env, input, span)).map((group) => group[0]!),
  ),
  "min_by/1": oneOutput(
    ([key], span) =>
      (env, input) =>
        sorted(keyed(key!, env, input, span, notIterable))[0]?.item ?? null,
  ),
  "max_by/1": oneOutput(
    ([key], span) =>
      (env, input) =>
        sorted(keyed(key!, env, input, span, notIterable)).at(-1)?.item ?? null,
  ),
};

/** An output function that adds to a list. */
function collect(items: Json[], env: Environment, span: Span): Emit {
  return (value) => {
    items.push(value);
    env.machine.tick(span);
    env.machine.makes(bytes.item, span);
    env.machine.charge(items.length, span);
    return true;
  };
}

function addAll(items: readonly Json[], env: Environment, span: Span): Json {
  env.machine.place = span;
  countSteps(1 + items.length);
  // Texts are joined at once, for one that is added up from many parts is slow to read.
  if (items.length > 2 && items.every((item) => typeof item === "string")) {
    env.machine.charge(
      items.reduce<number>((size, item) => size + (item as string).length, 0),
      span,
    );
    return joined(items as readonly string[], env, span);
  }
  const sum = summing(env.machine, span);
  for (const item of items) sum.add(item);
  return sum.result();
}

function joined(items: readonly string[], env: Environment, span: Span): string {
  const text = items.join("");
  env.machine.makes(bytes.text + text.length * bytes.character, span);
  return text;
}

const notSortable = "cannot be sorted, as they are not both arrays";
const notIterable = "cannot be iterated over";

interface Keyed {
  /** The output of the key, if it always has one; else the list of its outputs. */
  readonly key: Json;
  readonly item: Json;
}

/** The items with their keys. */
function keyed(
  key: LazyCode,
  env: Environment,
  input: Json,
  span: Span,
  problem = notSortable,
): readonly Keyed[] {
  const one = key.single;
  const items = values(input, span).map((item): Keyed => {
    env.machine.makes(bytes.object + bytes.item, span);
    if (one !== undefined) {
      env.machine.tick(span);
      return { key: one(env, item), item };
    }
    const keys: Json[] = [];
    force(key.run(env, item, collect(keys, env, span)), env);
    return { key: keys, item };
  });
  if (isArray(input)) return items;
  const keys = items.map((item) => (one === undefined ? item.key : [item.key]));
  return fail(`${described(input)} and ${described(keys)} ${problem}`, span);
}

/** In the order of their keys; the sort is stable. */
function sorted(items: readonly Keyed[]): readonly Keyed[] {
  countSort(items.length);
  return items.toSorted((a, b) => compare(a.key, b.key));
}

/** Items with equal keys, in the order of the keys. */
function groups(items: readonly Keyed[]): readonly (readonly Json[])[] {
  countArray(items.length);
  const known = new Map<Json, { readonly key: Json; readonly item: Json[] }>();
  for (const { key, item } of items) {
    // Whether two structures are equal is for the sort to find out, and nan isn't equal to itself.
    if (typeof key === "object" || Number.isNaN(key)) return sortedGroups(items);
    if (typeof key === "string") countText(key.length);
    const group = known.get(key);
    if (group === undefined) {
      countMade(bytes.growing);
      known.set(key, { key, item: [item] });
    } else group.item.push(item);
  }
  return sorted([...known.values()]).map(({ item }) => item as readonly Json[]);
}

function sortedGroups(items: readonly Keyed[]): readonly (readonly Json[])[] {
  countArray(items.length);
  const result: Json[][] = [];
  let before: Keyed | undefined;
  for (const next of sorted(items)) {
    if (before !== undefined && compare(before.key, next.key) === 0) result.at(-1)!.push(next.item);
    else {
      countMade(bytes.growing);
      result.push([next.item]);
    }
    before = next;
  }
  return result;
}
