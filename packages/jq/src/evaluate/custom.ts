import type { CustomCall, CustomFunction, CustomFunctions } from "../custom-functions.ts";
import type { Json } from "../json.ts";
import type { Span } from "../syntax-tree.ts";
import type { FilterFunction, ValueFunction } from "./builtins/contract.ts";
import { Failure, JqError } from "./error.ts";
import { ExactNumber } from "./exact-number.ts";
import type { FunctionTables } from "./library.ts";
import { type Environment, force, type LazyCode, type Machine } from "./machine.ts";
import { bytes } from "./meter.ts";

/** Functions of the caller, as the tables that builtins stand in. */
export function customTables(functions: CustomFunctions): FunctionTables {
  const values: Record<string, ValueFunction> = {};
  const filters: Record<string, FilterFunction> = {};
  for (const [key, each] of Object.entries(functions)) {
    if (each.run === undefined) filters[key] = severalOutputs(key, each);
    else values[key] = oneOutput(key, each);
  }
  return { values, filters };
}

function oneOutput(key: string, { run }: CustomFunction & { readonly run: object }): ValueFunction {
  return (input, args, machine, span) => {
    machine.calls(span);
    return checked(
      key,
      guarded(span, () => run(input, args, callOf(machine))),
      [input, ...args],
      machine,
      span,
    );
  };
}

function severalOutputs(
  key: string,
  { outputs }: CustomFunction & { readonly outputs: object },
): FilterFunction {
  return {
    run: (codes, span) => (env, input, emit) =>
      eachCombination(codes, env, input, (args) => {
        const { machine } = env;
        machine.calls(span);
        const iterator = guarded(span, () => outputs(input, args, callOf(machine))[Symbol.iterator]());
        let isOver = false;
        try {
          for (;;) {
            const next = guarded(span, () => iterator.next());
            isOver = next.done === true;
            if (isOver) return true;
            machine.tick(span);
            if (!emit(checked(key, next.value, [input, ...args], machine, span))) return false;
          }
        } finally {
          if (!isOver) iterator.return?.();
        }
      }),
  };
}

/** The values of arguments: the last is the outermost loop, as in jq. */
function eachCombination(
  codes: readonly LazyCode[],
  env: Environment,
  input: Json,
  use: (args: readonly Json[]) => boolean,
  given: readonly Json[] = [],
): boolean {
  const code = codes[codes.length - given.length - 1];
  if (code === undefined) return use(given);
  return force(
    code.run(env, input, (value) => eachCombination(codes, env, input, use, [value, ...given])),
    env,
  );
}

function callOf(machine: Machine): CustomCall {
  return { spend: (steps) => machine.spend(Math.max(0, steps)) };
}

/** What a function of the caller throws is a failure of the program, but for the end of a budget and of the engine's stack. */
function guarded<Result>(span: Span, run: () => Result): Result {
  try {
    return run();
  } catch (thrown) {
    if (thrown instanceof JqError && thrown.kind !== "error") throw thrown;
    if (thrown instanceof RangeError && /call stack/i.test(thrown.message)) throw thrown;
    if (thrown instanceof Failure) throw thrown;
    const value =
      thrown instanceof JqError ? thrown.value : thrown instanceof Error ? thrown.message : String(thrown);
    throw new Failure(value, span);
  }
}

/** An output that is JSON: parts of what the function was given needn't be looked at. */
function checked(key: string, output: unknown, given: readonly Json[], machine: Machine, span: Span): Json {
  const left: unknown[] = [output];
  while (left.length > 0) {
    const value = left.pop();
    if (value === null || typeof value === "string" || typeof value === "boolean") continue;
    if (typeof value === "number" || value instanceof ExactNumber) continue;
    if (typeof value !== "object" || !isPlain(value)) {
      const found = typeof value === "object" ? (value.constructor?.name ?? "object") : String(value);
      throw new JqError("option", `${key} gave something that isn't JSON: ${found}`, null, span);
    }
    if (given.includes(value as Json)) continue;
    const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    machine.spend(1 + (parts.length >> 2));
    machine.makes(bytes.object + parts.length * bytes.entry, span);
    // Not spread: a call takes no more than some 100,000 arguments.
    for (const part of parts) left.push(part);
  }
  return output as Json;
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
