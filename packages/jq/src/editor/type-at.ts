import type { Expression, Program, Span } from "../syntax-tree.ts";
import { readIndex, readItems, readSlice } from "../types/access.ts";
import { type InferResult, infer } from "../types/infer.ts";
import type { InferOptions } from "../types/infer-options.ts";
import { Reports } from "../types/reports.ts";
import { literal, type Type } from "../types/type.ts";
import { nodesAt } from "../walk.ts";

/** The types of a sub-expression; the span is its own. */
export interface TypeAt extends Span {
  readonly input: Type;
  readonly output: Type;
}

/**
 * The types of the smallest expression at an offset, over all its evaluations. Within a path such as `.a.b`
 * it is the part up to the step at the offset. Undefined where nothing is evaluated.
 * @param inferred what `infer` gave for the same program; without it, it is inferred anew
 */
export function typeAt(
  program: Program,
  inputType: Type,
  offset: number,
  options: InferOptions = {},
  inferred: InferResult = infer(program, inputType, options),
): TypeAt | undefined {
  for (const node of nodesAt(program, offset).toReversed()) {
    const types = inferred.nodes.get(node as Expression);
    if (types === undefined) continue;
    if (node.kind !== "Postfix") return { start: node.start, end: node.end, ...types };
    const steps = node.suffixes.findIndex((suffix) => offset <= suffix.end);
    const head = inferred.nodes.get(node.head);
    if (steps === -1 || steps === node.suffixes.length - 1 || head === undefined) {
      return { start: node.start, end: node.end, ...types };
    }
    let output = head.output;
    for (const suffix of node.suffixes.slice(0, steps + 1)) output = stepped(output, suffix, inferred);
    return { start: node.start, end: node.suffixes[steps]!.end, input: types.input, output };
  }
  return undefined;
}

type Suffix = Extract<Expression, { kind: "Postfix" }>["suffixes"][number];

/** What a step gives for a value of a type. */
export function stepped(target: Type, suffix: Suffix, { nodes }: InferResult): Type {
  const unheard = new Reports();
  switch (suffix.kind) {
    case "Field":
    case "Index": {
      const key = suffix.kind === "Field" ? suffix.key : suffix.index;
      const name = key.kind === "Name" ? literal(key.text) : nodes.get(key)?.output;
      return name === undefined ? target : readIndex(target, name, suffix, unheard).type;
    }
    case "Slice":
      return readSlice(target, [], suffix, unheard).type;
    case "Iterate":
      return readItems(target, suffix, unheard).type;
    case "Optional":
      return target;
  }
}
