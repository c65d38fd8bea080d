import type { Json } from "../json.ts";
import { JqError } from "./error.ts";
import { type Environment, force, type Run, type Single } from "./machine.ts";

/** A compiled expression; `single` only if it always has exactly one output. */
export interface Code {
  readonly run: Run;
  readonly single?: Single;
}

export const single = (compute: Single): Code => ({
  single: compute,
  run: (env, input, emit) => emit(compute(env, input)),
});

export function mapCode(code: Code, map: (value: Json, env: Environment) => Json): Code {
  const { single: one, run } = code;
  if (one !== undefined) return single((env, input) => map(one(env, input), env));
  return {
    run: (env, input, emit) =>
      force(
        run(env, input, (value) => emit(map(value, env))),
        env,
      ),
  };
}

/** Both sides evaluated, the right one in the outer loop, as jq does. */
export function binaryCode(
  left: Code,
  right: Code,
  combine: (env: Environment, a: Json, b: Json) => Json,
): Code {
  const a = left.single;
  const b = right.single;
  if (a !== undefined && b !== undefined) {
    return single((env, input) => {
      const second = b(env, input);
      return combine(env, a(env, input), second);
    });
  }
  return {
    run: (env, input, emit) =>
      force(
        right.run(env, input, (second) =>
          force(
            left.run(env, input, (first) => emit(combine(env, first, second))),
            env,
          ),
        ),
        env,
      ),
  };
}

/** Failures of the body go to the handler; those of what consumes its outputs don't. */
export function tryCode(body: Code, handler: Code | undefined): Code {
  return {
    run: (env, input, emit) => {
      let outside = false;
      try {
        return force(
          body.run(env, input, (value) => {
            try {
              return emit(value);
            } catch (error) {
              outside = true;
              throw error;
            }
          }),
          env,
        );
      } catch (error) {
        if (outside || !(error instanceof JqError) || error.kind !== "error") throw error;
        return handler === undefined || handler.run(env, error.value, emit);
      }
    },
  };
}

/** The result, or undefined if the program's own failure prevents it. */
export function attempt<Result>(compute: () => Result): Result | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof JqError && error.kind === "error") return undefined;
    throw error;
  }
}

export function mapWithInput(code: Code, map: (env: Environment, input: Json, value: Json) => Json): Code {
  const { single: one, run } = code;
  if (one !== undefined) return single((env, input) => map(env, input, one(env, input)));
  return {
    run: (env, input, emit) =>
      force(
        run(env, input, (value) => emit(map(env, input, value))),
        env,
      ),
  };
}
