import type { Json } from "../../json.ts";
import type { Span } from "../../syntax-tree.ts";
import { getPath, values } from "../access.ts";
import { fail } from "../error.ts";
import { doubleOf } from "../exact-number.ts";
import { type Emit, type Environment, force, type LazyCode, type Path, type Single } from "../machine.ts";
import { bytes, countArray, countMade, countSort, countSteps, countText } from "../meter.ts";
import { summing } from "../operators.ts";
import { Ownership } from "../ownership.ts";
import { finished, isInputItself, pathKeys, pathTo } from "../paths.ts";
import { compare, described, isArray, isTrue } from "../values.ts";
import type { FilterFunction } from "./contract.ts";

/** Builtins that run their arguments themselves. */
export const filters: Readonly<Record<string, FilterFunction>> = {
  "empty/0": { run: () => () => true, maybe: () => () => undefined, paths: () => () => true },
  "select/1": {
    maybe: ([condition]) => {
      const holds = condition!.single;
      return holds && ((env, input) => (isTrue(holds(env, input)) ? input : undefined));
    },
    run:
      ([condition]) =>
      (env, input, emit) =>
        force(
          condition!.run(env, input, (value) => !isTrue(value) || emit(input)),
          env,
        ),
    paths:
      ([condition]) =>
      (env, path, input, emit) =>
        force(
          condition!.run(env, input, (value) => !isTrue(value) || emit(path, input)),
          env,
        ),
  },
  "map/1": oneOutput(([update], span) => (env, input) => {
    const items: Json[] = [];
    const push = collect(items, env, span);
    const one = update!.maybe;
    for (const item of values(input, span)) {
      if (one === undefined) force(update!.run(env, item, push), env);
      else {
        env.machine.tick(span);
        const output = one(env, item);
        if (output !== undefined) items.push(output);
      }
    }
    if (one !== undefined) env.machine.makes(bytes.growing + items.length * bytes.item, span);
    return items;
  }),
  "range/1": {
    run:
      ([upto], span) =>
      (env, input, emit) =>
        force(
          upto!.run(env, input, (end) => count(env, 0, end, 1, emit, span)),
          env,
        ),
  },
  "range/2": {
    run:
      ([from, upto], span) =>
      (env, input, emit) =>
        force(
          from!.run(env, input, (start) =>
            force(
              upto!.run(env, input, (end) => count(env, start, end, 1, emit, span)),
              env,
            ),
          ),
          env,
        ),
  },
  "first/1": {
    run:
      ([generator]) =>
      (env, input, emit) => {
        let found = false;
        let first: Json = null;
        const going = force(
          generator!.run(env, input, (value) => {
            found = true;
            first = value;
            return false;
          }),
          env,
        );
        return found ? emit(first) : going;
      },
    paths:
      ([generator]) =>
      (env, path, input, emit) => {
        let first: readonly [Path, Json] | undefined;
        const going = generator!.paths(env, path, input, (at, value) => {
          first = [at, value];
          return false;
        });
        return first === undefined ? going : emit(...first);
      },
  },
  "last/1": {
    run:
      ([generator], span) =>
      (env, input, emit) => {
        const last = lastOf(generator!, env, input, span);
        return last === undefined || emit(last);
      },
    // Unlike the first, jq knows the last output only by its value.
    paths:
      ([generator], span) =>
      (env, path, input, emit) => {
        const last = lastOf(generator!, env, input, span);
        return last === undefined || emit(isInputItself(last, input) ? path : undefined, last);
      },
  },
  "isempty/1": oneOutput(([generator]) => (env, input) => {
    let isEmpty = true;
    force(
      generator!.run(env, input, () => {
        isEmpty = false;
        return false;
      }),
      env,
    );
    return isEmpty;
  }),
  "until/2": {
    run:
      ([condition, update], span) =>
      (env, input, emit) => {
        const holds = condition!.single;
        const change = update!.single;
        if (holds !== undefined && change !== undefined) {
          let value = input;
          // What a condition gives is looked at and not kept, so it is a fold like any other.
          const inPlace = condition!.isQuiet ? update!.inPlace : undefined;
          const owned = new Ownership();
          while (!isTrue(holds(env, value))) {
            env.machine.tick(span);
            value = inPlace === undefined ? change(env, value) : inPlace(env, value, owned, 0);
          }
          return emit(value);
        }
        const step: Emit = (value) => {
          env.machine.tick(span);
          return force(
            condition!.run(env, value, (test) =>
              isTrue(test) ? emit(value) : force(update!.run(env, value, step), env),
            ),
            env,
          );
        };
        return step(input);
      },
  },
  "while/2": {
    run:
      ([condition, update], span) =>
      (env, input, emit) => {
        const holds = condition!.single;
        const change = update!.single;
        if (holds !== undefined && change !== undefined) {
          for (let value = input; isTrue(holds(env, value)); value = change(env, value)) {
            env.machine.tick(span);
            if (!emit(value)) return false;
          }
          return true;
        }
        const step: Emit = (value) => {
          env.machine.tick(span);
          return force(
            condition!.run(
              env,
              value,
              (test) => !isTrue(test) || (emit(value) && force(update!.run(env, value, step), env)),
            ),
            env,
          );
        };
        return step(input);
      },
  },
  "path/1": {
    run:
      ([expression], span) =>
      (env, input, emit) =>
        expression!.paths(env, null, input, (path, value) => emit(pathKeys(finished(path, value, span)))),
  },
  "getpath/1": {
    run:
      ([path], span) =>
      (env, input, emit) =>
        force(
          path!.run(env, input, (keys) => emit(getPath(input, pathArray(keys, span), span))),
          env,
        ),
    paths:
      ([path], span) =>
      (env, at, input, emit) =>
        force(
          path!.run(env, input, (keys) => {
            let step = at;
            let value: Json = input;
            for (const key of pathArray(keys, span)) step = pathTo(step, key, value, span);
            // A path that doesn't exist may still be assigned to.
            value = getPath(input, keys as readonly Json[], span);
            return emit(step, value);
          }),
          env,
        ),
  },
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

/** A builtin that always has exactly one output. */
function oneOutput(compute: (args: readonly LazyCode[], span: Span) => Single): FilterFunction {
  return {
    single: compute,
    run: (args, span) => {
      const one = compute(args, span);
      return (env, input, emit) => emit(one(env, input));
    },
  };
}

function lastOf(generator: LazyCode, env: Environment, input: Json, span: Span): Json | undefined {
  let last: Json | undefined;
  force(
    generator.run(env, input, (value) => {
      env.machine.tick(span);
      last = value;
      return true;
    }),
    env,
  );
  return last;
}

function pathArray(value: Json, span: Span): readonly Json[] {
  return isArray(value) ? value : fail("Path must be specified as an array", span);
}

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

function count(env: Environment, from: Json, upto: Json, by: number, emit: Emit, span: Span): boolean {
  if (typeof from !== "number" || typeof upto !== "number") {
    const [start, end] = [doubleOf(from), doubleOf(upto)];
    if (start === undefined || end === undefined) return fail("Range bounds must be numeric", span);
    return count(env, start, end, by, emit, span);
  }
  for (let value = from; value < upto; value += by) {
    env.machine.tick(span);
    if (!emit(value)) return false;
  }
  return true;
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
