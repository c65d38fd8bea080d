import type { Json } from "../../json.ts";
import { index, indicesOfArray, values } from "../access.ts";
import { fail } from "../error.ts";
import { doubleOf } from "../exact-number.ts";
import { bytes, countArray, countMade, countSize, countSort, countSteps } from "../meter.ts";
import { length } from "../operators.ts";
import { compare, described, equals, excerpt, isArray, isObject, typeName } from "../values.ts";
import type { ValueFunction } from "./contract.ts";

/** Arrays, and orderings. */
export const collectionFunctions: Readonly<Record<string, ValueFunction>> = {
  "sort/0": (input, _args, _machine, span) => sorted(sortable(input, span)),
  "unique/0": (input, _args, _machine, span) => unique(sorted(sortable(input, span))),
  "min/0": (input, _args, _machine, span) =>
    iterable(input, span).reduce<Json>(
      (least, item, at) => (at === 0 || compare(item, least) < 0 ? item : least),
      null,
    ),
  "max/0": (input, _args, _machine, span) =>
    iterable(input, span).reduce<Json>(
      (most, item, at) => (at === 0 || compare(item, most) >= 0 ? item : most),
      null,
    ),
  "reverse/0": (input, _args, _machine, span) => {
    if (isArray(input)) {
      countArray(input.length);
      return input.toReversed();
    }
    if (length(input, span) === 0) return [];
    // What is read first is the last item.
    return index(input, (length(input, span) as number) - 1, span);
  },
  // Of two texts.
  "_indices/1": (input, [wanted], machine, span) => indices(input, wanted!, machine, span),
  "indices/1": (input, [wanted], machine, span) => indices(input, wanted!, machine, span),
  "index/1": (input, [wanted], machine, span) => {
    const found = indices(input, wanted!, machine, span);
    return isArray(found) ? (found[0] ?? null) : index(found, 0, span);
  },
  "rindex/1": (input, [wanted], machine, span) => {
    const found = indices(input, wanted!, machine, span);
    return isArray(found) ? (found.at(-1) ?? null) : index(found, -1, span);
  },
  "transpose/0": (input, _args, _machine, span) => {
    const rows = values(input, span);
    // A number has a length too, which says nothing but that there is a column, in which it fails.
    const widths = rows.map((row) => doubleOf(length(row, span))!);
    const width = Math.ceil(widths.reduce((most, next) => Math.max(most, next), 0));
    countSize(width * rows.length);
    countSteps(width * (rows.length + 1));
    countMade(width * (bytes.array + (rows.length + 1) * bytes.item));
    return Array.from({ length: width }, (_, column) => rows.map((row) => index(row, column, span)));
  },
  "flatten/0": (input, _args, _machine, span) => flatten(input, Number.POSITIVE_INFINITY, span),
  "flatten/1": (input, [depth], _machine, span) => {
    if (compare(depth!, 0) < 0) return fail("flatten depth must not be negative", span);
    const levels = doubleOf(depth);
    // jq counts down to zero, which half a level never reaches.
    if (levels !== undefined)
      return flatten(input, Number.isInteger(levels) ? levels : Number.POSITIVE_INFINITY, span);
    const flat = flatten(input, 0, span) as readonly Json[];
    return flat.some(isArray) ? fail(`${described(depth!)} and number (1) cannot be subtracted`, span) : flat;
  },
  "bsearch/1": (input, [wanted], _machine, span) => {
    if (!isArray(input)) return fail(`${described(input)} cannot be searched from`, span);
    let low = 0;
    // Where a list isn't sorted it matters which items are looked at.
    let end = input.length;
    while (low < end) {
      const middle = low + ((end - low) >> 1);
      const order = compare(input[middle]!, wanted!);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else end = middle;
    }
    return -1 - low;
  },
};

function sortable(value: Json, span: Parameters<ValueFunction>[3]): readonly Json[] {
  return isArray(value) ? value : fail(`${described(value)} cannot be sorted, as it is not an array`, span);
}

function iterable(value: Json, span: Parameters<ValueFunction>[3]): readonly Json[] {
  return isArray(value)
    ? value
    : fail(`${described(value)} and ${described(value)} cannot be iterated over`, span);
}

function sorted(items: readonly Json[]): readonly Json[] {
  countSort(items.length);
  return items.toSorted(compare);
}

function unique(sorted: readonly Json[]): readonly Json[] {
  return sorted.filter((item, at) => at === 0 || !equals(item, sorted[at - 1]!));
}

function indices(
  value: Json,
  wanted: Json,
  machine: Parameters<ValueFunction>[2],
  span: Parameters<ValueFunction>[3],
): Json {
  if (isArray(value)) return indicesOfArray(value, isArray(wanted) ? wanted : [wanted]);
  if (typeof value !== "string" || typeof wanted !== "string") return index(value, wanted, span);
  const found: number[] = [];
  if (wanted === "") return found;
  let codePoints = 0;
  let counted = 0;
  for (let at = value.indexOf(wanted); at !== -1; at = value.indexOf(wanted, at + 1)) {
    for (; counted < at; counted++) {
      const unit = value.charCodeAt(counted);
      // The second half of a pair was counted with the first.
      if (unit < 0xdc00 || unit > 0xdfff || counted === 0 || !isHigh(value.charCodeAt(counted - 1)))
        codePoints++;
    }
    found.push(codePoints);
    machine.tick(span);
    machine.makes(bytes.item, span);
  }
  return found;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function flatten(value: Json, depth: number, span: Parameters<ValueFunction>[3]): Json {
  const items = isObject(value) ? Object.values(value) : value;
  if (!isArray(items)) {
    return fail(`Cannot iterate over ${typeName(value)} (${excerpt(value)})`, span);
  }
  const out: Json[] = [];
  // The arrays that are being gone through: the outermost first.
  const stack = [{ items, next: 0 }];
  countSteps(1 + items.length);
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    if (top.next === top.items.length) {
      stack.pop();
      continue;
    }
    const item = top.items[top.next++]!;
    if (!isArray(item) || stack.length > depth) {
      out.push(item);
      countMade(bytes.item);
      continue;
    }
    countSteps(1 + item.length);
    stack.push({ items: item, next: 0 });
  }
  countSize(out.length);
  return out;
}
