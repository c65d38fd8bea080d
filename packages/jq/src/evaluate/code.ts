import type { Json } from "../json.ts";
import type {
  Alternative,
  Arithmetic,
  Call,
  Definition,
  Expression,
  Foreach,
  If,
  ObjectConstruction,
  Pattern,
  Postfix,
  Reduce,
  Span,
  Stage,
  StringLiteral,
  Suffix,
} from "../syntax-tree.ts";
import { index, slice, values } from "./access.ts";
import { assign } from "./assignment.ts";
import { filterFunctions, preludeScope, valueFunctions } from "./builtins/index.ts";
import { fail, JqError } from "./error.ts";
import { formatText } from "./formats.ts";
import {
  ancestor,
  Closure,
  type Emit,
  Environment,
  force,
  type LazyCode,
  type Result,
  type Run,
  type RunPaths,
  type Single,
  tail,
} from "./machine.ts";
import { arithmeticOperations, comparison, negate } from "./operators.ts";
import { compilePaths } from "./paths.ts";
import { bindPatterns, patternNames } from "./patterns.ts";
import { byValueParameters, depthOf, distance, findFunction, type Scope, withName } from "./scope.ts";
import { excerpt, isTrue, setMember, typeName } from "./values.ts";

/** A compiled expression; `single` only if it always has exactly one output. */
export interface Code {
  readonly run: Run;
  readonly single?: Single;
}

const single = (compute: Single): Code => ({
  single: compute,
  run: (env, input, emit) => emit(compute(env, input)),
});

/** Compiles an expression to closures. Its last calls may be returned as `tail` for the caller to make. */
export function compileExpression(node: Expression, scope: Scope | undefined): Code {
  switch (node.kind) {
    case "Identity":
      return single((_env, input) => input);
    case "Group":
      return compileExpression(node.body, scope);
    case "Number": {
      const { value } = node;
      return single(() => value);
    }
    case "String":
      return stringCode(node, scope);
    case "Format": {
      const { name } = node;
      return single((_env, input) => formatText(name, input, node));
    }
    case "SourceLocation":
      return single(() => ({ file: "<top-level>", line: node.line }));
    case "Variable":
      return variableCode(node.name, scope);
    case "Hole": {
      const { hole } = node;
      return single((env) => env.machine.holes[hole] ?? null);
    }
    case "Array":
      return arrayCode(node.body, scope, node);
    case "Object":
      return objectCode(node, scope);
    case "Postfix":
      return postfixCode(node, scope);
    case "Pipeline":
      return pipelineCode(node.stages, scope);
    case "Comma": {
      const runs = node.items.map((item) => compileExpression(item, scope).run);
      const last = runs.pop()!;
      return {
        run: (env, input, emit) => {
          for (const run of runs) if (!force(run(env, input, emit), env)) return false;
          return last(env, input, emit);
        },
      };
    }
    case "Alternative":
      return alternativeCode(node, scope);
    case "Logical":
      return node.operands
        .map((operand) => compileExpression(operand, scope))
        .reduce((left, right) => logicalCode(left, right, node.operator === "and"));
    case "Comparison": {
      const compare = comparison(node.operator);
      return binaryCode(
        compileExpression(node.left, scope),
        compileExpression(node.right, scope),
        (_env, a, b) => compare(a, b),
      );
    }
    case "Arithmetic":
      return arithmeticCode(node, scope);
    case "Negation":
      return mapCode(compileExpression(node.operand, scope), (value) => negate(value, node));
    case "Try":
      return tryCode(
        compileExpression(node.body, scope),
        node.handler === undefined ? undefined : compileExpression(node.handler, scope),
      );
    case "If":
      return ifCode(node, scope);
    case "Reduce":
      return reduceCode(node, scope);
    case "Foreach":
      return foreachCode(node, scope);
    case "Assignment":
      return assign(node, scope);
    case "RecurseDefault":
      return callCode("recurse", [], node, scope);
    case "Call":
      return callOf(node, scope);
    case "Break": {
      const out = distance(scope, "label", node.label.text);
      return {
        run: (env) => {
          throw new BreakSignal(ancestor(env, out ?? 0));
        },
      };
    }
    case "Missing":
      throw new Error("A program with mistakes can't be compiled");
  }
}

/** An expression compiled on first use. */
export function lazily(node: Expression, scope: () => Scope | undefined): LazyCode {
  let code: Code | undefined;
  let paths: RunPaths | undefined;
  return {
    get run() {
      code ??= compileExpression(node, scope());
      return code.run;
    },
    get single() {
      code ??= compileExpression(node, scope());
      return code.single;
    },
    get paths() {
      paths ??= compilePaths(node, scope());
      return paths;
    },
  };
}

/** Ends everything up to the label whose environment it carries. */
export class BreakSignal {
  readonly label: Environment;
  constructor(label: Environment) {
    this.label = label;
  }
}

function mapCode(code: Code, map: (value: Json, env: Environment) => Json): Code {
  const { single: one, run } = code;
  if (one !== undefined) return single((env, input) => map(one(env, input), env));
  return {
    run: (env, input, emit) =>
      force(
        run(env, input, (value) => emit(map(value, env))),
        env,
      ),
  };
}

/** Both sides evaluated, the right one in the outer loop, as jq does. */
function binaryCode(left: Code, right: Code, combine: (env: Environment, a: Json, b: Json) => Json): Code {
  const a = left.single;
  const b = right.single;
  if (a !== undefined && b !== undefined) {
    return single((env, input) => {
      const second = b(env, input);
      return combine(env, a(env, input), second);
    });
  }
  return {
    run: (env, input, emit) =>
      force(
        right.run(env, input, (second) =>
          force(
            left.run(env, input, (first) => emit(combine(env, first, second))),
            env,
          ),
        ),
        env,
      ),
  };
}

function arithmeticCode({ first, rest }: Arithmetic, scope: Scope | undefined): Code {
  const operands = rest.map(({ operand }) => compileExpression(operand, scope));
  const start = compileExpression(first, scope);
  const singles = operands.map((operand) => operand.single);
  if (start.single !== undefined && singles.every((one) => one !== undefined)) {
    // A long chain is a loop, so that it needs no stack; the last operand is evaluated first.
    const begin = start.single;
    const steps = rest.map(({ operator }) => arithmeticOperations[operator]);
    if (steps.length === 1) {
      const [step] = steps as [(typeof steps)[0]];
      const [one] = singles as [Single];
      const [{ operatorSpan }] = rest as unknown as [(typeof rest)[0]];
      return single((env, input) => {
        const b = one(env, input);
        return step(begin(env, input), b, env.machine, operatorSpan);
      });
    }
    return single((env, input) => {
      const evaluated = new Array<Json>(singles.length);
      for (let at = singles.length - 1; at >= 0; at--) evaluated[at] = singles[at]!(env, input);
      let result = begin(env, input);
      for (let at = 0; at < steps.length; at++) {
        result = steps[at]!(result, evaluated[at]!, env.machine, rest[at]!.operatorSpan);
      }
      return result;
    });
  }
  return operands.reduce((left, right, at) => {
    const { operator, operatorSpan } = rest[at]!;
    const operation = arithmeticOperations[operator];
    return binaryCode(left, right, (env, a, b) => operation(a, b, env.machine, operatorSpan));
  }, start);
}

function logicalCode(left: Code, right: Code, isAnd: boolean): Code {
  const a = left.single;
  const b = right.single;
  if (a !== undefined && b !== undefined) {
    return single((env, input) => (isTrue(a(env, input)) === isAnd ? isTrue(b(env, input)) : !isAnd));
  }
  return {
    run: (env, input, emit) =>
      force(
        left.run(env, input, (first) => {
          if (isTrue(first) !== isAnd) return emit(!isAnd);
          return force(
            right.run(env, input, (second) => emit(isTrue(second))),
            env,
          );
        }),
        env,
      ),
  };
}

function alternativeCode({ operands }: Alternative, scope: Scope | undefined): Code {
  return operands
    .map((operand) => compileExpression(operand, scope))
    .reduceRight((otherwise, first) => {
      const a = first.single;
      const b = otherwise.single;
      if (a !== undefined && b !== undefined) {
        return single((env, input) => {
          const value = a(env, input);
          return isTrue(value) ? value : b(env, input);
        });
      }
      return {
        run: (env, input, emit) => {
          let found = false;
          const going = force(
            first.run(env, input, (value) => {
              if (!isTrue(value)) return true;
              found = true;
              return emit(value);
            }),
            env,
          );
          if (!going) return false;
          return found || otherwise.run(env, input, emit);
        },
      };
    });
}

/** Failures of the body go to the handler; those of what consumes its outputs don't. */
function tryCode(body: Code, handler: Code | undefined): Code {
  return {
    run: (env, input, emit) => {
      let outside = false;
      try {
        return force(
          body.run(env, input, (value) => {
            try {
              return emit(value);
            } catch (error) {
              outside = true;
              throw error;
            }
          }),
          env,
        );
      } catch (error) {
        if (outside || !(error instanceof JqError) || error.kind !== "error") throw error;
        return handler === undefined || handler.run(env, error.value, emit);
      }
    },
  };
}

function ifCode({ branches, otherwise }: If, scope: Scope | undefined): Code {
  const rest = otherwise === undefined ? single((_env, input) => input) : compileExpression(otherwise, scope);
  return [...branches].reverse().reduce<Code>((no, { condition, body }) => {
    const test = compileExpression(condition, scope);
    const yes = compileExpression(body, scope);
    if (test.single !== undefined) {
      const decide = test.single;
      const run: Run = (env, input, emit) => (isTrue(decide(env, input)) ? yes : no).run(env, input, emit);
      if (yes.single === undefined || no.single === undefined) return { run };
      const [a, b] = [yes.single, no.single];
      return { run, single: (env, input) => (isTrue(decide(env, input)) ? a : b)(env, input) };
    }
    return {
      run: (env, input, emit) =>
        force(
          test.run(env, input, (value) => force((isTrue(value) ? yes : no).run(env, input, emit), env)),
          env,
        ),
    };
  }, rest);
}

function variableCode(name: string, scope: Scope | undefined): Code {
  const out = distance(scope, "variable", name);
  if (out === undefined) throw new Error(`The variable $${name} isn't bound`);
  if (out === 0) return single((env) => env.value as Json);
  if (out === 1) return single((env) => env.parent!.value as Json);
  return single((env) => ancestor(env, out).value as Json);
}

function stringCode(node: StringLiteral, scope: Scope | undefined): Code {
  const { format } = node;
  // The last part is the outermost loop, as in jq.
  return node.parts.reduce<Code>(
    (before, part) => {
      if (part.kind === "StringText") return mapCode(before, (text) => (text as string) + part.value);
      return binaryCode(before, compileExpression(part.expression, scope), (env, text, value) => {
        const added = formatText(format?.name ?? "text", value, part);
        env.machine.charge((text as string).length + added.length, part);
        return (text as string) + added;
      });
    },
    single(() => ""),
  );
}

function arrayCode(body: Expression | undefined, scope: Scope | undefined, span: Span): Code {
  if (body === undefined) return single(() => []);
  const { run } = compileExpression(body, scope);
  return single((env, input) => {
    const items: Json[] = [];
    force(
      run(env, input, (value) => {
        items.push(value);
        env.machine.tick(span);
        env.machine.charge(items.length, span);
        return true;
      }),
      env,
    );
    return items;
  });
}

function objectCode({ entries }: ObjectConstruction, scope: Scope | undefined): Code {
  const parts = entries.map(({ key, value }): { key: Code; value: Code; span: Span } => {
    const span = key;
    switch (key.kind) {
      case "Name": {
        const { text } = key;
        const name = single(() => text);
        if (value !== undefined) return { key: name, value: compileExpression(value, scope), span };
        return { key: name, value: single((_env, input) => index(input, text, key)), span };
      }
      case "SourceLocation":
        return { key: single(() => "__loc__"), value: compileExpression(key, scope), span };
      case "Variable":
        if (value === undefined) {
          return { key: single(() => key.name), value: compileExpression(key, scope), span };
        }
        break;
    }
    const name = compileExpression(key, scope);
    if (value !== undefined) return { key: name, value: compileExpression(value, scope), span };
    const member: Code = binaryCode(
      single((_env, input) => input),
      name,
      (_env, input, text) => index(input, text, key),
    );
    return { key: name, value: member, span };
  });
  const add = (object: Record<string, Json>, key: Json, value: Json, span: Span): void => {
    if (typeof key !== "string") fail(`Cannot use ${typeName(key)} (${excerpt(key)}) as object key`, span);
    setMember(object, key as string, value);
  };
  const names = entries.map(({ key }) =>
    key.kind === "Name" && key.text !== "__proto__" ? key.text : undefined,
  );
  const members = parts.map(({ value }) => value.single);
  if (names.every((name) => name !== undefined) && members.every((one) => one !== undefined)) {
    return single((env, input) => {
      const object: Record<string, Json> = {};
      for (let at = 0; at < names.length; at++) object[names[at]!] = members[at]!(env, input);
      return object;
    });
  }
  if (parts.every(({ key, value }) => key.single !== undefined && value.single !== undefined)) {
    return single((env, input) => {
      const object: Record<string, Json> = {};
      for (const { key, value, span } of parts) {
        const name = key.single!(env, input);
        add(object, name, value.single!(env, input), span);
      }
      return object;
    });
  }
  const build = (
    at: number,
    object: Record<string, Json>,
    env: Environment,
    input: Json,
    emit: Emit,
  ): boolean => {
    const part = parts[at];
    if (part === undefined) return emit(object);
    return force(
      part.key.run(env, input, (key) =>
        force(
          part.value.run(env, input, (value) => {
            const next = { ...object };
            add(next, key, value, part.span);
            return build(at + 1, next, env, input, emit);
          }),
          env,
        ),
      ),
      env,
    );
  };
  return { run: (env, input, emit) => build(0, {}, env, input, emit) };
}

function postfixCode({ head, suffixes }: Postfix, scope: Scope | undefined): Code {
  let code = compileExpression(head, scope);
  for (let at = 0; at < suffixes.length; at++) {
    const optional = isOptionalStep(suffixes, at);
    code = suffixCode(code, suffixes[at]!, optional, scope);
    if (optional) at++;
  }
  return code;
}

/** Whether a `?` follows that belongs to this step alone. */
export function isOptionalStep(suffixes: readonly Suffix[], at: number): boolean {
  return suffixes[at]!.kind !== "Optional" && suffixes[at + 1]?.kind === "Optional";
}

function suffixCode(target: Code, suffix: Suffix, optional: boolean, scope: Scope | undefined): Code {
  switch (suffix.kind) {
    case "Field": {
      const { key } = suffix;
      if (key.kind !== "Name") return indexCode(target, compileExpression(key, scope), suffix, optional);
      const { text } = key;
      if (optional)
        return indexCode(
          target,
          single(() => text),
          suffix,
          optional,
        );
      return mapCode(target, (value) => index(value, text, suffix));
    }
    case "Index":
      return indexCode(target, compileExpression(suffix.index, scope), suffix, optional);
    case "Slice": {
      const nothing = single(() => null);
      const from = suffix.from === undefined ? nothing : compileExpression(suffix.from, scope);
      const to = suffix.to === undefined ? nothing : compileExpression(suffix.to, scope);
      // The target is the outermost loop, then the start, then the end.
      const bounds = binaryCode(to, from, (_env, end, start) => [start, end]);
      const cut = (value: Json, pair: Json): Json => {
        const [start, end] = pair as readonly [Json, Json];
        return slice(value, start, end, suffix);
      };
      if (optional) return maybeCode(target, bounds, cut);
      return binaryCode(bounds, target, (_env, pair, value) => cut(value, pair));
    }
    case "Iterate":
      return {
        run: (env, input, emit) =>
          force(
            target.run(env, input, (value) => {
              const items = optional ? attempt(() => values(value, suffix)) : values(value, suffix);
              const length = items?.length ?? 0;
              for (let at = 0; at < length; at++) {
                env.machine.tick(suffix);
                if (!emit(items![at]!)) return false;
              }
              return true;
            }),
            env,
          ),
      };
    case "Optional":
      return tryCode(target, undefined);
  }
}

function indexCode(target: Code, key: Code, span: Span, optional: boolean): Code {
  if (optional) return maybeCode(target, key, (value, name) => index(value, name, span));
  return binaryCode(target, key, (_env, value, name) => index(value, name, span));
}

/** A step whose failures give no output. */
function maybeCode(target: Code, argument: Code, step: (value: Json, argument: Json) => Json): Code {
  return {
    run: (env, input, emit) =>
      force(
        argument.run(env, input, (given) =>
          force(
            target.run(env, input, (value) => {
              const result = attempt(() => step(value, given));
              return result === undefined || emit(result);
            }),
            env,
          ),
        ),
        env,
      ),
  };
}

/** The result, or undefined if the program's own failure prevents it. */
export function attempt<Result>(compute: () => Result): Result | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof JqError && error.kind === "error") return undefined;
    throw error;
  }
}

type StageCode =
  | { readonly kind: "value"; readonly code: Code }
  | { readonly kind: "bind"; readonly source: Single }
  | { readonly kind: "patterns"; readonly source: Code; readonly bind: ReturnType<typeof bindPatterns> }
  | { readonly kind: "label" };

/** Stages run in a loop as long as they have one output each; so a long pipe needs no stack. */
function pipelineCode(stages: readonly Stage[], outer: Scope | undefined): Code {
  let scope = outer;
  const codes: StageCode[] = [];
  for (const stage of stages) {
    switch (stage.kind) {
      case "Definition":
        scope = withDefinition(scope, stage);
        break;
      case "Label":
        codes.push({ kind: "label" });
        scope = withName(scope, "label", stage.name.text);
        break;
      case "Binding": {
        const source = compileExpression(stage.source, scope);
        const [only] = stage.patterns as readonly [Pattern];
        if (source.single !== undefined && stage.patterns.length === 1 && only.kind === "VariablePattern") {
          codes.push({ kind: "bind", source: source.single });
        } else codes.push({ kind: "patterns", source, bind: bindPatterns(stage.patterns, scope) });
        for (const name of patternNames(stage.patterns)) scope = withName(scope, "variable", name);
        break;
      }
      default:
        codes.push({ kind: "value", code: compileExpression(stage, scope) });
    }
  }
  const allSingle = codes.every(
    (code) => code.kind === "bind" || (code.kind === "value" && code.code.single !== undefined),
  );
  if (allSingle) {
    return single((start, input) => {
      let env = start;
      let value = input;
      for (const code of codes) {
        if (code.kind === "bind") env = new Environment(env.machine, code.source(env, value), env);
        else if (code.kind === "value") value = code.code.single!(env, value);
      }
      return value;
    });
  }
  const runFrom = (first: number, start: Environment, input: Json, emit: Emit): Result => {
    let env = start;
    let value = input;
    for (let at = first; at < codes.length - 1; at++) {
      const code = codes[at]!;
      switch (code.kind) {
        case "value": {
          if (code.code.single === undefined) {
            const here = env;
            return force(
              code.code.run(here, value, (next) => force(runFrom(at + 1, here, next, emit), here)),
              here,
            );
          }
          value = code.code.single(env, value);
          break;
        }
        case "bind":
          env = new Environment(env.machine, code.source(env, value), env);
          break;
        case "patterns": {
          const here = env;
          const current = value;
          return force(
            code.source.run(here, current, (bound) =>
              code.bind(
                here,
                current,
                bound,
                (inner, out) => force(runFrom(at + 1, inner, current, out), inner),
                emit,
              ),
            ),
            here,
          );
        }
        case "label":
          return runLabel(new Environment(env.machine, null, env), (labelled) =>
            runFrom(at + 1, labelled, value, emit),
          );
      }
    }
    return (codes.at(-1) as { code: Code }).code.run(env, value, emit);
  };
  return { run: (env, input, emit) => runFrom(0, env, input, emit) };
}

/** Runs the scope of a label; a break to it ends that quietly. */
export function runLabel(env: Environment, body: (env: Environment) => Result): boolean {
  try {
    return force(body(env), env);
  } catch (signal) {
    if (signal instanceof BreakSignal && signal.label === env) return true;
    throw signal;
  }
}

export function withDefinition(scope: Scope | undefined, definition: Definition): Scope {
  const inner = (): Scope => {
    let result: Scope = entered;
    for (const { name, byValue } of definition.parameters) {
      result = withName(result, byValue ? "variable" : "parameter", name);
      if (byValue) byValueParameters.add(result);
    }
    return result;
  };
  const entered: Scope = {
    entry: {
      kind: "function",
      name: definition.name.text,
      arity: definition.parameters.length,
      definition,
      body: lazily(definition.body, inner),
    },
    depth: depthOf(scope),
    parent: scope,
  };
  return entered;
}

function reduceCode({ source, patterns, initial, update }: Reduce, scope: Scope | undefined): Code {
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

function mapWithInput(code: Code, map: (env: Environment, input: Json, value: Json) => Json): Code {
  const { single: one, run } = code;
  if (one !== undefined) return single((env, input) => map(env, input, one(env, input)));
  return {
    run: (env, input, emit) =>
      force(
        run(env, input, (value) => emit(map(env, input, value))),
        env,
      ),
  };
}

function foreachCode(
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

function callOf(node: Call, scope: Scope | undefined): Code {
  return callCode(node.name.text, node.arguments, node, scope);
}

const constants: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["null", null],
  ["true", true],
  ["false", false],
]);

export function callCode(
  name: string,
  args: readonly Expression[],
  span: Span,
  scope: Scope | undefined,
): Code {
  const constant = args.length === 0 ? constants.get(name) : undefined;
  if (constant !== undefined) return single(() => constant);
  const target = findFunction(scope, name, args.length);
  if (target !== undefined) return definedCall(target, args, span, scope);
  const key = `${name}/${args.length}`;
  const compute = valueFunctions.get(key);
  if (compute !== undefined) {
    // The last argument is the outermost loop, as in jq.
    const values = args.map((argument) => compileExpression(argument, scope));
    const singles = values.map((value) => value.single);
    if (singles.every((one) => one !== undefined)) {
      return single((env, input) =>
        compute(
          input,
          singles.map((one) => one(env, input)),
          env.machine,
          span,
        ),
      );
    }
    const all = values.reduce<Code>(
      (before, value) =>
        binaryCode(before, value, (_env, list, item) => [...(list as readonly Json[]), item]),
      single(() => []),
    );
    return mapWithInput(all, (env, input, list) =>
      compute(input, list as readonly Json[], env.machine, span),
    );
  }
  const filter = filterFunctions.get(key);
  if (filter !== undefined) {
    return {
      run: filter.run(
        args.map((argument) => lazily(argument, () => scope)),
        span,
      ),
    };
  }
  // The prelude's definitions see only builtins, and stand outside of every environment.
  const defined = preludeScope(name, args.length);
  if (defined === undefined) throw new Error(`${key} isn't implemented`);
  return definedCall(defined, args, span, scope);
}

function definedCall(target: Scope, args: readonly Expression[], span: Span, scope: Scope | undefined): Code {
  const { entry } = target;
  const out = depthOf(scope) - target.depth;
  if (entry.kind === "variable") return single((env) => ancestor(env, out).value as Json);
  if (entry.kind === "parameter") {
    return {
      run: (env, input, emit) => {
        env.machine.tick(span);
        const closure = ancestor(env, out).value as Closure;
        return closure.code.run(closure.env, input, emit);
      },
    };
  }
  if (entry.kind !== "function") throw new Error("A label can't be called");
  const { body, definition } = entry;
  const enter = entering(definition, args, scope, out);
  return {
    run: (env, input, emit) =>
      enter(env, input, (frame, last) => {
        env.machine.tick(span);
        if (!last) return force(body.run(frame, input, emit), env);
        env.machine.pending = { run: body.run, env: frame, input, emit };
        return tail;
      }),
  };
}

/**
 * Makes the environments of a definition's body: one for each parameter. Arguments by value may give
 * several; `last` says that nothing is left to do after this one, so that it may be a tail call.
 */
export function entering(
  definition: Definition,
  args: readonly Expression[],
  scope: Scope | undefined,
  out: number,
): (env: Environment, input: Json, use: (frame: Environment, last: boolean) => Result) => Result {
  const codes = args.map((argument, at) =>
    definition.parameters[at]!.byValue ? compileExpression(argument, scope) : lazily(argument, () => scope),
  );
  const allSingle = codes.every(
    (code, at) => !definition.parameters[at]!.byValue || (code as Code).single !== undefined,
  );
  const bindFrom = (
    at: number,
    env: Environment,
    input: Json,
    frame: Environment,
    use: (frame: Environment, last: boolean) => Result,
  ): Result => {
    let inner = frame;
    for (let next = at; next < codes.length; next++) {
      const code = codes[next]!;
      if (!definition.parameters[next]!.byValue) {
        inner = new Environment(env.machine, new Closure(code as LazyCode, env), inner);
        continue;
      }
      const { single: one, run } = code as Code;
      if (one !== undefined) {
        inner = new Environment(env.machine, one(env, input), inner);
        continue;
      }
      const here = inner;
      return force(
        run(env, input, (value) =>
          force(bindFrom(next + 1, env, input, new Environment(env.machine, value, here), use), env),
        ),
        env,
      );
    }
    return use(inner, allSingle);
  };
  return (env, input, use) => bindFrom(0, env, input, ancestor(env, out), use);
}
