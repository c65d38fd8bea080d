import type { Outputs, Value } from "../value.ts";

/** What an argument gives for an input. */
export type Argument = (input: Value) => Outputs;

/** A call of a builtin. */
export interface Call {
  readonly input: Value;
  /** The input, looked up where it is a part of something outside. */
  readonly known: Value;
  readonly first: Argument | undefined;
  readonly second: Argument | undefined;
  /** In seconds since 1970. */
  readonly now: number;
}

/** Builtins by name that have one output, whatever they get. */
export type OneOutput = Readonly<Record<string, (call: Call) => Value>>;

/** Builtins by name that may have none or several. */
export type AnyOutputs = Readonly<Record<string, (call: Call) => Outputs>>;

/** The first output of the first argument, for the input of the call. */
export function firstArgument({ first, input }: Call): Value | undefined {
  return first?.(input)?.[0];
}
