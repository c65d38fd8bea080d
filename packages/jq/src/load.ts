import type { CustomFunctions } from "./custom-functions.ts";
import { core } from "./evaluate/builtins/core.ts";
import { dateFunctions } from "./evaluate/builtins/dates.ts";
import { regexFunctions } from "./evaluate/builtins/regex.ts";
import { replacements } from "./evaluate/builtins/replacements.ts";
import { outermost } from "./evaluate/code.ts";
import { compileExpression } from "./evaluate/compiler.ts";
import { customTables } from "./evaluate/custom.ts";
import { CompiledFilter, type Filter } from "./evaluate/filter.ts";
import { type FunctionTables, hasFunction, libraryOf } from "./evaluate/library.ts";
import type { PreparedProgram } from "./evaluate/prepared.ts";
import { withName } from "./evaluate/scope.ts";
import type { Expression } from "./syntax-tree.ts";

/** Builtins that a page loads only if a program calls them. */
export interface BuiltinLibrary {
  readonly name: string;
  readonly tables: FunctionTables;
}

/** `test`, `match`, `capture`, `scan`, `split` by a pattern, `sub`, `gsub` … */
export const regularExpressions: BuiltinLibrary = {
  name: "regularExpressions",
  tables: { values: regexFunctions, direct: replacements },
};

/** `fromdate`, `todate`, `strftime`, `strptime`, `mktime` … */
export const dates: BuiltinLibrary = { name: "dates", tables: { values: dateFunctions } };

/** What `load` takes besides the program. */
export interface LoadOptions {
  /** What the program calls beyond the core: `regularExpressions`, `dates`. */
  readonly libraries?: readonly BuiltinLibrary[];
  /** What `prepare` was told of. */
  readonly functions?: CustomFunctions;
}

/**
 * Compiles a program that `prepare` has made.
 * @throws Error if it calls something that it isn't given, or was prepared by another version
 */
export function load(program: PreparedProgram, { libraries = [], functions = {} }: LoadOptions = {}): Filter {
  const { version, definitions, calls, variables, exact } = program;
  if (version !== 1) throw new Error("The program was prepared by another version of @configc/jq");
  const tables = [core, ...libraries.map(({ tables: own }) => own), customTables(functions)];
  const library = libraryOf(tables, (key) =>
    Object.hasOwn(definitions, key) ? definitions[key] : undefined,
  );
  const missing = calls.filter((key) => !hasFunction(library, key));
  if (missing.length > 0)
    throw new Error(
      `The program calls ${missing.join(", ")}: give load the library (regularExpressions, dates) or function that has it`,
    );
  const body = JSON.parse(JSON.stringify(program.body), infinite) as Expression;
  let scope = outermost(library);
  for (const name of variables) scope = withName(scope, "variable", name);
  const { run } = compileExpression(body, scope);
  const linked = { data: [], modules: [] };
  return new CompiledFilter(run, body, { variables, linked, exact, modules: undefined });
}

/** JSON has no infinity: a number of a tree that is larger than all doubles arrives as null. */
function infinite(_key: string, part: unknown): unknown {
  const isLost =
    typeof part === "object" && part !== null && "kind" in part && part.kind === "Number" && "value" in part;
  return isLost && part.value === null ? { ...part, value: Number.POSITIVE_INFINITY } : part;
}
