import type { Json } from "../../src/index.ts";
import type { Random } from "./random.ts";

const texts = [
  "",
  "a",
  "b",
  "c",
  "ab",
  "a,b",
  "É😀z",
  "x y",
  "12",
  "-1.5",
  "1e3",
  "null",
  "[1]",
  "2015-03-05T23:51:47Z",
  "<&'\">",
  "\u0000\u007f",
  "ａ",
];
const numbers = [0, 1, -1, 2, 3, 0.5, -2.5, 10, 100, 12345678, -0.1, 1425599507, 4294967296];
const names = ["a", "b", "c", "items", "name", "id"];

/** A value of any kind. */
export function anyValue(random: Random, depth = 3): Json {
  const kind = random.below(depth === 0 ? 5 : 9);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(50);
  if (kind === 2) return random.of(numbers);
  if (kind <= 4) return random.of(texts);
  const length = random.below(4);
  if (kind <= 6) return Array.from({ length }, () => anyValue(random, depth - 1));
  return Object.fromEntries(
    Array.from({ length }, () => [random.of(names), anyValue(random, depth - 1)] as const),
  );
}

/** A value as programs expect it, mostly: members `n`, `s`, `b`, `l` (numbers), `t` (texts), `o`, `items`. */
export function shapedValue(random: Random): Json {
  const some = <Item>(make: () => Item): Item[] => Array.from({ length: random.below(4) }, make);
  const item = (): Json => ({
    id: random.of(numbers),
    name: random.of(texts),
    tags: some(() => random.of(texts)),
    ...(random.chance(50) ? { extra: anyValue(random, 2) } : {}),
  });
  const value: Record<string, Json> = {
    n: random.of(numbers),
    s: random.of(texts),
    b: random.chance(50),
    l: some(() => random.of(numbers)),
    t: some(() => random.of(texts)),
    o: Object.fromEntries(some(() => [random.of(names), anyValue(random, 1)] as const)),
    items: some(item),
  };
  if (random.chance(20)) value[random.of(Object.keys(value))] = anyValue(random);
  return value;
}
