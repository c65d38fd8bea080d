import { expect, test } from "vitest";
import { evaluate, type Json } from "../../src/index.ts";

const items: readonly Json[] = Array.from({ length: 20_000 }, (_, id) => ({
  id,
  key: `k${id % 1000}`,
  name: `n${id}`,
}));

/** Folds over 20,000 items, and what to look at in the end; a copy of anything that grows would be too much. */
const folds: readonly (readonly [fold: string, look: string, result: Json])[] = [
  ["reduce .[] as $x ([]; . + [$x])", "length", 20_000],
  ["reduce .[] as $x ({list: []}; .list += [$x])", ".list | length, .[19999].id", 20_000],
  ["reduce .[] as $x ({}; .groups[$x.key] += [$x])", ".groups | length", 1000],
  ["reduce .[] as $x ({}; .byName[$x.name] = $x.id)", ".byName | length", 20_000],
  ["reduce .[] as $x ({}; .a.b.c += [$x.id])", ".a.b.c | length", 20_000],
  ["reduce .[] as $x ({}; .total.count += 1 | .items += [$x])", ".total.count", 20_000],
  ["reduce .[] as $x ({}; .items += [$x] | .count = (.items | length))", ".count", 20_000],
  ["reduce .[] as $x ({}; .list |= . + [$x])", ".list | length", 20_000],
  ["reduce .[] as $x ({}; .o |= (.n += 1 | .list += [$x]))", ".o.n", 20_000],
  ["reduce .[] as {$id, key: $k} ({}; .[$k].ids += [$id])", "length", 1000],
  ["reduce .[] as $x ({}; ($x.key) as $k | .seen[$k] += 1 | .list += [$k])", ".list | length", 20_000],
  [
    "reduce .[] as $x ({}; if $x.id % 2 == 0 then .even += [$x] else .odd += [$x] end)",
    ".odd | length",
    10_000,
  ],
  ["INDEX(.name)", "length", 20_000],
  [
    ". as $all | {n: 0} | until(.n >= ($all | length); .list += [$all[.n]] | .n += 1)",
    ".list | length",
    20_000,
  ],
  [
    "def collect($key; $item): .[$key] += [$item]; reduce .[] as $x ({}; collect($x.key; $x.id))",
    "length",
    1000,
  ],
  ["last(foreach .[] as $x ([]; . + [$x]; length))", ".", 20_000],
  ["last(foreach .[] as $x ({}; .list += [$x] | .n += 1; {n, id: $x.id}))", ".n", 20_000],
];

test.each(folds)("%s takes time and memory in proportion to its items", (fold, look, result) => {
  expect(evaluate(`${fold} | ${look}`, items as Json)[0]).toEqual(result);
});
