import type { Json } from "../../json.ts";
import type { Span } from "../../syntax-tree.ts";
import type { Emit, Environment, LazyCode, Machine, Run, RunPaths } from "../machine.ts";

/** A builtin with one output, computed from the input and the values of its arguments. */
export type ValueFunction = (input: Json, args: readonly Json[], machine: Machine, span: Span) => Json;

/** A builtin that runs its arguments itself. */
export interface FilterFunction {
  /** @param args the arguments; they run in the environment of the call */
  readonly run: (args: readonly LazyCode[], span: Span) => Run;
  /** Where the outputs stand in the input, if they do. */
  readonly paths?: (args: readonly LazyCode[], span: Span) => RunPaths;
}

export type { Emit, Environment };
