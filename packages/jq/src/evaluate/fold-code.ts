import type { Json } from "../json.ts";
import type { Foreach, Pattern, Reduce } from "../syntax-tree.ts";
import { type Code, mapWithInput, runAll } from "./combinators.ts";
import { compileExpression, compileInPlace } from "./compiler.ts";
import { isQuiet, losing } from "./escape-analysis.ts";
import { type Emit, Environment, force } from "./machine.ts";
import { Ownership } from "./ownership.ts";
import { bindPatterns, patternNames } from "./patterns.ts";
import { isSameScope, type Scope, withName } from "./scope.ts";

let compiled = new WeakMap<Reduce | Foreach, { readonly scope: Scope; readonly code: Code }>();

/** When what was known of a definition that they may call doesn't hold. */
export function forgetFolds(): void {
  compiled = new WeakMap();
}

/**
 * Compiled once: its step is tried in place first, and that compiles the folds within it; without this, each of them
 * would be compiled twice for each time that the one around it is.
 */
export function foldCode(node: Reduce | Foreach, scope: Scope): Code {
  const known = compiled.get(node);
  if (known !== undefined && isSameScope(known.scope, scope)) return known.code;
  const code = node.kind === "Reduce" ? reduceCode(node, scope) : foreachCode(node, scope);
  compiled.set(node, { scope, code });
  return code;
}

/**
 * Both folds: the last output of a step is the new state. Without one it is null, also for what goes on after a step
 * that failed: alternatives (`?//`) among what gives the items do. So nobody ever sees what such a step has made of it.
 */
function reduceCode({ source, patterns, initial, update }: Reduce, scope: Scope): Code {
  const items = compileExpression(source, scope);
  const start = compileExpression(initial, scope);
  const bind = bindLoop(patterns, scope);
  const inner = insideScope(patterns, scope);
  const inPlace = compileInPlace(update, inner);
  if (inPlace !== undefined) {
    return mapWithInput(start, (env, input, begin) => {
      let state = begin;
      const owned = new Ownership();
      const step = (bound: Environment): boolean => {
        const before = state;
        state = null;
        state = inPlace(bound, before, owned, 0);
        return true;
      };
      runAll(items, env, input, (item) => {
        env.machine.calls(update);
        return bind(env, item, step);
      });
      return state;
    });
  }
  const step = compileExpression(update, inner);
  return mapWithInput(start, (env, input, begin) => {
    let state = begin;
    const take: Emit = (value) => {
      state = value;
      return true;
    };
    const next = (bound: Environment): boolean => {
      const before = state;
      state = null;
      if (step.maybe !== undefined) return take(step.maybe(bound, before) ?? null);
      return force(step.run(bound, before, take), bound);
    };
    runAll(items, env, input, (item) => {
      env.machine.calls(update);
      return bind(env, item, next);
    });
    return state;
  });
}

function foreachCode(node: Foreach, scope: Scope): Code {
  const { source, patterns, initial, update, extract } = node;
  const items = compileExpression(source, scope);
  const start = compileExpression(initial, scope);
  const inner = insideScope(patterns, scope);
  const inPlace = foreachInPlace(node, inner);
  if (inPlace !== undefined) {
    const bind = bindLoop(patterns, scope);
    return {
      run: (env, input, emit) =>
        force(
          start.run(env, input, (begin) => {
            const turn = inPlace(begin, emit);
            return runAll(items, env, input, (item) => {
              env.machine.calls(update);
              return bind(env, item, turn);
            });
          }),
          env,
        ),
    };
  }
  const bind = bindPatterns(patterns, scope);
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

type Turn = (bound: Environment) => boolean;

/** The turns of a `foreach` that gives something else than its state: whoever takes what it gives may keep that. */
function foreachInPlace(
  { update, extract }: Foreach,
  inner: Scope,
): ((begin: Json, emit: Emit) => Turn) | undefined {
  if (extract === undefined || !isQuiet(extract, inner)) return undefined;
  const inPlace = compileInPlace(update, inner);
  if (inPlace === undefined) return undefined;
  const show = compileExpression(extract, inner);
  const lose = losing(extract, inner);
  return (begin, emit) => {
    let state = begin;
    const owned = new Ownership();
    const give: Emit = (value) => {
      lose(owned, 0, value);
      return emit(value);
    };
    return (bound) => {
      const before = state;
      state = null;
      state = inPlace(bound, before, owned, 0);
      return runAll(show, bound, state, give);
    };
  };
}

/** Binds what each item brings, and runs a turn with it. */
function bindLoop(
  patterns: readonly Pattern[],
  scope: Scope,
): (env: Environment, item: Json, turn: Turn) => boolean {
  const [only] = patterns as readonly [Pattern];
  if (patterns.length === 1 && only.kind === "VariablePattern") {
    return (env, item, turn) => turn(new Environment(env.machine, item, env));
  }
  const bind = bindPatterns(patterns, scope);
  return (env, item, turn) => bind<Emit>(env, item, turn, noEmit);
}

const noEmit: Emit = () => true;

function insideScope(patterns: readonly Pattern[], scope: Scope): Scope {
  return patternNames(patterns).reduce<Scope>((inner, name) => withName(inner, "variable", name), scope);
}
