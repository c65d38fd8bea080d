import type { Json } from "@configc/jq";
import { isObject } from "@configc/jq/internal";
import { type KnownValue, unknownValue, type ValueKind } from "./known-api.ts";

/** What some values show that were answered at one place. */
export function seenValue(values: readonly Json[], depth = 0): KnownValue {
  const objects = values.filter((value) => isObject(value));
  const lists = values.filter((value): value is Json[] => Array.isArray(value));
  const names = new Set(objects.flatMap((object) => Object.keys(object)));
  const isDeep = depth > DEEPEST;
  return {
    ...unknownValue,
    kinds: [...new Set(values.map(kindOf))],
    members: isDeep
      ? {}
      : Object.fromEntries(
          [...names].map((name) => {
            const there = objects.flatMap((object) =>
              Object.hasOwn(object, name) ? [object[name] ?? null] : [],
            );
            return [name, { ...seenValue(there, depth + 1), isOmitted: there.length < objects.length }];
          }),
        ),
    item: lists.length === 0 || isDeep ? undefined : seenValue(lists.flat(), depth + 1),
    examples: [
      ...new Set(values.filter((value) => typeof value === "string" || typeof value === "number")),
    ].slice(0, MOST_EXAMPLES),
    sorted: sortedIn(lists),
  };
}

const DEEPEST = 12;
const MOST_EXAMPLES = 12;

function kindOf(value: Json): ValueKind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const kind = typeof value;
  return kind === "boolean" || kind === "number" || kind === "string" ? kind : "object";
}

/** Records that show an order; fewer may be in it by chance. */
const ENOUGH = 3;

function sortedIn(lists: readonly Json[][]): KnownValue["sorted"] {
  const sorted: Record<string, "ascending" | "descending"> = {};
  const long = lists.filter(({ length }) => length >= ENOUGH);
  const [first] = long;
  if (first === undefined || !isObject(first[0]!)) return sorted;
  for (const name of Object.keys(first[0])) {
    const columns = long.map((list) => list.map((item) => (isObject(item) ? item[name] : undefined)));
    const isScalar = columns
      .flat()
      .every((value): value is string | number => typeof value === "string" || typeof value === "number");
    if (!isScalar || columns.every((column) => new Set(column).size < ENOUGH)) continue;
    const isIn = (sign: 1 | -1): boolean =>
      columns.every((column) =>
        column.every((value, index) => index === 0 || compare(column[index - 1]!, value!) * sign <= 0),
      );
    if (isIn(1)) sorted[name] = "ascending";
    else if (isIn(-1)) sorted[name] = "descending";
  }
  return sorted;
}

function compare(a: Json, b: Json): number {
  return a! < b! ? -1 : a! > b! ? 1 : 0;
}
