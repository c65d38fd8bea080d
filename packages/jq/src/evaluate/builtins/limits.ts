import type { Json } from "../../json.ts";
import type { Span } from "../../syntax-tree.ts";
import { fail } from "../error.ts";
import { doubleOf } from "../exact-number.ts";
import { force } from "../machine.ts";
import { compare, described } from "../values.ts";
import type { FilterFunction } from "./contract.ts";

/** Some of a generator's outputs; how many is an argument. */
export const limits: Readonly<Record<string, FilterFunction>> = {
  "limit/2": {
    run:
      ([count, generator], span) =>
      (env, input, emit) =>
        force(
          count!.run(env, input, (wanted) => {
            const gate = taking(wanted, span);
            if (!gate.isOpen()) return true;
            let going = true;
            force(
              generator!.run(env, input, (value) => {
                env.machine.tick(span);
                gate.pass();
                going = emit(value);
                return going && gate.isOpen();
              }),
              env,
            );
            return going;
          }),
          env,
        ),
    paths:
      ([count, generator], span) =>
      (env, path, input, emit) =>
        force(
          count!.run(env, input, (wanted) => {
            const gate = taking(wanted, span);
            if (!gate.isOpen()) return true;
            let going = true;
            generator!.paths(env, path, input, (at, value) => {
              env.machine.tick(span);
              gate.pass();
              going = emit(at, value);
              return going && gate.isOpen();
            });
            return going;
          }),
          env,
        ),
  },
  "skip/2": {
    run:
      ([count, generator], span) =>
      (env, input, emit) =>
        force(
          count!.run(env, input, (unwanted) => {
            const skips = skipping(unwanted, span);
            return force(
              generator!.run(env, input, (value) => {
                env.machine.tick(span);
                return skips() || emit(value);
              }),
              env,
            );
          }),
          env,
        ),
    paths:
      ([count, generator], span) =>
      (env, path, input, emit) =>
        force(
          count!.run(env, input, (unwanted) => {
            const skips = skipping(unwanted, span);
            return generator!.paths(env, path, input, (at, value) => {
              env.machine.tick(span);
              return skips() || emit(at, value);
            });
          }),
          env,
        ),
  },
};

/** Counts what passes, until as many have. A count that isn't a number fails when it is first used. */
function taking(count: Json, span: Span) {
  if (compare(count, 0) < 0) fail("limit doesn't support negative count", span);
  let left = doubleOf(count) ?? Number.POSITIVE_INFINITY;
  return {
    isOpen: () => left > 0,
    pass(): void {
      needsNumber(count, span);
      left--;
    },
  };
}

/** Whether the next output is one of the first. */
function skipping(count: Json, span: Span): () => boolean {
  if (compare(count, 0) < 0) fail("skip doesn't support negative count", span);
  let left = doubleOf(count) ?? 0;
  return () => {
    needsNumber(count, span);
    left--;
    return left >= 0;
  };
}

function needsNumber(count: Json, span: Span): void {
  if (doubleOf(count) === undefined) {
    fail(`${described(count)} and ${described(1)} cannot be subtracted`, span);
  }
}
