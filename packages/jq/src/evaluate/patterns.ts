import { boundVariables } from "../bound-variables.ts";
import type { Json } from "../json.ts";
import type { Pattern, PatternEntry, VariablePattern } from "../syntax-tree.ts";
import { index } from "./access.ts";
import { type Code, single } from "./combinators.ts";
import { compileExpression } from "./compiler.ts";
import { Failure } from "./error.ts";
import { Environment, force, type Single } from "./machine.ts";
import type { Scope } from "./scope.ts";

/** The variables of patterns, each once: those of all alternatives. */
export function patternNames(patterns: readonly Pattern[]): readonly string[] {
  return [...new Set(patterns.flatMap(boundVariables).map(({ name }) => name))];
}

/** Which of the bound values each place of a pattern sets; -1 for none. */
type Slots = (place: VariablePattern) => number;

/** Alternatives share their variables, so there the last place with a name counts; otherwise it is the first. */
function slotsOf(patterns: readonly Pattern[], names: readonly string[]): Slots {
  if (patterns.length > 1) return ({ name }) => names.indexOf(name);
  const bound = boundVariables(patterns[0]!);
  const places = names.map((name) => bound.find((place) => place.name === name));
  return (place) => places.indexOf(place);
}

type Outputs = (...args: never[]) => boolean;

/** Runs `use` for each way to bind variables to parts of a value. */
export type Bind = <Out extends Outputs>(
  env: Environment,
  value: Json,
  use: (inner: Environment, out: Out) => boolean,
  emit: Out,
) => boolean;

/** `as $name`, the commonest pattern. */
const bindVariable: Bind = (env, value, use, emit) => {
  env.machine.spend(4);
  return use(new Environment(env.machine, value, env), emit);
};

/**
 * Binds the variables of patterns and runs `use` for each way to do so. With alternatives (`?//`), a
 * failure of one goes on to the next. As in jq that is also the failure of what `use` does, and of what
 * consumes its outputs; not a break, after which jq goes on with the next as well.
 */
export function bindPatterns(patterns: readonly Pattern[], scope: Scope): Bind {
  if (patterns.length === 1 && patterns[0]!.kind === "VariablePattern") return bindVariable;
  const names = patternNames(patterns);
  const slots = slotsOf(patterns, names);
  const alternatives = patterns.map((pattern) => destructuring(pattern, slots, scope));
  const last = alternatives.pop()!;
  const nothing = names.map(() => null);
  const enter = (env: Environment, bound: readonly Json[]): Environment =>
    bound.reduce<Environment>((inner, value) => new Environment(env.machine, value, inner), env);
  return (env, value, use, emit) => {
    const go = (bound: readonly Json[]): boolean => {
      env.machine.spend(4);
      return use(enter(env, bound), emit);
    };
    for (const destructure of alternatives) {
      try {
        return destructure(env, value, nothing, go);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
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
  scope: Scope,
): ((env: Environment, input: Json) => Environment) | undefined {
  const [only] = patterns as readonly [Pattern];
  if (patterns.length > 1) return undefined;
  if (only.kind === "VariablePattern") {
    return (env, input) => new Environment(env.machine, source(env, input), env);
  }
  const names = patternNames(patterns);
  const fill = filling(only, slotsOf(patterns, names), scope);
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

function filling(pattern: Pattern, slots: Slots, scope: Scope): Fill | undefined {
  if (pattern.kind === "VariablePattern") {
    const at = slots(pattern);
    return (_env, value, bound) => {
      if (at !== -1) bound[at] = value;
    };
  }
  const steps =
    pattern.kind === "ArrayPattern"
      ? pattern.items.map((item, position) => fillingItem(item, position, slots, scope)).reverse()
      : pattern.entries.map((entry) => fillingMember(entry, slots, scope));
  if (!steps.every((step) => step !== undefined)) return undefined;
  return (env, value, bound) => {
    for (const step of steps) step(env, value, bound);
  };
}

function fillingItem(item: Pattern, position: number, slots: Slots, scope: Scope): Fill | undefined {
  const below = filling(item, slots, scope);
  return below && ((env, value, bound) => below(env, index(value, position, item), bound));
}

function fillingMember({ key, pattern }: PatternEntry, slots: Slots, scope: Scope): Fill | undefined {
  const below = pattern && filling(pattern, slots, scope);
  const name = keyCode(key, scope).single;
  if (name === undefined || (pattern !== undefined && below === undefined)) return undefined;
  const variable = key.kind === "VariablePattern" ? slots(key) : -1;
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

function destructuring(pattern: Pattern, slots: Slots, scope: Scope): Destructure {
  switch (pattern.kind) {
    case "VariablePattern": {
      const at = slots(pattern);
      return (_env, value, bound, use) => use(at === -1 ? bound : bound.with(at, value));
    }
    case "ArrayPattern":
      // jq takes an array apart from its end; it shows in errors and in the order of outputs.
      return sequence(
        pattern.items
          .map((item, position): Destructure => {
            const below = destructuring(item, slots, scope);
            return (env, value, bound, use) => below(env, index(value, position, item), bound, use);
          })
          .reverse(),
      );
    case "ObjectPattern":
      return sequence(
        pattern.entries.map(({ key, pattern: inner }) => {
          const below = inner === undefined ? undefined : destructuring(inner, slots, scope);
          const variable = key.kind === "VariablePattern" ? slots(key) : -1;
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

function keyCode(key: PatternEntry["key"], scope: Scope): Code {
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
