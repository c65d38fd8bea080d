import type { Json } from "../../json.ts";
import type { Change, Updated, UpdateMode } from "../changes.ts";
import { type Flow, one } from "../flow.ts";
import { isSubtype } from "../operations.ts";
import { type Type, union, unknown, widenLiterals } from "../type.ts";

/** The kinds of values, as `type` names them. */
export type Kind = "null" | "boolean" | "number" | "string" | "array" | "object";

/** An argument of a builtin, to be inferred for any input. */
export interface Argument {
  /** What it gives. */
  (input: Type): Flow;
  /** The same, where only the paths of what it selects are asked for. */
  paths(input: Type): Flow;
  /** The values of an input for which it is true, or false. */
  narrow(input: Type, truth: boolean): Type;
  /** The input with what it selects changed; undefined if that isn't known. */
  update(input: Type, mode: UpdateMode, change: Change): Updated | undefined;
  /** Its value, if it is a literal. */
  readonly constant: Json | undefined;
  /** The names of `.a.b`, if it is such a path, one list for each of several separated by commas. */
  readonly members: readonly (readonly string[])[] | undefined;
  /** Whether a `?` stands in it. */
  isOptional(): boolean;
}

/** A call of a builtin. */
export interface BuiltinCall {
  /** Only of kinds that the function takes. */
  readonly input: Type;
  /** Of whatever kinds: arguments may be evaluated before the function fails. */
  readonly given: Type;
  readonly arguments: readonly Argument[];
  /** What the arguments marked `$` give for the input, at their positions; `unknown` for others. */
  readonly values: readonly Type[];
}

/** The type rule of a builtin. It claims only what no output can violate. */
export interface BuiltinRule {
  /** Kinds of inputs that don't always fail; without it, all. */
  readonly input?: readonly Kind[];
  /** The same for the arguments marked `$`, at their positions. */
  readonly arguments?: readonly (readonly Kind[] | undefined)[];
  /** Kinds of the first argument that don't always fail for an input of a kind. */
  readonly pairs?: (input: Kind) => readonly Kind[];
  /** Two parts of an input that the function adds up and can't. */
  readonly clash?: (input: Type) => readonly [Type, Type] | undefined;
  /** For one output each of the arguments marked `$`. */
  readonly flow: (call: BuiltinCall) => Flow;
}

/** Rules by name and number of arguments: `"map/1"`. The keys are those of the documentation tables. */
export type RuleTable = Readonly<Record<string, BuiltinRule>>;

/** A function with exactly one output of one type. */
export function gives(type: Type, input?: readonly Kind[], ...args: (readonly Kind[])[]): BuiltinRule {
  return { ...(input === undefined ? {} : { input }), arguments: args, flow: () => one(type) };
}

/** A function whose one output depends on its input. */
export function maps(input: readonly Kind[] | undefined, type: (input: Type) => Type): BuiltinRule {
  return { ...(input === undefined ? {} : { input }), flow: (call) => one(type(call.input)) };
}

/** Rounds after which a type that still grows is unknown. */
const ROUND_LIMIT = 3;

/** The type of all values that a step makes of an input again and again, the input among them. */
export function reachable(input: Type, step: (type: Type) => Type, rounds = ROUND_LIMIT): Type {
  let state = input;
  for (let round = 0; ; round++) {
    const made = step(state);
    if (isSubtype(made, state)) return state;
    state = round >= rounds ? unknown : widenLiterals(union(state, made));
  }
}
