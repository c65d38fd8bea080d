import type { Json } from "../json.ts";
import type { Assignment } from "../syntax-tree.ts";
import { deletePaths, updatePath } from "./access.ts";
import { compileExpression, lazily } from "./code.ts";
import type { Code } from "./combinators.ts";
import { type Environment, force, type LazyCode, type RunPaths, type Single } from "./machine.ts";
import { arithmeticOperations } from "./operators.ts";
import { finished, pathKeys } from "./paths.ts";
import type { Scope } from "./scope.ts";
import { isTrue } from "./values.ts";

/** All assignment operators. The value's outputs are the outer loop, as in jq. */
export function assign(node: Assignment, scope: Scope | undefined): Code {
  const target = lazily(node.target, () => scope);
  if (node.operator === "|=")
    return updating(
      target,
      lazily(node.value, () => scope),
      node,
    );
  const change = changeOf(node);
  const value = compileExpression(node.value, scope);
  const apply = (env: Environment, input: Json, given: Json): Json =>
    foldPaths(target, env, input, node, (result, path) =>
      updatePath(result, path, (old) => change(old, given, env), node),
    );
  if (value.single !== undefined) {
    const one = value.single;
    const single: Single = (env, input) => apply(env, input, one(env, input));
    return { single, run: (env, input, emit) => emit(single(env, input)) };
  }
  return {
    run: (env, input, emit) =>
      force(
        value.run(env, input, (given) => emit(apply(env, input, given))),
        env,
      ),
  };
}

function changeOf({
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

/** `target |= update`: the update's first output; where it has none, the value is deleted. */
function updating(target: LazyCode, update: LazyCode, node: Assignment): Code {
  const single: Single = (env, input) => {
    const deleted: Json[] = [];
    const result = foldPaths(target, env, input, node, (before, path) => {
      let remains = false;
      const after = updatePath(
        before,
        path,
        (old) => {
          let first = old;
          force(
            update.run(env, old, (value) => {
              first = value;
              remains = true;
              return false;
            }),
            env,
          );
          return first;
        },
        node,
      );
      if (remains) return after;
      deleted.push(path);
      return before;
    });
    return deleted.length === 0 ? result : deletePaths(result, deleted, node);
  };
  return { single, run: (env, input, emit) => emit(single(env, input)) };
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
    env.machine.tick(node);
    result = step(result, pathKeys(finished(path, value, node.target)));
    return true;
  });
  return result;
}
