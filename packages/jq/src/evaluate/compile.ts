import { calls } from "../calls.ts";
import { checked } from "../check.ts";
import { diagnostic, type JqDiagnostic, renderMessage } from "../diagnostics.ts";
import type { Json } from "../json.ts";
import type { CheckOptions } from "../options.ts";
import { standard, standardWith } from "./builtins/index.ts";
import { outermost } from "./code.ts";
import { compileExpression } from "./compiler.ts";
import { customTables } from "./custom.ts";
import { JqError } from "./error.ts";
import { CompiledFilter, type Filter } from "./filter.ts";
import { hasFunction } from "./library.ts";
import { scopeOfProgram } from "./module-scope.ts";
import type { RunOptions } from "./run-options.ts";
import { withName } from "./scope.ts";

/** What `compile` takes besides the program. */
export interface CompileOptions extends CheckOptions {
  /**
   * Numbers keep the text they were written with, in the program as in what `fromjson` and `tonumber` read,
   * and the input may hold what `parseExact` gives. They lose it in arithmetic.
   */
  readonly exact?: boolean;
}

/** A compiled program, and what was found in it. */
export interface CompileResult {
  /** Absent if the program has mistakes. */
  readonly filter?: Filter;
  readonly diagnostics: readonly JqDiagnostic[];
}

/**
 * Compiles a program to closures. Mistakes, and builtins that aren't implemented yet, are diagnostics;
 * with any of them there is no filter. An unknown format is no obstacle: it fails when it runs, as in jq.
 */
export function compile(text: string, options: CompileOptions = {}): CompileResult {
  const { variables = [], modules, functions, exact = false } = options;
  const library = functions === undefined ? standard : standardWith(customTables(functions));
  const { program, linked, diagnostics: found } = checked(text, options);
  const diagnostics = [...found];
  for (const { name, arity, builtin, node } of calls(program, linked.resolution)) {
    const isMissing =
      name === "modulemeta" ? modules === undefined : !hasFunction(library, `${name}/${arity}`);
    if (builtin !== undefined && isMissing) {
      diagnostics.push(diagnostic("not-implemented", node.name, { name, arity }));
    }
  }
  diagnostics.sort((a, b) => a.start - b.start);
  if (diagnostics.some(({ code }) => code !== "unknown-format")) return { diagnostics };
  let scope = outermost(library);
  for (const name of variables) scope = withName(scope, "variable", name);
  const { body } = program;
  const { run } = compileExpression(body, scopeOfProgram(linked, scope));
  return { filter: new CompiledFilter(run, body, { variables, linked, exact, modules }), diagnostics };
}

/** What `evaluate` takes besides program and input. */
export interface EvaluateOptions extends RunOptions, CompileOptions {
  readonly variables?: readonly string[];
}

/**
 * Runs a program on an input and gives all outputs. The variables of `bindings` are bound.
 * @throws JqError with `outputsSoFar`; a program with mistakes throws one whose text names the first
 */
export function evaluate(text: string, input: Json, options: EvaluateOptions = {}): Json[] {
  const variables = options.variables ?? Object.keys(options.bindings?.variables ?? {});
  const { filter, diagnostics } = compile(text, { ...options, variables });
  if (filter === undefined) {
    const first = diagnostics[0]!;
    const message = renderMessage(first);
    throw new JqError("error", message, message, first);
  }
  return filter.all(input, options);
}
