import type { Json } from "../json.ts";
import type { Pattern } from "../syntax-tree.ts";
import { index } from "./access.ts";
import { compileExpression } from "./code.ts";
import type { Code } from "./combinators.ts";
import { JqError } from "./error.ts";
import { Environment, force } from "./machine.ts";
import type { Scope } from "./scope.ts";

/** The variables of patterns, each once: those of all alternatives. */
export function patternNames(patterns: readonly Pattern[]): readonly string[] {
  const names = new Set<string>();
  const visit = (pattern: Pattern): void => {
    switch (pattern.kind) {
      case "VariablePattern":
        names.add(pattern.name);
        break;
      case "ArrayPattern":
        pattern.items.forEach(visit);
        break;
      case "ObjectPattern":
        for (const { key, pattern: below } of pattern.entries) {
          if (key.kind === "VariablePattern") names.add(key.name);
          if (below !== undefined) visit(below);
        }
    }
  };
  patterns.forEach(visit);
  return [...names];
}

type Outputs = (...args: never[]) => boolean;

/**
 * Binds the variables of patterns and runs `use` for each way to do so. With alternatives (`?//`), a
 * failure of one, or of `use`, goes on to the next; what fails while consuming outputs doesn't, so `use`
 * must give its outputs to the `out` that it is given.
 */
export function bindPatterns(patterns: readonly Pattern[], scope: Scope | undefined) {
  const names = patternNames(patterns);
  const alternatives = patterns.map((pattern) => destructuring(pattern, names, scope));
  const enter = (env: Environment, bound: readonly Json[]): Environment =>
    bound.reduce<Environment>((inner, value) => new Environment(env.machine, value, inner), env);
  return <Out extends Outputs>(
    env: Environment,
    input: Json,
    value: Json,
    use: (inner: Environment, out: Out) => boolean,
    emit: Out,
  ): boolean => {
    const nothing = names.map(() => null);
    for (const [at, destructure] of alternatives.entries()) {
      if (at === alternatives.length - 1) {
        return destructure(env, input, value, nothing, (bound) => use(enter(env, bound), emit));
      }
      let outside = false;
      const out = ((...args: never[]) => {
        try {
          return emit(...args);
        } catch (error) {
          outside = true;
          throw error;
        }
        // The wrapper has the type of what it wraps, whatever its parameters are.
      }) as Out;
      try {
        return destructure(env, input, value, nothing, (bound) => use(enter(env, bound), out));
      } catch (error) {
        if (outside || !(error instanceof JqError) || error.kind !== "error") throw error;
      }
    }
    return true;
  };
}

type Destructure = (
  env: Environment,
  input: Json,
  value: Json,
  bound: readonly Json[],
  use: (bound: readonly Json[]) => boolean,
) => boolean;

function destructuring(pattern: Pattern, names: readonly string[], scope: Scope | undefined): Destructure {
  switch (pattern.kind) {
    case "VariablePattern": {
      const at = names.indexOf(pattern.name);
      return (_env, _input, value, bound, use) => use(bound.with(at, value));
    }
    case "ArrayPattern":
      // jq takes an array apart from its end; it shows in errors and in the order of outputs.
      return sequence(
        pattern.items
          .map((item, position): Destructure => {
            const below = destructuring(item, names, scope);
            return (env, input, value, bound, use) =>
              below(env, input, index(value, position, item), bound, use);
          })
          .reverse(),
      );
    case "ObjectPattern":
      return sequence(
        pattern.entries.map(({ key, pattern: inner }) => {
          const below = inner === undefined ? undefined : destructuring(inner, names, scope);
          const variable = key.kind === "VariablePattern" ? names.indexOf(key.name) : -1;
          const name: Code =
            key.kind === "Name" || key.kind === "VariablePattern"
              ? constantKey(key.kind === "Name" ? key.text : key.name)
              : compileExpression(key, scope);
          return (env, input, value, bound, use) =>
            force(
              name.run(env, input, (text) => {
                const found = index(value, text, key);
                const next = variable === -1 ? bound : bound.with(variable, found);
                return below === undefined ? use(next) : below(env, input, found, next, use);
              }),
              env,
            );
        }),
      );
  }
}

function constantKey(text: string): Code {
  return { run: (_env, _input, emit) => emit(text) };
}

function sequence(steps: readonly Destructure[]): Destructure {
  return steps.reduceRight<Destructure>(
    (rest, step) => (env, input, value, bound, use) =>
      step(env, input, value, bound, (next) => rest(env, input, value, next, use)),
    (_env, _input, _value, bound, use) => use(bound),
  );
}
