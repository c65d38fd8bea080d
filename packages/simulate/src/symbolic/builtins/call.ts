import type { Expression } from "@configc/jq";
import type { Navigator } from "../navigate.ts";
import type { Value } from "../value.ts";

/** Walks an argument; by default with the input of the call. */
export type WalkArgument = (argument: Expression, input?: Value) => Value;

/** A call of a builtin. */
export interface Call {
  readonly parameters: readonly Expression[];
  readonly input: Value;
  readonly walk: WalkArgument;
  readonly navigator: Navigator;
}

/** What builtins give, by `name/arity`. */
export type Builtins = Readonly<Record<string, (call: Call) => Value>>;

/** An item of the input, which is taken for a list. */
export function itemOf({ navigator, input }: Call): Value {
  return navigator.item(input);
}

/** Walks all arguments with the input of the call. */
export function walkAll({ parameters, walk }: Call): Value[] {
  return parameters.map((argument) => walk(argument));
}

/** The input as it is, whatever some of it becomes. */
export function unchanged({ input }: Call): Value {
  return input;
}
