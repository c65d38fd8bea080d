import { infer, printType, type Type, types } from "../../src/index.ts";
import { unmark } from "../support/tree.ts";

const { array, boolean, literal, nullType, number, object, record, string, union, unknown } = types;

/** Types that the tables name. */
export const named: Readonly<Record<string, Type>> = {
  unknown,
  number,
  string,
  null: nullType,
  numbers: array(number),
  scalar: union(string, number, nullType),
  // A value of one of two kinds, told by `kind`.
  tagged: union(
    record({ kind: literal("user"), name: string }),
    record({ kind: literal("group"), members: array(string) }),
  ),
  issue: object([
    ["id", { type: number, optional: false }],
    ["title", { type: string, optional: false }],
    ["body", { type: union(string, nullType), optional: false }],
    ["note", { type: string, optional: true }],
    ["labels", { type: array(record({ name: string })), optional: false }],
    ["done", { type: boolean, optional: false }],
  ]),
  open: object([["id", { type: number, optional: false }]], unknown),
  map: object([], number),
  empty: record({}),
};

/** Type and number of outputs of a program for an input of a named type. */
export function inferred(program: string, input: string): string {
  const { type, cardinality, fails } = infer(program, named[input]);
  return `${printType(type)}, ${cardinality}${fails ? ", fails" : ""}`;
}

/** The program with its findings' characters in ⟦…⟧, and their codes, in the same order. */
export function found(marked: string, input: string): readonly string[] {
  const { text } = unmark(marked);
  const { diagnostics } = infer(text, named[input]);
  const inserts = diagnostics.flatMap(({ start, end }) => [
    { at: start, text: "⟦" },
    { at: end, text: "⟧" },
  ]);
  let result = text;
  for (const { at, text: mark } of inserts.sort((a, b) => b.at - a.at)) {
    result = result.slice(0, at) + mark + result.slice(at);
  }
  return [result, ...diagnostics.map(({ code }) => code)];
}
