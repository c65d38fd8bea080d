import type { Json } from "../../src/index.ts";
import type { Random } from "./random.ts";

/*
 * Programs about alternatives (`?//`): nested patterns with computed keys, bodies that fail or have several outputs, folds over
 * them, and whoever takes the outputs failing. No `break`, and nothing that breaks within jq: there we differ on purpose.
 */

const names = ["a", "b", "c"];

export const alternativeInputs: readonly Json[] = [
  null,
  true,
  1,
  "s",
  [1],
  [[1, 2], 3],
  [[1, [2, [3]]]],
  { a: 1 },
  { a: [1, 2], b: { a: 3 }, k: "a" },
  [{ a: 1, b: 2 }, [3, 4], 5, null],
  { a: { a: 1, b: [2] }, b: [[1], 2], k: "b" },
];

export function generateAlternatives(random: Random): string {
  return `"a" as $z | ${around(random, expression(random, 2))}`;
}

function expression(random: Random, depth: number): string {
  return `${source(random)} as ${patterns(random)} | ${body(random, depth)}`;
}

function some(random: Random, least: number, make: () => string): string[] {
  return Array.from({ length: least + random.below(2) }, make);
}

function patterns(random: Random): string {
  return some(random, 2, () => pattern(random, 2)).join(" ?// ");
}

function variable(random: Random): string {
  return `$${random.of(names)}`;
}

function pattern(random: Random, depth: number): string {
  const kind = random.below(depth <= 0 ? 2 : 8);
  if (kind < 3) return variable(random);
  if (kind < 5) return `[${some(random, 1, () => pattern(random, depth - 1)).join(", ")}]`;
  return `{${some(random, 1, () => entry(random, depth - 1)).join(", ")}}`;
}

function entry(random: Random, depth: number): string {
  const key = random.of([
    variable(random),
    random.of(["a", "b", "k"]),
    random.of(['"a"', '"b"', '"\\("a", "b")"']),
    `(${random.of(['"a"', '"a", "b"', ".k", '"k", "b"', "$z", 'error("key")'])})`,
  ]);
  return key.startsWith("$") && random.chance(50) ? key : `${key}: ${pattern(random, depth)}`;
}

function source(random: Random): string {
  return random.of([
    ...[".", ".[]?", "(.k?)", "(., .[]?)", "([1, [2]])", "([[1, 2], 3, {a: 4}][])"],
    ...["{a: [1, 2]}", "(1, [2], {a: [3]})"],
  ]);
}

function body(random: Random, depth: number): string {
  const one = (): string => variable(random);
  const inner = (): string => body(random, depth - 1);
  const kind = random.of(["number", "array", "object", "null", "string"]);
  const simple: readonly (() => string)[] = [
    one,
    () => "[$a, $b, $c]",
    () => `(${one()}, ${one()})`,
    () => `(${one()}, error(${one()}))`,
    () => `(if (${one()} | type) == "${kind}" then error("x") else [$a, $b, $c] end)`,
    () => `(${one()}${random.of([" + 1", " | .a", "[0]", " | keys", "?"])})`,
    () => random.of(["empty", ".", "error"]),
  ];
  const deep: readonly (() => string)[] = [
    () => `(${expression(random, depth - 1)})`,
    () => `[${inner()}]`,
    () => `(try ${inner()} catch .)`,
    () => `(${inner()} | ${inner()})`,
    () => `(${inner()} // ${inner()})`,
    () => `(${inner()} as ${patterns(random)} | ${inner()})`,
    () => `(reduce (${inner()}) as $x (0; [., $x]))`,
    () =>
      `(reduce ${source(random)} as ${patterns(random)} ([]; . + [$a, $b, $c]${random.of(["", ' | if length > 3 then error("l") else . end', " | (., [$c])"])}))`,
    () =>
      `(foreach ${source(random)} as ${patterns(random)} (0; ${random.of([". + 1", "(., 1)", 'if $a == null then error("n") else . + 1 end', "empty"])}${random.of(["", "; [., $a, $b, $c]", '; if . > 1 then error("e") else [., $b] end'])}))`,
    () => `(def f(g): ${inner()}; f(${inner()}))`,
  ];
  return random.of(depth === 0 ? simple : [...simple, ...deep])();
}

function around(random: Random, text: string): string {
  const failing = 'if type == "array" then error("after") else . end';
  return random.of([
    text,
    `[${text}]`,
    `try (${text}) catch ["caught", .]`,
    `(${text}) | ${failing}`,
    `try (${text}) catch "c" | ${failing}`,
    `[(${text})?]`,
    `reduce (${text}) as $x (0; if $x == null then error("fold") else . + 1 end)`,
    `[foreach (${text}) as $x (0; . + 1; if $x == 1 then error("fold") else [., $x] end)]`,
    `(${text}) // "none"`,
    `[skip(1; ${text})]`,
  ]);
}
