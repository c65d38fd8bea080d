import type { Json } from "../../json.ts";
import type { Span } from "../../syntax-tree.ts";
import type { Code } from "../combinators.ts";
import { failed } from "../error.ts";
import type { LazyCode, Machine, Maybe, Run, RunPaths, Single } from "../machine.ts";

/** A builtin with one output, computed from the input and the values of its arguments. */
export type ValueFunction = (input: Json, args: readonly Json[], machine: Machine, span: Span) => Json;

/** The same, which gives `failed` where that throws: for a builtin that programs try out. */
export type Attempted = (
  input: Json,
  args: readonly Json[],
  machine: Machine,
  span: Span,
) => Json | typeof failed;

/** A builtin that throws what an attempt gives. */
export function throwing(attempted: Attempted): ValueFunction {
  return (input, args, machine, span) => {
    const result = attempted(input, args, machine, span);
    if (result === failed) throw machine.failure;
    return result;
  };
}

/** A builtin that runs its arguments itself. */
export interface FilterFunction {
  /** @param args the arguments; they run in the environment of the call */
  readonly run: (args: readonly LazyCode[], span: Span) => Run;
  /** A shorter way, where with these arguments there is always exactly one output. */
  readonly single?: (args: readonly LazyCode[], span: Span) => Single | undefined;
  /** A shorter way, where with these arguments there is never more than one output. */
  readonly maybe?: (args: readonly LazyCode[], span: Span) => Maybe | undefined;
  /** Where the outputs stand in the input, if they do. */
  readonly paths?: (args: readonly LazyCode[], span: Span) => RunPaths;
}

/** A shorter way for calls whose arguments have one output each; undefined for others. */
export type Direct = (args: readonly Code[], span: Span) => Single | undefined;

/** A builtin that always has exactly one output. */
export function oneOutput(compute: (args: readonly LazyCode[], span: Span) => Single): FilterFunction {
  return {
    single: compute,
    run: (args, span) => {
      const one = compute(args, span);
      return (env, input, emit) => emit(one(env, input));
    },
  };
}
