import type { JqDiagnostic } from "../diagnostics.ts";
import { resolve } from "../resolve/resolve.ts";
import { parse } from "../syntax/parser.ts";
import type { Expression, Program } from "../syntax-tree.ts";
import type { Cardinality } from "./cardinality.ts";
import { anyFlow, type Flow } from "./flow.ts";
import type { InferOptions } from "./infer-options.ts";
import { Inference } from "./inference.ts";
import { type Type, unknown } from "./type.ts";

/** What a program gives: the type of its outputs, how many there are, and findings about types. */
export interface InferResult extends Flow {
  /** What certainly fails, or has the same result always, for every input of the type; in source order. */
  readonly diagnostics: readonly JqDiagnostic[];
  /** What each expression was seen to take and give, over all its uses. */
  readonly nodes: ReadonlyMap<Expression, { readonly input: Type; readonly output: Type }>;
}

/**
 * Infers the type of a program's outputs, and how many there are. What is claimed holds for every output
 * of every input of the given type; what isn't known is `unknown`. A finding is reported only if the place
 * is wrong whenever it is evaluated, and no `try`, `?` or `//` catches it.
 * @param program its text, or the tree that `parse` made of it with the same holes
 */
export function infer(
  program: string | Program,
  inputType: Type = unknown,
  options: InferOptions = {},
): InferResult {
  const tree = typeof program === "string" ? parse(program, options).program : program;
  const variables = [...(options.variables?.keys() ?? [])];
  const inference = new Inference(resolve(tree, variables), options);
  if (tree.directives.length > 0) return { ...anyFlow, diagnostics: [], nodes: inference.nodes };
  const flow = inference.flow(tree.body, inputType, undefined);
  // Where it had to be given up, what would have been seen is missing.
  if (inference.isExhausted) return { ...anyFlow, diagnostics: [], nodes: inference.nodes };
  return { ...flow, diagnostics: inference.reports.all(), nodes: inference.nodes };
}

/** How many outputs a program has for any input; certain knowledge only. */
export function cardinality(program: Program): Cardinality {
  return infer(program).cardinality;
}
