import { expect, test } from "vitest";
import { compile, JqError, type Json } from "../../src/index.ts";
import { FoldGenerator } from "./generate.ts";

function frozen<Value extends Json>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

const items = [1, "a", [2, [3]], { v: 1, k: "l" }, null, { v: [4], k: "g" }, 5];
/** Nothing in them is ever to change: a strict module can't write to what is frozen. */
const inputs: readonly Json[] = [
  { items, start: { l: [0], o: { l: [{ v: [1] }], m: { l: [] } }, n: 1, name: "g" } },
  { items: items.map((v, at) => ({ v, k: at % 2 === 0 ? "l" : "m" })), start: null },
  { items: [3, 1, 2, 3, 3], start: [[[1]], { a: { b: [] } }] },
].map(frozen);

const MOST_OUTPUTS = 30;
const MOST_KEPT = 500;
/** What a fold makes may share most of its parts: written out, it can be longer than anything. */
const MOST_NODES = 2_000;

/** How many values stand in a value, itself too; counting ends where there are too many. */
function nodesOf(value: Json): number {
  let nodes = 0;
  const waiting: Json[] = [value];
  for (let next = waiting.pop(); next !== undefined && nodes <= MOST_NODES; next = waiting.pop()) {
    nodes++;
    if (typeof next === "object" && next !== null) waiting.push(...(Object.values(next) as Json[]));
  }
  return nodes;
}

/**
 * What a program gives and shows, as it was then, and which of it is something else in the end. Undefined if it takes
 * too much, which depends on the way it is run.
 */
function trace(program: string, input: Json): readonly string[] | undefined {
  const kept: [Json, string][] = [];
  let isLarge = false;
  const keep = (value: Json): void => {
    isLarge ||= kept.length > MOST_KEPT || nodesOf(value) > MOST_NODES;
    if (!isLarge) kept.push([value, JSON.stringify(value)]);
  };
  let end = "the end";
  try {
    const budget = { steps: 3_000, memory: 100_000 };
    const io = { inputs: frozen([[1], [2], [3]]), debug: keep };
    const emit = (output: Json): boolean => {
      keep(output);
      return kept.length < MOST_OUTPUTS && !isLarge;
    };
    compile(program).filter!.run(input, { budget, io, emit });
  } catch (error) {
    if (!(error instanceof JqError)) throw error;
    if (error.kind === "budget") return undefined;
    end = error.message;
    if (error.kind === "error") keep(error.value);
  }
  if (isLarge) return undefined;
  const changed = kept.filter(([value, text]) => JSON.stringify(value) !== text).map(([, text]) => text);
  return [...kept.map(([, text]) => text), end, ...changed.map((text) => `changed later: ${text}`)];
}

test("generated folds give what they give without changing anything in place", () => {
  const generator = new FoldGenerator(7);
  const wrong: unknown[] = [];
  let succeeded = 0;
  for (let round = 0; round < 1000; round++) {
    const { inPlace, plain } = generator.pair();
    const input = inputs[round % inputs.length]!;
    const [actual, expected] = [trace(inPlace, input), trace(plain, input)];
    if (actual === undefined || expected === undefined) continue;
    if (actual.at(-1) === "the end" && actual.length > 1) succeeded++;
    if (JSON.stringify(actual) !== JSON.stringify(expected)) wrong.push({ inPlace, actual, expected });
  }
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(succeeded).toBeGreaterThan(300);
});
