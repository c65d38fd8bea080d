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

interface Customer {
  readonly [name: string]: Json;
}

/** As customers have them: seven members, some of them nested. */
function customers(count: number): Json {
  const items = Array.from(
    { length: count },
    (_, id): Customer => ({
      id,
      name: `n${id}`,
      key: `k${id % 100}`,
      price: id * 1.5,
      tags: ["a", "b"],
      address: { zip: "x", floor: 1 },
      when: "2015-03-05T23:51:47Z",
    }),
  );
  return { items };
}

/** Updates by paths of 20,000 items, within the default budget, and what to look at in the end. */
const updates: readonly (readonly [update: string, look: string, result: Json])[] = [
  ["(.. | strings) |= ascii_upcase", ".items[19999].tags", ["A", "B"]],
  ['(.. | select(type == "number")) |= . + 1', ".items[19999].id", 20_000],
  ["del(.items[].price)", '.items[19999] | has("price")', false],
  ["del(.items[].address.zip, .items[].tags)", ".items[19999].address", { floor: 1 }],
  ["del(.. | .floor?)", ".items[19999].address", { zip: "x" }],
  ['delpaths([paths(type == "number")])', ".items[19999] | keys", ["address", "key", "name", "tags", "when"]],
  ["pick(.items[].id)", ".items[19999]", { id: 19_999 }],
  ["fromstream(tostream)", ".items[19999].id", 19_999],
  ["reduce paths(scalars) as $p (.; setpath($p; 0))", ".items[19999].tags", [0, 0]],
  ["reduce .items[] as $x ({}; . * {($x.name): {n: $x.id}})", "length", 20_000],
  ["reduce .items[] as $x ({}; . *= {all: {($x.name): {n: 1}}})", ".all | length", 20_000],
  ['reduce .items[] as $x ({}; setpath(["a", $x.name]; $x.id))', ".a | length", 20_000],
  ['reduce range(20000) as $i (.; getpath(["items", $i, "id"]) |= . + 1)', ".items[19999].id", 20_000],
  ['reduce range(20000) as $i (.; delpaths([["items", $i, "id"]]))', ".items[19999].id", null],
  ["reduce range(20000) as $i (.; del(.items[$i].id))", ".items[19999].id", null],
  ["(.items[] | .id, .price) |= . + 1", ".items[19999].id", 20_000],
  ["(.items[].id, .items[].price) = 0", ".items[19999].price", 0],
  ["(.items[].tags[1:]) |= []", ".items[19999].tags", ["a"]],
];
const many = customers(20_000);

test.each(updates)("%s fits into the default budget", (update, look, result) => {
  expect(evaluate(`${update} | ${look}`, many)[0]).toEqual(result);
});

/** Steps and bytes that a program needs, to a twentieth: the least budget that it ends with. */
function least(program: string, input: Json, limit: "steps" | "memory"): number {
  let [low, high] = [0, 1e9];
  while (high - low > high / 20) {
    const middle = (low + high) / 2;
    try {
      evaluate(program, input, { budget: { memory: 1e12, steps: 1e12, [limit]: middle } });
      high = middle;
    } catch {
      low = middle;
    }
  }
  return high;
}

const some = customers(300);
const more = customers(1200);

test.each(updates)("%s counts steps and bytes in proportion to its paths", (update) => {
  const program = update.replaceAll("20000", ".items | length");
  for (const limit of ["steps", "memory"] as const) {
    const ratio = least(program, more, limit) / least(program, some, limit);
    expect(ratio, limit).toBeLessThan(4.8);
  }
});
