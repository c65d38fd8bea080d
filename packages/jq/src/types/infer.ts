import { callable } from "../custom-functions.ts";
import type { JqDiagnostic } from "../diagnostics.ts";
import { type Linked, link } from "../modules/link.ts";
import { parse } from "../syntax/parser.ts";
import type { Expression, Program } from "../syntax-tree.ts";
import type { Cardinality } from "./cardinality.ts";
import type { Scope } from "./environment.ts";
import { anyFlow, type Flow } from "./flow.ts";
import type { InferOptions } from "./infer-options.ts";
import { Inference } from "./inference.ts";
import { typeOfValue } from "./operations.ts";
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
  const linked = link(
    tree,
    {
      ...(options.variables === undefined ? {} : { variables: [...options.variables.keys()] }),
      ...(options.functions === undefined ? {} : { functions: Object.keys(callable(options.functions)) }),
    },
    options.modules,
  );
  const inference = new Inference(linked.resolution, options);
  const isAlone = options.modules === undefined && tree.directives.length > 0;
  if (isAlone) return { ...anyFlow, diagnostics: [], nodes: inference.nodes };
  const flow = inference.flow(tree.body, inputType, scopeOf(linked));
  // Where it had to be given up, what would have been seen is missing.
  if (inference.isExhausted) return { ...anyFlow, diagnostics: [], nodes: inference.nodes };
  // What stands behind the program is in a module.
  const diagnostics = inference.reports.all().filter(({ start }) => start <= tree.end);
  const { type, cardinality, fails } = flow;
  return { type, cardinality, fails, diagnostics, nodes: inference.nodes };
}

/** The definitions and the data of all modules: who may see them, the resolution says. */
function scopeOf({ modules, data }: Linked): Scope {
  let scope: Scope;
  for (const { variable, value } of data) scope = { key: variable, type: typeOfValue(value), parent: scope };
  for (const { definitions } of modules) {
    for (const key of definitions) scope = { key, parent: scope };
  }
  return scope;
}

/** How many outputs a program has for any input; certain knowledge only. */
export function cardinality(program: Program): Cardinality {
  return infer(program).cardinality;
}
