import type { Json } from "../json.ts";
import { Failure, failed } from "./error.ts";
import { chained, combined, composed } from "./inline-caches/compositions.ts";
import { isCaught } from "./labels.ts";
import {
  type Attempt,
  type Closure,
  type Emit,
  type Environment,
  force,
  type Loop,
  type Maybe,
  type Run,
  type Single,
} from "./machine.ts";

/**
 * A compiled expression. `single` only if it always has exactly one output, `maybe` only if it never has
 * more than one: such expressions need no emit.
 */
export interface Code {
  readonly run: Run;
  readonly single?: Single | undefined;
  readonly maybe?: Maybe | undefined;
  /** `maybe` for who catches its failures, if it often fails itself. */
  readonly attempt?: Attempt | undefined;
  /** As in `LazyCode`. */
  readonly endsWithCall?: boolean | undefined;
  /** Of a call of a parameter: what was passed for it, which may have no more than one output. */
  readonly late?: ((env: Environment) => Closure) | undefined;
  /** Of `.name`, if it is nothing but a member of the input that no object inherits: the name. */
  readonly field?: string | undefined;
  readonly loop?: Loop | undefined;
}

export const single = (compute: Single): Code => ({
  single: compute,
  maybe: compute,
  run: (env, input, emit) => emit(compute(env, input)),
});

/** `.` */
export const identity = single((_env, input) => input);

export const maybe = (compute: Maybe): Code => ({
  maybe: compute,
  run: (env, input, emit) => {
    const value = compute(env, input);
    return value === undefined || emit(value);
  },
});

/** Runs an expression to its end, even if its last call was left to the caller. */
export function runAll({ run, maybe: one }: Code, env: Environment, input: Json, emit: Emit): boolean {
  if (one === undefined) return force(run(env, input, emit), env);
  const value = one(env, input);
  return value === undefined || emit(value);
}

export function mapCode(code: Code, map: (value: Json, env: Environment) => Json): Code {
  const { single: one, maybe: atMostOne, run } = code;
  if (one !== undefined) return single(composed(one, (env, value) => map(value, env)));
  if (atMostOne !== undefined) {
    return maybe((env, input) => {
      const value = atMostOne(env, input);
      return value === undefined ? undefined : map(value, env);
    });
  }
  return {
    run: (env, input, emit) =>
      force(
        run(env, input, (value) => emit(map(value, env))),
        env,
      ),
  };
}

/** `first | next` */
export function after(first: Code, next: Code): Code {
  if (first === identity) return next;
  const { single: one, maybe: atMostOne } = first;
  const { single: onward, maybe: perhaps } = next;
  if (atMostOne !== undefined && perhaps !== undefined) {
    const attempt = attemptInTurn([first, next]);
    if (one === undefined || onward === undefined) return { ...maybe(chained(atMostOne, perhaps)), attempt };
    return { ...single(composed(one, onward)), attempt };
  }
  const { loop } = first;
  return {
    run: (env, input, emit) =>
      force(
        first.run(env, input, (value) => force(next.run(env, value, emit), env)),
        env,
      ),
    loop: loop && perhaps && loopThrough(loop, perhaps, onward !== undefined),
  };
}

/** A loop that does one thing more with each item. */
export function loopThrough(loop: Loop, next: Maybe, isOneToOne: boolean): Loop {
  const each = loop.each === undefined ? next : chained(loop.each, next);
  return { ...loop, each, isOneToOne: loop.isOneToOne && isOneToOne };
}

/** Both sides evaluated, the right one in the outer loop, as jq does. */
export function binaryCode(
  left: Code,
  right: Code,
  combine: (env: Environment, a: Json, b: Json) => Json,
): Code {
  const a = left.single;
  const b = right.single;
  if (a !== undefined && b !== undefined) return single(combined(a, b, combine));
  return {
    run: (env, input, emit) =>
      force(
        right.run(env, input, (second) =>
          force(
            left.run(env, input, (first) => {
              // In a chain of operators an output passes through all of them.
              env.machine.spend(1);
              return emit(combine(env, first, second));
            }),
            env,
          ),
        ),
        env,
      ),
  };
}

const nothing: Maybe = () => undefined;

/** An expression that has at most one output, for who catches its failures. */
export function attemptOf({ maybe: one, attempt }: Code): Attempt | undefined {
  if (attempt !== undefined || one === undefined) return attempt;
  return (env, input) => {
    try {
      return one(env, input);
    } catch (error) {
      if (!isCaught(error)) throw error;
      env.machine.failure = error;
      return failed;
    }
  };
}

/** `first | second | …` as an attempt, if each has at most one output and one of them often fails. */
export function attemptInTurn(codes: readonly Code[]): Attempt | undefined {
  if (codes.every(({ attempt }) => attempt === undefined)) return undefined;
  const attempts = codes.map(attemptOf);
  if (!attempts.every((attempt) => attempt !== undefined)) return undefined;
  return attempts.reduce((before, next) => (env, input) => {
    const value = before(env, input);
    return value === undefined || value === failed ? value : next(env, value);
  });
}

/** Failures that are thrown until they are given back, which takes a little longer where there are none. */
const FEW = 4;

/**
 * Failures of the body go to the handler; those of what consumes its outputs don't.
 *
 * @param isConstant whether the handler gives the same for all of them
 */
export function tryCode(body: Code, handler: Code | undefined, isConstant = false): Code {
  const { maybe: one } = body;
  const attempt = attemptOf(body);
  const instead = handler === undefined ? nothing : handler.maybe;
  if (one !== undefined && attempt !== undefined && instead !== undefined) {
    // What hardly ever fails is done as if it never did.
    let failures = 0;
    const optimistic: Maybe = (env, input) => {
      try {
        return one(env, input);
      } catch (error) {
        if (!isCaught(error)) throw error;
        failures++;
        return instead(env, error.value);
      }
    };
    const code = maybe((env, input) => {
      if (failures < FEW) return optimistic(env, input);
      const value = attempt(env, input);
      if (value !== failed) return value;
      // Why it failed is written only for who reads it.
      return instead(env, isConstant ? null : env.machine.failure!.value);
    });
    const always = body.single !== undefined && handler?.single !== undefined;
    return always ? single(code.maybe as Single) : code;
  }
  return {
    run: (env, input, emit) => {
      // Alternatives (`?//`) of the body may take a failure from outside, and fail themselves after it.
      let outside: unknown;
      try {
        return force(
          body.run(env, input, (value) => {
            try {
              return emit(value);
            } catch (error) {
              outside = error;
              throw error;
            }
          }),
          env,
        );
      } catch (error) {
        if (error === outside || !isCaught(error)) throw error;
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
    if (!(error instanceof Failure)) throw error;
    return undefined;
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
