import { writeFileSync } from "node:fs";
import { loadJq } from "jq-wasm";
import type { Json } from "../../src/index.ts";
import { pairValues, programs, values, wrapped } from "./operations.ts";

// Asks the reference what every operator and builtin does with every kind of value, and writes it down:
// node scripts/ts.mjs packages/jq/test/builtins/record.ts && npx biome format --write packages/jq/test/builtins

/** Outputs as they are, an error as its value. Absent where the reference doesn't know the program. */
export type Outcome = { readonly outputs: readonly Json[] } | { readonly error: Json };

const jq = await loadJq();

function outcomes(program: string, inputs: readonly (readonly Json[])[]): readonly Outcome[] | undefined {
  const { stdout, stderr } = jq.raw(
    inputs.map((input) => JSON.stringify(input)).join("\n"),
    wrapped(program),
    ["-c"],
  );
  if (stderr !== "") return undefined;
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Outcome);
}

const { unary, binary } = programs();
const ofOne = values.map((value) => [value, null]);
const ofTwo = pairValues.flatMap((a) => pairValues.map((b) => [a, b]));
const distinct = new Map<string, number>();
const index = (outcome: Outcome): number => {
  const text = JSON.stringify(outcome);
  const known = distinct.get(text) ?? distinct.size;
  distinct.set(text, known);
  return known;
};
const lines: string[] = [];
for (const [list, inputs] of [
  [unary, ofOne],
  [binary, ofTwo],
] as const) {
  for (const program of list) {
    const found = outcomes(program, inputs);
    if (found !== undefined) lines.push(`${JSON.stringify(program)}: ${JSON.stringify(found.map(index))}`);
  }
}
const text = `{"outcomes": [\n${[...distinct.keys()].join(",\n")}\n],\n"programs": {\n${lines.join(",\n")}\n}}\n`;
writeFileSync(new URL("./recorded.json", import.meta.url), text);
console.log(`${lines.length} of ${unary.length + binary.length} programs recorded`);
