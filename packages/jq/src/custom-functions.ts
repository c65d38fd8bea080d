import { builtin } from "./builtins/index.ts";
import type { Json } from "./json.ts";
import type { Type } from "./types/type.ts";

/** The call of a custom function that is going on. */
export interface CustomCall {
  /** Counts work against `Budget.steps`; the call itself counts four. It throws where there are no more. */
  readonly spend: (steps: number) => void;
}

/**
 * A function that programs call besides jq's: it takes its input and the values of its arguments. An argument with several outputs
 * gives a call for each, as in jq. What it throws is a failure that the program can catch: the value of a `JqError`, else the message.
 */
export type CustomFunction = {
  /** What its outputs are, for `infer`; without it, nothing is known of them. */
  readonly type?: Type;
} & (
  | {
      /** Gives its one output. It must be JSON: else the run ends with a `JqError` of kind `option`. */
      readonly run: (input: Json, args: readonly Json[], call: CustomCall) => Json;
      readonly outputs?: never;
    }
  | {
      /** Gives any number of outputs, each asked for when it is needed. */
      readonly outputs: (input: Json, args: readonly Json[], call: CustomCall) => Iterable<Json>;
      readonly run?: never;
    }
);

/** Custom functions by name and number of arguments: `slug/0`, `rates::inEuro/1`. */
export type CustomFunctions = Readonly<Record<string, CustomFunction>>;

const signature = /^((?:[A-Za-z_]\w*::)*[A-Za-z_]\w*)\/(\d{1,3})$/;
const reserved = new Set(
  [
    "def",
    "module",
    "import",
    "include",
    "if",
    "then",
    "else",
    "elif",
    "end",
    "as",
    "reduce",
    "foreach",
  ].concat(["try", "catch", "label", "and", "or", "not", "null", "true", "false", "__loc__"]),
);

/**
 * The functions, if programs can call all of them.
 * @throws TypeError for one that no program could call, that jq has, or that does nothing
 */
export function callable(functions: CustomFunctions): CustomFunctions {
  for (const [key, { run, outputs }] of Object.entries(functions)) {
    const [, name, arity] = signature.exec(key) ?? [];
    if (name === undefined || reserved.has(name))
      throw new TypeError(`${key} isn't a name and a number of arguments, such as slug/0`);
    if (builtin(name, Number(arity)) !== undefined) throw new TypeError(`jq has a function ${key} already`);
    if (typeof (run ?? outputs) !== "function") throw new TypeError(`${key} needs run or outputs`);
  }
  return functions;
}
