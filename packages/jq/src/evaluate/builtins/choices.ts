import type { Json } from "../../json.ts";
import type { Span } from "../../syntax-tree.ts";
import { chosen } from "../inline-caches/compositions.ts";
import {
  type Emit,
  type Environment,
  force,
  type LazyCode,
  type Maybe,
  type Path,
  type Single,
} from "../machine.ts";
import { isInputItself } from "../path-values.ts";
import { isTrue } from "../values.ts";
import { type FilterFunction, oneOutput } from "./contract.ts";

const itself: Single = (_env, input) => input;
const nothing: Maybe = () => undefined;

/** What chooses among outputs, or tells whether there are any. */
export const choices: Readonly<Record<string, FilterFunction>> = {
  "empty/0": { run: () => () => true, maybe: () => () => undefined, paths: () => () => true },
  "select/1": {
    maybe: ([condition]) => {
      const holds = condition!.single;
      return holds && chosen(holds, itself, nothing);
    },
    run:
      ([condition]) =>
      (env, input, emit) =>
        force(
          condition!.run(env, input, (value) => !isTrue(value) || emit(input)),
          env,
        ),
    paths:
      ([condition]) =>
      (env, path, input, emit) =>
        force(
          condition!.run(env, input, (value) => !isTrue(value) || emit(path, input)),
          env,
        ),
  },
  "first/1": {
    run:
      ([generator]) =>
      (env, input, emit) => {
        let found = false;
        let first: Json = null;
        const going = force(
          generator!.run(env, input, (value) => {
            found = true;
            first = value;
            return false;
          }),
          env,
        );
        return found ? emit(first) : going;
      },
    paths:
      ([generator]) =>
      (env, path, input, emit) => {
        let first: readonly [Path, Json] | undefined;
        const going = generator!.paths(env, path, input, (at, value) => {
          first = [at, value];
          return false;
        });
        return first === undefined ? going : emit(...first);
      },
  },
  "last/1": {
    run:
      ([generator], span) =>
      (env, input, emit) => {
        const last = lastOf(generator!, env, input, span);
        return last === undefined || emit(last);
      },
    // Unlike the first, jq knows the last output only by its value: it is none of the paths on the way, but may be the input.
    paths:
      ([generator], span) =>
      (env, path, input, emit) => {
        let last: readonly [Path, Json] | undefined;
        generator!.paths(env, path, input, (at, value) => {
          env.machine.tick(span);
          last = [at === path || isInputItself(value, input) ? path : undefined, value];
          return true;
        });
        return last === undefined || emit(...last);
      },
  },
  "isempty/1": oneOutput(([generator]) => (env, input) => {
    let isEmpty = true;
    force(
      generator!.run(env, input, () => {
        isEmpty = false;
        return false;
      }),
      env,
    );
    return isEmpty;
  }),
  "any/2": holds(true),
  "all/2": holds(false),
};

/** Whether a condition gives this for some output of a generator; the first that it gives it for is the last that is looked at. */
function holds(wanted: boolean): FilterFunction {
  return oneOutput(([generator, condition], span) => (env, input) => {
    const { loop } = generator!;
    const test = condition!.single;
    if (loop !== undefined && test !== undefined) {
      const { machine } = env;
      const { items, each } = loop;
      for (const item of items(env, input)) {
        machine.tick(span);
        const value = each === undefined ? item : each(env, item);
        if (value !== undefined && isTrue(test(env, value)) === wanted) return wanted;
      }
      return !wanted;
    }
    let isFound = false;
    const look: Emit = (value) => {
      isFound = isTrue(value) === wanted;
      return !isFound;
    };
    const one = condition!.single;
    force(
      generator!.run(env, input, (item) => {
        env.machine.tick(span);
        return one === undefined ? force(condition!.run(env, item, look), env) : look(one(env, item));
      }),
      env,
    );
    return isFound === wanted;
  });
}

function lastOf(generator: LazyCode, env: Environment, input: Json, span: Span): Json | undefined {
  let last: Json | undefined;
  force(
    generator.run(env, input, (value) => {
      env.machine.tick(span);
      last = value;
      return true;
    }),
    env,
  );
  return last;
}
