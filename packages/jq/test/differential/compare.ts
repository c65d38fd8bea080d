import { compile, JqError, type Json } from "../../src/index.ts";
import type { Difference } from "./kept.ts";
import { reasonToKeep } from "./kept.ts";
import type { Reference, ReferenceResult } from "./reference.ts";

/** `skipped`: one of the two can't tell (a budget, an abort, a builtin that we lack). */
export type Verdict =
  | { readonly kind: "same"; readonly succeeded: boolean }
  | { readonly kind: "skipped" }
  | { readonly kind: "kept"; readonly why: string }
  | { readonly kind: "different"; readonly difference: Difference };

/** Runs a program in both engines, and asks about a difference whether we keep it. */
export async function compareOne(reference: Reference, program: string, input: Json): Promise<Verdict> {
  const verdict = await compareStrictly(reference, program, input);
  if (verdict.kind !== "different") return verdict;
  const why = await reasonToKeep(verdict.difference, async (pair) => {
    const again = await compareStrictly(reference, pair.program, pair.input);
    return again.kind === "different";
  });
  return why === undefined ? verdict : { kind: "kept", why };
}

async function compareStrictly(reference: Reference, program: string, input: Json): Promise<Verdict> {
  const actual = ours(program, input);
  if (actual === undefined) return { kind: "skipped" };
  const expected = await reference.run(program, JSON.stringify(input));
  if (expected === undefined) return { kind: "skipped" };
  const isSame =
    JSON.stringify(expected.outputs.map(normal)) === JSON.stringify(actual.outputs.map(normal)) &&
    expected.error === actual.error;
  if (isSame) return { kind: "same", succeeded: expected.error === undefined && expected.outputs.length > 0 };
  return { kind: "different", difference: { program, input, expected, actual } };
}

/** What our engine gives, as jq would print it. */
export function ours(program: string, input: Json): ReferenceResult | undefined {
  const { filter } = compile(program);
  if (filter === undefined) return undefined;
  const print = compile("tojson").filter!;
  const text = (value: Json): string => print.first(value) as string;
  try {
    const outputs = filter.all(input, { budget: { steps: 200_000, milliseconds: 1000, size: 1_000_000 } });
    return { outputs: outputs.map(text), error: undefined };
  } catch (error) {
    if (!(error instanceof JqError)) throw error;
    if (error.kind !== "error") return undefined;
    return { outputs: error.outputsSoFar.map(text), error: errorText(error, text) };
  }
}

/** As jq's command line prints an error's value. */
function errorText({ value }: JqError, text: (value: Json) => string): string {
  if (typeof value === "string") return value.trimEnd();
  if (typeof value === "object" && value !== null) return `(not a string): ${text(value)}`;
  return `(not a string): ${text(value)}`;
}

/** Members in one order: names that are digits stand elsewhere in our objects. */
function normal(line: string): string {
  if (!/"\d+":/.test(line)) return line;
  const ordered = (_name: string, value: unknown): unknown =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  try {
    return JSON.stringify(JSON.parse(line, ordered));
  } catch {
    return line;
  }
}
