import { expect, test } from "vitest";
import { evaluate, JqError } from "../src/index.ts";

// Values share their parts: sixty levels of `[., .]` take little memory, but nobody can walk them.
const pairs = "reduce range(60) as $i (1; [., .])";
const objects = "reduce range(60) as $i (1; {a: ., b: .})";
const longList = "[range(100000)]";

const budget = { steps: 300_000, size: 1_000_000 };

test.each([
  `${pairs} | tojson`,
  `${pairs} | "\\(.)"`,
  `${pairs} | @html`,
  `${pairs} | flatten`,
  `${pairs} | contains(${pairs})`,
  `(${pairs}) == (${pairs})`,
  `[${pairs}, ${pairs}] | sort`,
  `${objects} | tostring`,
  `(${objects}) == (${objects})`,
  `(${objects}) < (${objects})`,
  `(${objects}) * (${objects})`,
  `${objects} | walk(.)`,
  `${objects} | [paths]`,
  ".[536870911] = 1",
  `${longList} as $list | range(100000) | $list | add`,
  `${longList} as $list | range(100000) | $list[1:] | length`,
  `${longList} as $list | range(100000) | $list + [1] | length`,
  `[range(2000) | [range(2000)]] | transpose`,
  `("a" * 1000000) as $text | range(100000) | $text | ascii_upcase | length`,
  "reduce range(100000) as $i ({}; . * {($i | tostring): 1})",
])("%s ends by its budget", (program) => {
  let failure: unknown;
  try {
    evaluate(program, null, { budget });
  } catch (error) {
    failure = error;
  }
  expect(failure).toBeInstanceOf(JqError);
  expect((failure as JqError).kind).toBe("budget");
});

test.each([
  [`${pairs} | try error catch length`, 2],
  [
    `${pairs} | try (. - 1) catch .`,
    "array ([[[[[[[[[[[[[[[[[[[[[[[[[...]) and number (1) cannot be subtracted",
  ],
  [`${pairs} | (. == .), length`, true, 2],
])("%s needs no walk", (program, ...outputs) => {
  expect(evaluate(program, null, { budget })).toEqual(outputs);
});
