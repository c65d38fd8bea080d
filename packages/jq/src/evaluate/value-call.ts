import type { Json } from "../json.ts";
import type { Span } from "../syntax-tree.ts";
import type { Attempted, ValueFunction } from "./builtins/contract.ts";
import { attemptOf, binaryCode, type Code, mapWithInput, single } from "./combinators.ts";
import { failed } from "./error.ts";
import { isArray } from "./kinds.ts";
import type { Attempt, Environment, Single } from "./machine.ts";
import { bytes } from "./meter.ts";

/** A call of a builtin with one output. */
interface ValueCall {
  /** `name/arity` */
  readonly key: string;
  readonly value: ValueFunction;
  readonly attempted: Attempted | undefined;
  readonly span: Span;
}

/** Computes a builtin's output from the input and the values of the arguments. */
type Compute<Result> = (env: Environment, input: Json, given: readonly Json[]) => Result;
type Computed = Compute<Json>;
type Tried = Compute<Json | typeof failed> | undefined;

const none: readonly Json[] = [];

/** @param args the last one is the outermost loop and evaluated first, as in jq */
export function valueCall({ key, value, attempted, span }: ValueCall, args: readonly Code[]): Code {
  const reads = !shallow.has(key);
  const compute = counted(value, reads, span);
  const tried = attempted && counted(attempted, reads, span);
  const singles = args.map((argument) => argument.single);
  if (!singles.every((one) => one !== undefined)) return withAllOutputs(args, compute);
  const [only] = singles;
  if (key === "length/0") return lengthCall(compute, tried!, span);
  if (only === undefined) return withoutArguments(compute, tried);
  return singles.length === 1 ? withOne(args[0]!, only, compute, tried) : withSeveral(singles, compute);
}

/** @param reads whether the work grows with the input */
function counted<Result extends Json | typeof failed>(
  call: (...given: Parameters<ValueFunction>) => Result,
  reads: boolean,
  span: Span,
): Compute<Result> {
  return (env, input, given) => {
    const { machine } = env;
    if (reads) machine.reads(input, span);
    else machine.touches(span);
    const result = call(input, given, machine, span);
    if (typeof result === "string") machine.makes(bytes.text + result.length * bytes.character, span);
    return result;
  };
}

/** The commonest of all; of a list, no work is to be counted. */
function lengthCall(compute: Computed, attempted: NonNullable<Tried>, span: Span): Code {
  const attempt: Attempt = (env, input) => {
    if (!isArray(input)) return attempted(env, input, none);
    env.machine.place = span;
    return input.length;
  };
  const length: Single = (env, input) => {
    if (!isArray(input)) return compute(env, input, none);
    env.machine.place = span;
    return input.length;
  };
  return { ...single(length), attempt };
}

function withoutArguments(compute: Computed, attempted: Tried): Code {
  const attempt: Attempt | undefined = attempted && ((env, input) => attempted(env, input, none));
  return { ...single((env, input) => compute(env, input, none)), attempt };
}

function withOne(argument: Code, only: Single, compute: Computed, attempted: Tried): Code {
  const code = single((env, input) => compute(env, input, [only(env, input)]));
  const tried = attempted && attemptOf(argument);
  if (tried === undefined) return code;
  const attempt: Attempt = (env, input) => {
    const given = tried(env, input);
    return given === undefined || given === failed ? given : attempted!(env, input, [given]);
  };
  return { ...code, attempt };
}

function withSeveral(singles: readonly Single[], compute: Computed): Code {
  return single((env, input) => {
    const given = new Array<Json>(singles.length);
    for (let at = singles.length - 1; at >= 0; at--) given[at] = singles[at]!(env, input);
    return compute(env, input, given);
  });
}

/** Once for each combination of what the arguments give. */
function withAllOutputs(args: readonly Code[], compute: Computed): Code {
  const all = args.reduce<Code>(
    (before, value) => binaryCode(before, value, (_env, list, item) => [...(list as readonly Json[]), item]),
    single(() => []),
  );
  return mapWithInput(all, (env, input, list) => compute(env, input, list as readonly Json[]));
}

/** Builtins whose work doesn't grow with their input, or which count it themselves. */
const shallow: ReadonlySet<string> = new Set([
  "type/0",
  "not/0",
  "length/0",
  "has/1",
  "error/0",
  "error/1",
  "toarray/0",
  "now/0",
  "tojson/0",
  "tostring/0",
  "getpath/1",
  "setpath/2",
  "delpaths/1",
  "contains/1",
  "input/0",
  "bsearch/1",
  "transpose/0",
  "flatten/0",
  "split/1",
]);
