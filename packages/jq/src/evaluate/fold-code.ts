import type { Json } from "../json.ts";
import type { Foreach, Pattern, Reduce, Span } from "../syntax-tree.ts";
import { compileExpression } from "./code.ts";
import { type Code, mapWithInput, runAll } from "./combinators.ts";
import { compileInPlace, type StepInPlace } from "./in-place.ts";
import { type Emit, Environment, force } from "./machine.ts";
import { bindPatterns, patternNames } from "./patterns.ts";
import { type Scope, withName } from "./scope.ts";

export function reduceCode({ source, patterns, initial, update }: Reduce, scope: Scope | undefined): Code {
  const items = compileExpression(source, scope);
  const start = compileExpression(initial, scope);
  const bind = bindPatterns(patterns, scope);
  let inner = scope;
  for (const name of patternNames(patterns)) inner = withName(inner, "variable", name);
  const step = compileExpression(update, inner);
  const [only] = patterns as readonly [Pattern];
  if (patterns.length === 1 && only.kind === "VariablePattern") {
    return mapWithInput(start, reduceWithOneVariable(items, step, compileInPlace(update, inner), update));
  }
  const fold = (env: Environment, input: Json, begin: Json): Json => {
    let state = begin;
    force(
      items.run(env, input, (item) => {
        env.machine.calls(update);
        return bind<Emit>(
          env,
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

function reduceWithOneVariable(
  items: Code,
  step: Code,
  inPlace: StepInPlace | undefined,
  span: Span,
): (env: Environment, input: Json, begin: Json) => Json {
  return (env, input, begin) => {
    let state = begin;
    let isOurs = false;
    runAll(items, env, input, (item) => {
      env.machine.calls(span);
      const bound = new Environment(env.machine, item, env);
      const next = inPlace?.(bound, state, isOurs);
      isOurs = next !== undefined;
      if (next !== undefined) state = next;
      else if (step.maybe !== undefined) state = step.maybe(bound, state) ?? null;
      else {
        const before = state;
        // The last output is the new state; without one it is null.
        state = null;
        return force(
          step.run(bound, before, (value) => {
            state = value;
            return true;
          }),
          bound,
        );
      }
      return true;
    });
    return state;
  };
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
              env.machine.calls(update);
              return bind(
                env,
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
