import type { Json } from "../json.ts";
import type { Call, Expression, Foreach, Pattern, Span, Stage, Suffix, Variable } from "../syntax-tree.ts";
import { entries, index } from "./access.ts";
import { preludeScope } from "./builtins/definitions.ts";
import { entering } from "./call-code.ts";
import { attempt, type Code } from "./combinators.ts";
import { compileExpression, compilePaths, lazily } from "./compiler.ts";
import { fail } from "./error.ts";
import { isCaught, runLabel } from "./labels.ts";
import { ancestor, type Closure, Environment, force, type Path, type RunPaths } from "./machine.ts";
import { isInputItself, pathTo } from "./path-values.ts";
import { bindPatterns, patternNames } from "./patterns.ts";
import { withDefinition } from "./pipeline-code.ts";
import { isOptionalStep } from "./postfix-code.ts";
import { distance, findFunction, type Scope, withName } from "./scope.ts";
import { excerpt, isTrue } from "./values.ts";

/** Compiles an expression so that it gives, besides each output, where in the input that stands. */
export function paths(node: Expression, scope: Scope): RunPaths {
  switch (node.kind) {
    case "Identity":
      return (_env, path, value, emit) => emit(path, value);
    case "Group":
      return compilePaths(node.body, scope);
    case "Postfix": {
      let code = compilePaths(node.head, scope);
      for (let at = 0; at < node.suffixes.length; at++) {
        const optional = isOptionalStep(node.suffixes, at);
        code = suffixPaths(code, node.suffixes[at]!, optional, scope);
        if (optional) at++;
      }
      return code;
    }
    case "Pipeline":
      return pipelinePaths(node.stages, scope);
    case "Comma": {
      const items = node.items.map((item) => compilePaths(item, scope));
      return (env, path, value, emit) =>
        items.every((item) => {
          env.machine.tick(node);
          return item(env, path, value, emit);
        });
    }
    case "Alternative":
      return node.operands
        .map((operand) => compilePaths(operand, scope))
        .reduceRight((otherwise, first) => (env, path, value, emit) => {
          let found = false;
          const going = first(env, path, value, (at, item) => {
            if (!isTrue(item)) return true;
            found = true;
            return emit(at, item);
          });
          return going && (found || otherwise(env, path, value, emit));
        });
    case "If": {
      const rest: RunPaths =
        node.otherwise === undefined
          ? (_env, path, value, emit) => emit(path, value)
          : compilePaths(node.otherwise, scope);
      return [...node.branches].reverse().reduce<RunPaths>((no, { condition, body }) => {
        const test = compileExpression(condition, scope);
        const yes = compilePaths(body, scope);
        return (env, path, value, emit) =>
          force(
            test.run(env, value, (result) => (isTrue(result) ? yes : no)(env, path, value, emit)),
            env,
          );
      }, rest);
    }
    case "Try":
      return tryPaths(
        compilePaths(node.body, scope),
        node.handler === undefined ? undefined : compilePaths(node.handler, scope),
      );
    case "Reduce":
    case "Foreach":
      return foldPaths(node, scope);
    case "RecurseDefault":
      return callPaths("recurse", [], node, scope);
    case "Call":
      return callPaths(node.name.text, (node as Call).arguments, node, scope);
    case "Variable":
      return variablePaths(node, scope);
    default:
      return outside(compileExpression(node, scope).run, node.kind === "Format" && node.name === "text");
  }
}

/** A variable whose value was bound together with its place. */
class PlacedEnvironment extends Environment {
  readonly path: Path;
  constructor(outer: Environment, value: Json, path: Path) {
    super(outer.machine, value, outer);
    this.path = path;
  }
}

function variablePaths(node: Variable, scope: Scope): RunPaths {
  const otherwise = outside(compileExpression(node, scope).run);
  const out = distance(scope, "variable", node.name);
  if (out === undefined) return otherwise;
  return (env, path, value, emit) => {
    const bound = ancestor(env, out);
    if (bound instanceof PlacedEnvironment) return emit(bound.path, bound.value as Json);
    return otherwise(env, path, value, emit);
  };
}

/** An expression whose outputs are new values, unless it gives the very value that it was given. */
function outside(run: Code["run"], keeps = false): RunPaths {
  return (env, path, value, emit) =>
    force(
      run(env, value, (output) => {
        const isInput = isInputItself(output, value) || (keeps && output === value);
        return emit(isInput ? path : undefined, output);
      }),
      env,
    );
}

/** Builtins that give a text or number that they needn't change as it is, not a copy of it. */
const keepers: ReadonlySet<string> = new Set([
  ...["tostring/0", "tonumber/0", "abs/0", "trim/0", "ltrim/0", "rtrim/0"],
]);

function suffixPaths(target: RunPaths, suffix: Suffix, optional: boolean, scope: Scope): RunPaths {
  switch (suffix.kind) {
    case "Field": {
      const { key } = suffix;
      const name: Code =
        key.kind === "Name" ? { run: (_env, _input, emit) => emit(key.text) } : compileExpression(key, scope);
      return stepPaths(target, name, suffix, optional);
    }
    case "Index":
      return stepPaths(target, compileExpression(suffix.index, scope), suffix, optional);
    case "Slice": {
      const nothing: Code = { run: (_env, _input, emit) => emit(null) };
      const from = suffix.from === undefined ? nothing : compileExpression(suffix.from, scope);
      const to = suffix.to === undefined ? nothing : compileExpression(suffix.to, scope);
      const key: Code = {
        run: (env, input, emit) =>
          force(
            from.run(env, input, (start) =>
              force(
                to.run(env, input, (end) => emit({ start, end })),
                env,
              ),
            ),
            env,
          ),
      };
      return stepPaths(target, key, suffix, optional);
    }
    case "Iterate":
      return (env, path, value, emit) =>
        target(env, path, value, (at, item) => {
          const below = (): Iterable<readonly [string | number, Json]> => {
            if (at !== undefined) return entries(item, suffix);
            return fail(`Invalid path expression near attempt to iterate through ${excerpt(item)}`, suffix);
          };
          for (const [key, inner] of (optional ? attempt(below) : below()) ?? []) {
            env.machine.tick(suffix);
            if (!emit(pathTo(at, key, item, suffix), inner)) return false;
          }
          return true;
        });
    case "Optional":
      return tryPaths(target, undefined);
  }
}

/** One step down by a key; the key's outputs are the outer loop. */
function stepPaths(target: RunPaths, key: Code, span: Span, optional: boolean): RunPaths {
  return (env, path, value, emit) =>
    force(
      key.run(env, value, (name) =>
        target(env, path, value, (at, item) => {
          const step = (): readonly [Path, Json] => [pathTo(at, name, item, span), index(item, name, span)];
          const found = optional ? attempt(step) : step();
          return found === undefined || emit(...found);
        }),
      ),
      env,
    );
}

/** A handler whose input is the very value that failed stands where that does, as in jq. */
function tryPaths(body: RunPaths, handler: RunPaths | undefined): RunPaths {
  return (env, path, value, emit) => {
    let outside: unknown;
    try {
      return body(env, path, value, (at, item) => {
        try {
          return emit(at, item);
        } catch (error) {
          outside = error;
          throw error;
        }
      });
    } catch (error) {
      if (error === outside || !isCaught(error)) throw error;
      if (handler === undefined) return true;
      const { value: given } = error;
      return handler(env, given === value ? path : undefined, given, emit);
    }
  };
}

function pipelinePaths(stages: readonly Stage[], outer: Scope, at = 0): RunPaths {
  const stage = stages[at]!;
  if (at === stages.length - 1) return compilePaths(stage as Expression, outer);
  switch (stage.kind) {
    case "Definition":
      return pipelinePaths(stages, withDefinition(outer, stage), at + 1);
    case "Label": {
      const body = pipelinePaths(stages, withName(outer, "label", stage.name.text), at + 1);
      return (env, path, value, emit) => runLabel(env, (labelled) => body(labelled, path, value, emit));
    }
    case "Binding": {
      const source = compileExpression(stage.source, outer);
      const bind = bindPatterns(stage.patterns, outer);
      let inner = outer;
      for (const name of patternNames(stage.patterns)) inner = withName(inner, "variable", name);
      const body = pipelinePaths(stages, inner, at + 1);
      const [only] = stage.patterns;
      if (
        stage.source.kind === "Identity" &&
        stage.patterns.length === 1 &&
        only!.kind === "VariablePattern"
      ) {
        return (env, path, value, emit) => body(new PlacedEnvironment(env, value, path), path, value, emit);
      }
      return (env, path, value, emit) =>
        force(
          source.run(env, value, (bound) =>
            bind(env, bound, (frame, out) => body(frame, path, value, out), emit),
          ),
          env,
        );
    }
    default: {
      const first = compilePaths(stage, outer);
      const next = pipelinePaths(stages, outer, at + 1);
      return (env, path, value, emit) => first(env, path, value, (to, item) => next(env, to, item, emit));
    }
  }
}

function foldPaths(node: Extract<Expression, { kind: "Reduce" | "Foreach" }>, scope: Scope): RunPaths {
  const items = compileExpression(node.source, scope);
  const start = compilePaths(node.initial, scope);
  const bind = bindPatterns(node.patterns, scope);
  let inner = scope;
  for (const name of patternNames(node.patterns)) inner = withName(inner, "variable", name);
  const step = compilePaths(node.update, inner);
  const show =
    node.kind === "Foreach" && node.extract !== undefined ? compilePaths(node.extract, inner) : undefined;
  const isReduce = node.kind === "Reduce";
  if (!isReduce && givesItem(node)) return foreachPaths(node, scope, start, step, show ?? identityPaths);
  return (env, path, value, emit) =>
    start(env, path, value, (begin, initial) => {
      let state: readonly [Path, Json] = [begin, initial];
      const going = force(
        items.run(env, value, (item) => {
          env.machine.calls(node);
          return bind(
            env,
            item,
            (bound, out) => {
              const [at, before] = state;
              // Without an output the state is null, which is nothing of the input unless that is null itself.
              state = [value === null ? path : undefined, null];
              return step(bound, at, before, (after, result) => {
                state = [after, result];
                if (isReduce) return true;
                return show === undefined ? out(after, result) : show(bound, after, result, out);
              });
            },
            emit,
          );
        }),
        env,
      );
      return isReduce ? emit(...state) : going;
    });
}

const identityPaths: RunPaths = (_env, path, value, emit) => emit(path, value);

/**
 * `foreach .[] as $item (0; . + 1; $item)`: as in jq, an item stands where it was found, so that what is built of this
 * (a `limit` or `skip` of one's own) selects parts of the input.
 */
function foreachPaths(
  node: Foreach,
  scope: Scope,
  start: RunPaths,
  step: RunPaths,
  show: RunPaths,
): RunPaths {
  const items = compilePaths(node.source, scope);
  return (env, path, value, emit) =>
    start(env, path, value, (begin, initial) => {
      let state: readonly [Path, Json] = [begin, initial];
      return items(env, path, value, (at, item) => {
        env.machine.calls(node);
        const bound = new PlacedEnvironment(env, item, at);
        const [before, old] = state;
        state = [value === null ? path : undefined, null];
        return step(bound, before, old, (after, result) => {
          state = [after, result];
          return show(bound, after, result, emit);
        });
      });
    });
}

/** Whether what a fold selects may be the item that its variable stands for. */
function givesItem({ patterns, update, extract }: Foreach): boolean {
  const [only] = patterns as readonly [Pattern];
  if (patterns.length > 1 || only.kind !== "VariablePattern") return false;
  return standsIn(only.name, update) || (extract !== undefined && standsIn(only.name, extract));
}

/** Whether a path may begin with a variable. */
function standsIn(name: string, node: Stage): boolean {
  const inAny = (parts: readonly Stage[]): boolean => parts.some((part) => standsIn(name, part));
  switch (node.kind) {
    case "Variable":
      return node.name === name;
    case "Group":
      return standsIn(name, node.body);
    case "Postfix":
      return standsIn(name, node.head);
    case "Pipeline":
      return inAny(node.stages);
    case "Comma":
      return inAny(node.items);
    case "Alternative":
      return inAny(node.operands);
    case "Try":
      return standsIn(name, node.body);
    case "If":
      return inAny([...node.branches.map(({ body }) => body), ...(node.otherwise ? [node.otherwise] : [])]);
    case "Call":
      return inAny(node.arguments);
    default:
      return false;
  }
}

function callPaths(name: string, args: readonly Expression[], span: Span, scope: Scope): RunPaths {
  const target = findFunction(scope, name, args.length);
  if (target === undefined) {
    const filter = scope.compiler.functions.filters.get(`${name}/${args.length}`);
    if (filter?.paths !== undefined)
      return filter.paths(
        args.map((argument) => lazily(argument, () => scope)),
        span,
      );
    const defined = preludeScope(name, args.length, span, scope);
    if (defined !== undefined) return definedPaths(defined, args, span, scope);
    return outside(
      compileExpression(
        {
          kind: "Call",
          name: { kind: "Name", text: name, ...span },
          arguments: args,
          start: span.start,
          end: span.end,
        },
        scope,
      ).run,
      keepers.has(`${name}/${args.length}`),
    );
  }
  return definedPaths(target, args, span, scope);
}

function definedPaths(target: Scope, args: readonly Expression[], span: Span, scope: Scope): RunPaths {
  const { entry } = target;
  const out = scope.depth - target.depth;
  if (entry.kind !== "function") {
    return (env, path, value, emit) => {
      env.machine.calls(span);
      const closure = ancestor(env, out).value as Closure;
      return closure.code.paths(closure.env, path, value, emit);
    };
  }
  const { body, definition } = entry;
  const { each } = entering(definition, args, scope, out);
  return (env, path, value, emit) =>
    force(
      each(env, value, (frame) => {
        env.machine.calls(span);
        return body.paths(frame, path, value, emit);
      }),
      env,
    );
}
