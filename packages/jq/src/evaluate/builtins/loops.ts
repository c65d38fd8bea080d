import type { Json } from "../../json.ts";
import type { Span } from "../../syntax-tree.ts";
import { fail } from "../error.ts";
import { doubleOf } from "../exact-number.ts";
import { type Emit, type Environment, force } from "../machine.ts";
import { Ownership } from "../ownership.ts";
import { isTrue } from "../values.ts";
import type { FilterFunction } from "./contract.ts";

/** What counts, or goes on as long as a condition says. */
export const loops: Readonly<Record<string, FilterFunction>> = {
  "range/1": {
    run:
      ([upto], span) =>
      (env, input, emit) =>
        force(
          upto!.run(env, input, (end) => count(env, 0, end, 1, emit, span)),
          env,
        ),
  },
  "range/2": {
    run:
      ([from, upto], span) =>
      (env, input, emit) =>
        force(
          from!.run(env, input, (start) =>
            force(
              upto!.run(env, input, (end) => count(env, start, end, 1, emit, span)),
              env,
            ),
          ),
          env,
        ),
  },
  "until/2": {
    run:
      ([condition, update], span) =>
      (env, input, emit) => {
        const holds = condition!.single;
        const change = update!.single;
        if (holds !== undefined && change !== undefined) {
          let value = input;
          // What a condition gives is looked at and not kept, so it is a fold like any other.
          const inPlace = condition!.isQuiet ? update!.inPlace : undefined;
          const owned = new Ownership();
          while (!isTrue(holds(env, value))) {
            env.machine.tick(span);
            value = inPlace === undefined ? change(env, value) : inPlace(env, value, owned, 0);
          }
          return emit(value);
        }
        const step: Emit = (value) => {
          env.machine.tick(span);
          return force(
            condition!.run(env, value, (test) =>
              isTrue(test) ? emit(value) : force(update!.run(env, value, step), env),
            ),
            env,
          );
        };
        return step(input);
      },
  },
  "while/2": {
    run:
      ([condition, update], span) =>
      (env, input, emit) => {
        const holds = condition!.single;
        const change = update!.single;
        if (holds !== undefined && change !== undefined) {
          for (let value = input; isTrue(holds(env, value)); value = change(env, value)) {
            env.machine.tick(span);
            if (!emit(value)) return false;
          }
          return true;
        }
        const step: Emit = (value) => {
          env.machine.tick(span);
          return force(
            condition!.run(
              env,
              value,
              (test) => !isTrue(test) || (emit(value) && force(update!.run(env, value, step), env)),
            ),
            env,
          );
        };
        return step(input);
      },
  },
};

function count(env: Environment, from: Json, upto: Json, by: number, emit: Emit, span: Span): boolean {
  if (typeof from !== "number" || typeof upto !== "number") {
    const [start, end] = [doubleOf(from), doubleOf(upto)];
    if (start === undefined || end === undefined) return fail("Range bounds must be numeric", span);
    return count(env, start, end, by, emit, span);
  }
  for (let value = from; value < upto; value += by) {
    env.machine.tick(span);
    if (!emit(value)) return false;
  }
  return true;
}
