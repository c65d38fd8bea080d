import type { Json } from "../json.ts";
import type { Pattern, PatternEntry } from "../syntax-tree.ts";
import { index } from "./access.ts";
import { compileExpression } from "./code.ts";
import { type Code, single } from "./combinators.ts";
import { JqError } from "./error.ts";
import { Environment, force, type Single } from "./machine.ts";
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
 * failure of one goes on to the next. As in jq that is also the failure of what `use` does, and of what
 * consumes its outputs.
 */
export function bindPatterns(patterns: readonly Pattern[], scope: Scope | undefined) {
  const names = patternNames(patterns);
  const alternatives = patterns.map((pattern) => destructuring(pattern, names, scope));
  const last = alternatives.pop()!;
  const nothing = names.map(() => null);
  const enter = (env: Environment, bound: readonly Json[]): Environment =>
    bound.reduce<Environment>((inner, value) => new Environment(env.machine, value, inner), env);
  return <Out extends Outputs>(
    env: Environment,
    value: Json,
    use: (inner: Environment, out: Out) => boolean,
    emit: Out,
  ): boolean => {
    const go = (bound: readonly Json[]): boolean => {
      env.machine.spend(4);
      return use(enter(env, bound), emit);
    };
    for (const destructure of alternatives) {
      try {
        return destructure(env, value, nothing, go);
      } catch (error) {
        if (!(error instanceof JqError) || error.kind !== "error") throw error;
      }
    }
    return last(env, value, nothing, go);
  };
}

/**
 * The environment with the variables of a pattern that binds in one way only; undefined if there may be several, or
 * alternatives.
 */
export function bindOnce(
  source: Single,
  patterns: readonly Pattern[],
  scope: Scope | undefined,
): ((env: Environment, input: Json) => Environment) | undefined {
  const [only] = patterns as readonly [Pattern];
  if (patterns.length > 1) return undefined;
  if (only.kind === "VariablePattern") {
    return (env, input) => new Environment(env.machine, source(env, input), env);
  }
  const names = patternNames(patterns);
  const fill = filling(only, names, scope);
  return (
    fill &&
    ((env, input) => {
      const bound: Json[] = names.map(() => null);
      env.machine.spend(4);
      fill(env, source(env, input), bound);
      let inner = env;
      for (const value of bound) inner = new Environment(env.machine, value, inner);
      return inner;
    })
  );
}

/** Takes a value apart into the values of all variables. */
type Fill = (env: Environment, value: Json, bound: Json[]) => void;

function filling(pattern: Pattern, names: readonly string[], scope: Scope | undefined): Fill | undefined {
  if (pattern.kind === "VariablePattern") {
    const at = names.indexOf(pattern.name);
    return (_env, value, bound) => {
      bound[at] = value;
    };
  }
  const steps =
    pattern.kind === "ArrayPattern"
      ? pattern.items.map((item, position) => fillingItem(item, position, names, scope)).reverse()
      : pattern.entries.map((entry) => fillingMember(entry, names, scope));
  if (!steps.every((step) => step !== undefined)) return undefined;
  return (env, value, bound) => {
    for (const step of steps) step(env, value, bound);
  };
}

function fillingItem(
  item: Pattern,
  position: number,
  names: readonly string[],
  scope: Scope | undefined,
): Fill | undefined {
  const below = filling(item, names, scope);
  return below && ((env, value, bound) => below(env, index(value, position, item), bound));
}

function fillingMember(
  { key, pattern }: PatternEntry,
  names: readonly string[],
  scope: Scope | undefined,
): Fill | undefined {
  const below = pattern && filling(pattern, names, scope);
  const name = keyCode(key, scope).single;
  if (name === undefined || (pattern !== undefined && below === undefined)) return undefined;
  const variable = key.kind === "VariablePattern" ? names.indexOf(key.name) : -1;
  return (env, value, bound) => {
    const found = index(value, name(env, value), key);
    if (variable !== -1) bound[variable] = found;
    below?.(env, found, bound);
  };
}

type Destructure = (
  env: Environment,
  value: Json,
  bound: readonly Json[],
  use: (bound: readonly Json[]) => boolean,
) => boolean;

function destructuring(pattern: Pattern, names: readonly string[], scope: Scope | undefined): Destructure {
  switch (pattern.kind) {
    case "VariablePattern": {
      const at = names.indexOf(pattern.name);
      return (_env, value, bound, use) => use(bound.with(at, value));
    }
    case "ArrayPattern":
      // jq takes an array apart from its end; it shows in errors and in the order of outputs.
      return sequence(
        pattern.items
          .map((item, position): Destructure => {
            const below = destructuring(item, names, scope);
            return (env, value, bound, use) => below(env, index(value, position, item), bound, use);
          })
          .reverse(),
      );
    case "ObjectPattern":
      return sequence(
        pattern.entries.map(({ key, pattern: inner }) => {
          const below = inner === undefined ? undefined : destructuring(inner, names, scope);
          const variable = key.kind === "VariablePattern" ? names.indexOf(key.name) : -1;
          const name = keyCode(key, scope);
          return (env, value, bound, use) =>
            force(
              name.run(env, value, (text) => {
                const found = index(value, text, key);
                const next = variable === -1 ? bound : bound.with(variable, found);
                return below === undefined ? use(next) : below(env, found, next, use);
              }),
              env,
            );
        }),
      );
  }
}

function keyCode(key: PatternEntry["key"], scope: Scope | undefined): Code {
  if (key.kind !== "Name" && key.kind !== "VariablePattern") return compileExpression(key, scope);
  const text = key.kind === "Name" ? key.text : key.name;
  return single(() => text);
}

function sequence(steps: readonly Destructure[]): Destructure {
  return steps.reduceRight<Destructure>(
    (rest, step) => (env, value, bound, use) =>
      step(env, value, bound, (next) => rest(env, value, next, use)),
    (_env, _value, bound, use) => use(bound),
  );
}
