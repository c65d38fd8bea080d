import type { Json } from "../json.ts";
import type { Assignment } from "../syntax-tree.ts";
import { deletePaths, updatePath } from "./access.ts";
import { type Code, single } from "./combinators.ts";
import { compileExpression, lazily } from "./compiler.ts";
import { type Environment, force, type LazyCode, type RunPaths, type Single } from "./machine.ts";
import { arithmeticOperations } from "./operators.ts";
import { Ownership } from "./ownership.ts";
import { finished, pathKeys } from "./path-values.ts";
import type { Scope } from "./scope.ts";
import { compileUpdate, deletion, type Update, untouched } from "./update-code.ts";
import { isTrue } from "./values.ts";

/** All assignment operators. The value's outputs are the outer loop, as in jq. */
export function assign(node: Assignment, scope: Scope): Code {
  const target = lazily(node.target, () => scope);
  if (node.operator === "|=")
    return updating(
      target,
      lazily(node.value, () => scope),
      compileUpdate(node.target, scope),
      node,
    );
  const change = changeOf(node);
  const value = compileExpression(node.value, scope);
  const update = compileUpdate(node.target, scope);
  const apply = (env: Environment, input: Json, given: Json): Json => {
    if (update !== undefined) {
      const result = update(env, input, (old) => change(old, given, env));
      return result === untouched ? input : result!;
    }
    const owned = new Ownership();
    return foldPaths(target, env, input, node, (result, path) =>
      updatePath(result, path, (old) => change(old, given, env), node, owned),
    );
  };
  if (value.single !== undefined) {
    const one = value.single;
    return single((env, input) => apply(env, input, one(env, input)));
  }
  return {
    run: (env, input, emit) =>
      force(
        value.run(env, input, (given) => emit(apply(env, input, given))),
        env,
      ),
  };
}

export function changeOf({
  operator,
  operatorSpan,
}: Assignment): (old: Json, given: Json, env: Environment) => Json {
  switch (operator) {
    case "=":
      return (_old, given) => given;
    case "//=":
      return (old, given) => (isTrue(old) ? old : given);
    default: {
      const operation = arithmeticOperations[operator.slice(0, -1) as "+" | "-" | "*" | "/" | "%"];
      return (old, given, env) => operation(old, given, env.machine, operatorSpan);
    }
  }
}

/** The first output of an update; undefined if it has none. */
export function firstOf(update: LazyCode, env: Environment, old: Json): Json | undefined {
  if (update.maybe !== undefined) return update.maybe(env, old);
  let first: Json | undefined;
  force(
    update.run(env, old, (value) => {
      first = value;
      return false;
    }),
    env,
  );
  return first;
}

/** `target |= update`: the update's first output; where it has none, the value is deleted. */
function updating(target: LazyCode, update: LazyCode, atOnce: Update | undefined, node: Assignment): Code {
  const pathByPath: Single = (env, input) => {
    const deleted: Json[] = [];
    const owned = new Ownership();
    const result = foldPaths(target, env, input, node, (before, path) => {
      const after = updatePath(before, path, (old) => firstOf(update, env, old), node, owned);
      if (after !== undefined) return after;
      deleted.push(path);
      return before;
    });
    return deleted.length === 0 ? result : deletePaths(result, deleted, node, owned);
  };
  if (atOnce === undefined) return single(pathByPath);
  return single((env, input) => {
    try {
      const result = atOnce(env, input, (old) => firstOf(update, env, old));
      if (result === untouched) return input;
      // Undefined: the root itself was deleted.
      return result === undefined ? null : result;
    } catch (error) {
      if (error !== deletion) throw error;
      return pathByPath(env, input);
    }
  });
}

function foldPaths(
  target: { readonly paths: RunPaths },
  env: Environment,
  input: Json,
  node: Assignment,
  step: (result: Json, path: readonly Json[]) => Json,
): Json {
  let result = input;
  target.paths(env, null, input, (path, value) => {
    env.machine.calls(node);
    result = step(result, pathKeys(finished(path, value, node.target)));
    return true;
  });
  return result;
}
