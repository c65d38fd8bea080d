import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compile, type Json } from "../../src/index.ts";
import { differences } from "./differences.ts";
import { pairValues, programs, values, wrapped } from "./operations.ts";
import type { Outcome } from "./record.ts";

/** What the reference does; written by `record.ts`. */
const recorded = JSON.parse(readFileSync(new URL("./recorded.json", import.meta.url), "utf8")) as {
  readonly outcomes: readonly Outcome[];
  readonly programs: Readonly<Record<string, readonly number[]>>;
};

const { unary, binary } = programs();
const inputsOfOne = values.map((value): Json => [value, null]);
// Copies, as whoever reads them from a text has: a part of `$b` isn't a part of `$a`.
const inputsOfTwo = pairValues.flatMap((a) => pairValues.map((b): Json => [a, structuredClone(b)]));

/** Doubles may differ in their last bits: each library computes sines its own way. */
function roughly(value: unknown): unknown {
  if (typeof value === "number") return Number(value.toPrecision(13));
  if (Array.isArray(value)) return value.map(roughly);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, roughly(item)]));
}

describe("every operator and builtin does with every kind of value what jq does", () => {
  const cases = [
    ...unary.map((program) => ({ program, inputs: inputsOfOne })),
    ...binary.map((program) => ({ program, inputs: inputsOfTwo })),
  ].filter(({ program }) => Object.hasOwn(recorded.programs, program) && !differences.has(program));

  test.each(cases)("$program", ({ program, inputs }) => {
    const { filter, diagnostics } = compile(wrapped(program));
    expect(diagnostics).toEqual([]);
    const expected = recorded.programs[program]!.map((at) => recorded.outcomes[at]!);
    const actual = inputs.map((input) => JSON.parse(printed(filter!.first(input, { io: {} })!)) as Outcome);
    const wrong = inputs
      .map((input, at) => ({ input, expected: roughly(expected[at]), actual: roughly(actual[at]) }))
      .filter((result) => JSON.stringify(sorted(result.expected)) !== JSON.stringify(sorted(result.actual)));
    expect(wrong).toEqual([]);
  });

  test("differences are of programs that are recorded", () => {
    const all = new Set([...unary, ...binary]);
    expect([...differences.keys()].filter((program) => !all.has(program))).toEqual([]);
  });
});

const print = compile("tojson").filter!;
/** As jq prints it: infinity has a text there. */
function printed(value: Json): string {
  return print.first(value) as string;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const names = Object.keys(value).sort();
  return names.map((name) => [name, sorted((value as Record<string, unknown>)[name])]);
}
