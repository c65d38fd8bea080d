import type { JqDiagnostic } from "./diagnostics.ts";
import { type CompileOptions, compile } from "./evaluate/compile.ts";
import type { Filter } from "./evaluate/filter.ts";
import { infer } from "./types/infer.ts";
import { isSubtype } from "./types/operations.ts";
import { type Type, unknown } from "./types/type.ts";

/** What `typed` takes: the types of inputs and outputs, of a schema (`typeOfSchema`) or of TypeScript (`typeOfTypeScript`). */
export interface TypedOptions extends CompileOptions {
  /** What the program will be given. Without it, anything. */
  readonly input?: Type;
  /** What it has to give. Without it, anything. */
  readonly output?: Type;
  /** Types of the variables that the caller binds. */
  readonly variableTypes?: ReadonlyMap<string, Type>;
}

/** A program that was compared with what is wanted of it. */
export interface TypedResult<Input, Output> {
  /** Absent if the program has mistakes, always fails, or may give something else than is wanted. */
  readonly filter?: Filter<Input, Output>;
  /** What it gives. */
  readonly type: Type;
  /** Mistakes, and what is wrong with the program for such inputs. */
  readonly diagnostics: readonly JqDiagnostic[];
}

/**
 * Compiles a program whose inputs and outputs have types: for the compiler in `Input` and `Output`, and for the check in `input` and
 * `output`. A program is refused unless all that it may give is of the type.
 */
export function typed<Input, Output>(
  text: string,
  { input = unknown, output = unknown, variableTypes, ...options }: TypedOptions = {},
): TypedResult<Input, Output> {
  const variables = options.variables ?? [...(variableTypes?.keys() ?? [])];
  const { filter, diagnostics } = compile(text, { ...options, variables });
  if (filter === undefined) return { type: unknown, diagnostics };
  const { modules, functions } = options;
  const inferred = infer(text, input, {
    variables: variableTypes ?? new Map(variables.map((name) => [name, unknown])),
    ...(modules === undefined ? {} : { modules }),
    ...(functions === undefined ? {} : { functions }),
  });
  const { type } = inferred;
  const found = [...diagnostics, ...inferred.diagnostics];
  const alwaysFails = type.kind === "never" && inferred.diagnostics.length > 0;
  if (alwaysFails || !isSubtype(type, output)) return { type, diagnostics: found };
  return { filter: filter as unknown as Filter<Input, Output>, type, diagnostics: found };
}
