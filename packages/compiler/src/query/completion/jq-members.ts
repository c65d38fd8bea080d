import { printType, type Type, types } from "@configc/jq";
import type { JqProgram } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { flowOf } from "../../flow/flow.ts";
import { withoutHiddenBody } from "../../samples/response.ts";
import { insideQuotes } from "../jq-name.ts";
import { type Completion, literal } from "./completion.ts";

/** A completion without its place. */
export type Entry = Omit<Completion, "replace" | "snippet"> & { readonly snippet?: string };

/** The members of a type, each once. */
export function* members(of: Type, written: (name: string) => string): Generator<Entry> {
  const seen = new Set<string>();
  for (const part of types.partsOf(of)) {
    if (part.kind !== "object") continue;
    for (const [name, { type, optional }] of part.members) {
      if (seen.has(name)) continue;
      seen.add(name);
      const detail = `${optional ? "may be absent: " : ""}${printType(withoutHiddenBody(type))}`.slice(
        0,
        120,
      );
      yield { label: name, kind: "key", detail, snippet: inString(written(name)) };
    }
  }
}

/** All of it: the type that the program is checked with leaves out the roots that it doesn't mention, or not yet. */
export function inputOf(model: Model, { command }: JqProgram): Type {
  return flowOf(model).input(command);
}

/** The types that a program's input and holes have. */
export function typing(model: Model, program: JqProgram) {
  const flow = flowOf(model);
  const holes = flow.holes(program).map((type, index) => ({ ...spanOfHole(program, index), type }));
  return [flow.programInput(program), { holes }] as const;
}

function spanOfHole({ holes }: JqProgram, index: number) {
  const { start, end } = holes[index]!.syntax;
  return { start, end };
}

/** Text in a snippet inside a JSON string. */
export function inString(text: string): string {
  return literal(insideQuotes(text));
}
