import type { Json } from "../json.ts";
import type { Foreach, Reduce } from "../syntax-tree.ts";
import { compileExpression } from "./code.ts";
import { type Code, mapWithInput } from "./combinators.ts";
import { type Emit, type Environment, force } from "./machine.ts";
import { bindPatterns, patternNames } from "./patterns.ts";
import { type Scope, withName } from "./scope.ts";

export function reduceCode({ source, patterns, initial, update }: Reduce, scope: Scope | undefined): Code {
  const items = compileExpression(source, scope);
  const start = compileExpression(initial, scope);
  const bind = bindPatterns(patterns, scope);
  let inner = scope;
  for (const name of patternNames(patterns)) inner = withName(inner, "variable", name);
  const step = compileExpression(update, inner);
  const fold = (env: Environment, input: Json, begin: Json): Json => {
    let state = begin;
    force(
      items.run(env, input, (item) => {
        env.machine.tick(update);
        return bind<Emit>(
          env,
          input,
          item,
          (bound, out) => {
            const before = state;
            // The last output is the new state; without one it is null.
            state = null;
            if (step.single !== undefined) return out(step.single(bound, before));
            return force(step.run(bound, before, out), bound);
          },
          (value) => {
            state = value;
            return true;
          },
        );
      }),
      env,
    );
    return state;
  };
  return mapWithInput(start, fold);
}

export function foreachCode(
  { source, patterns, initial, update, extract }: Foreach,
  scope: Scope | undefined,
): Code {
  const items = compileExpression(source, scope);
  const start = compileExpression(initial, scope);
  const bind = bindPatterns(patterns, scope);
  let inner = scope;
  for (const name of patternNames(patterns)) inner = withName(inner, "variable", name);
  const step = compileExpression(update, inner);
  const show = extract === undefined ? undefined : compileExpression(extract, inner);
  return {
    run: (env, input, emit) =>
      force(
        start.run(env, input, (begin) => {
          let state = begin;
          return force(
            items.run(env, input, (item) => {
              env.machine.tick(update);
              return bind(
                env,
                input,
                item,
                (bound, out) => {
                  const before = state;
                  state = null;
                  return force(
                    step.run(bound, before, (value) => {
                      state = value;
                      return show === undefined ? out(value) : force(show.run(bound, value, out), bound);
                    }),
                    bound,
                  );
                },
                emit,
              );
            }),
            env,
          );
        }),
        env,
      ),
  };
}
