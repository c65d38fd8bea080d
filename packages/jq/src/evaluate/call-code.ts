import type { Json } from "../json.ts";
import { calledNames, isCallable } from "../parameters.ts";
import type { Call, Definition, Expression, Span } from "../syntax-tree.ts";
import { callsDirectly } from "./body.ts";
import { expanded, inlined, preludeScope } from "./builtins/definitions.ts";
import { type Code, maybe, runAll, single } from "./combinators.ts";
import { compileExpression, lazily } from "./compiler.ts";
import {
  ancestor,
  Closure,
  Environment,
  force,
  type LazyCode,
  type Maybe,
  type Result,
  type Run,
  type Single,
  tail,
} from "./machine.ts";
import { bytes } from "./meter.ts";
import { type Body, findFunction, isSingle, type Scope } from "./scope.ts";
import { valueCall } from "./value-call.ts";

export function callOf(node: Call, scope: Scope): Code {
  return callCode(node.name.text, node.arguments, node, scope);
}

const constants: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["null", null],
  ["true", true],
  ["false", false],
]);

export function callCode(name: string, args: readonly Expression[], span: Span, scope: Scope): Code {
  const constant = args.length === 0 ? constants.get(name) : undefined;
  if (constant !== undefined) return single(() => constant);
  const target = findFunction(scope, name, args.length);
  if (target !== undefined) return definedCall(target, args, span, scope);
  const key = `${name}/${args.length}`;
  const member = name === "getpath" ? expanded(name, args, span, scope) : undefined;
  if (member !== undefined) return compileExpression(member, scope);
  const { functions: library } = scope.compiler;
  const value = library.values.get(key);
  if (value !== undefined) {
    const given = args.map((argument) => compileExpression(argument, scope));
    return valueCall({ key, value, attempted: library.attempted.get(key), span }, given);
  }
  const filter = library.filters.get(key);
  if (filter !== undefined) {
    const given = args.map((argument) => lazily(argument, () => scope));
    const one = filter.single?.(given, span);
    if (one !== undefined) return single(one);
    return { run: filter.run(given, span), maybe: filter.maybe?.(given, span) };
  }
  const direct = library.direct.get(key)?.(
    args.map((argument) => compileExpression(argument, scope)),
    span,
  );
  if (direct !== undefined) return single(direct);
  const expansion = expanded(name, args, span, scope);
  if (expansion !== undefined) return compileExpression(expansion, scope);
  // The prelude's definitions see only builtins, and stand outside of every environment.
  const defined = preludeScope(name, args.length, span, scope);
  if (defined === undefined) throw new Error(`${key} isn't implemented`);
  return definedCall(defined, args, span, scope);
}

function definedCall(target: Scope, args: readonly Expression[], span: Span, scope: Scope): Code {
  const { entry } = target;
  const out = scope.depth - target.depth;
  if (entry.kind === "parameter") return parameterCall(out, entry.isSingle, span);
  if (entry.kind !== "function") throw new Error("Only functions and parameters can be called");
  const { definition, isImported, withSingles } = entry;
  const plain = isImported === true ? undefined : inlined(definition, args, scope);
  if (plain !== undefined) return compileExpression(plain, scope);
  const { once, each, areSingle } = entering(definition, args, scope, out);
  const body = withSingles !== undefined && areSingle() ? withSingles : entry.body;
  const run: Run = (env, input, emit) =>
    each(env, input, (frame, last) => {
      env.machine.calls(span);
      if (!last) return force(body.run(frame, input, emit), env);
      env.machine.pending = { run: body.run, env: frame, input, emit };
      return tail;
    });
  const outputs = once === undefined || !isKnown(target, body) ? 0 : body.outputs;
  if (once === undefined || outputs === 0) return { run };
  const { endsWithCall } = body;
  let compute: Maybe | undefined;
  const called: Maybe = (env, input) => {
    const frame = once(env, input);
    env.machine.calls(span);
    // Known when it runs: what it is may still be being compiled here.
    compute ??= outputOf(body);
    return compute(frame, input);
  };
  const code = outputs === 2 ? single(called as Single) : maybe(called);
  return endsWithCall ? { ...code, run, endsWithCall: true } : code;
}

function parameterCall(out: number, givesOne: boolean, span: Span): Code {
  const late = (env: Environment): Closure => {
    env.machine.calls(span);
    return ancestor(env, out).value as Closure;
  };
  const run: Run = (env, input, emit) => {
    const { code, env: outer } = late(env);
    return code.run(outer, input, emit);
  };
  if (!givesOne) return { run, late };
  const one = single((env, input) => {
    const { code, env: outer } = late(env);
    return code.single!(outer, input);
  });
  return { ...one, run, endsWithCall: true };
}

/** The output of a body that has at most one. The last call of a recursion is left to be made here, so that it takes no stack. */
function outputOf(body: LazyCode): Maybe {
  if (!body.endsWithCall) return body.maybe!;
  return (env, input) => {
    let output: Json | undefined;
    const take = (value: Json): boolean => {
      output = value;
      return true;
    };
    force(body.run(env, input, take), env);
    return output;
  };
}

/** Definitions that call each other directly, which takes stack: who calls one with more of them below it leaves that to `run`. */
const MOST_LEVELS = 64;

/** Compiles the body of a definition, and first those before it that it may call: so that takes no stack. */
function isKnown(target: Scope, body: Body): boolean {
  if (body.isNew) {
    const bodies: Body[] = [];
    const called = new Set<string>();
    for (let at: Scope | undefined = target; at !== undefined; at = at.parent) {
      const { entry } = at;
      if (entry.kind !== "function" || (at !== target && !called.has(entry.name))) continue;
      const next = at === target ? body : (entry.withSingles ?? entry.body);
      if (!next.isNew) continue;
      bodies.push(next);
      for (const name of calledNames(entry.definition)) called.add(name);
    }
    for (const next of bodies.reverse()) next.compile();
  }
  if (body.levels > MOST_LEVELS) return false;
  callsDirectly(body);
  return true;
}

/** What an argument stands for, and whether that has exactly one output. */
interface Argument {
  readonly closure: (env: Environment) => Closure;
  readonly isSingle: () => boolean;
}

/** A parameter that is only passed on stands for what it stands for itself. */
function closureOf(argument: Expression, scope: Scope): Argument {
  if (argument.kind === "Group") return closureOf(argument.body, scope);
  if (argument.kind === "Call" && argument.arguments.length === 0) {
    const target = findFunction(scope, argument.name.text, 0);
    if (target?.entry.kind === "parameter") {
      const out = scope.depth - target.depth;
      return { closure: (env) => ancestor(env, out).value as Closure, isSingle: () => isSingle(target) };
    }
  }
  const code = lazily(argument, () => scope);
  return { closure: (env) => new Closure(code, env), isSingle: () => code.single !== undefined };
}

/**
 * How the environments of a definition's body are made for a call: one for what a parameter stands for, one for its
 * value, if it is by value.
 */
interface Entering {
  /** Where a call has one of them: arguments by value may give several. */
  readonly once: ((env: Environment, input: Json) => Environment) | undefined;
  /** `last` says that nothing is left to do after this one, so that it may be a tail call. */
  readonly each: (
    env: Environment,
    input: Json,
    use: (frame: Environment, last: boolean) => Result,
  ) => Result;
  /** Whether each has exactly one output; what isn't known yet is compiled for that. */
  readonly areSingle: () => boolean;
}

export function entering(
  definition: Definition,
  args: readonly Expression[],
  scope: Scope,
  out: number,
): Entering {
  const codes = args.map((argument, at) => {
    const parameter = definition.parameters[at]!;
    const given = isCallable(parameter, definition) ? closureOf(argument, scope) : undefined;
    const value = parameter.byValue ? compileExpression(argument, scope) : undefined;
    return { closure: given?.closure, isSingle: given?.isSingle, value };
  });
  const areSingle = (): boolean =>
    codes.every(({ isSingle, value }) => (value === undefined ? isSingle!() : value.single !== undefined));
  // It keeps all that is around the call, so a chain of them can get as long as a run lets it.
  const withClosure = (env: Environment, closure: Closure, frame: Environment): Environment => {
    env.machine.makes(bytes.closure);
    return new Environment(env.machine, closure, frame);
  };
  if (codes.every(({ value }) => value === undefined || value.single !== undefined)) {
    const once = (env: Environment, input: Json): Environment => {
      let frame = ancestor(env, out);
      for (const { closure, value } of codes) {
        if (closure !== undefined) frame = withClosure(env, closure(env), frame);
        if (value !== undefined) frame = new Environment(env.machine, value.single!(env, input), frame);
      }
      return frame;
    };
    return { once, each: (env, input, use) => use(once(env, input), true), areSingle };
  }
  const bindFrom = (
    at: number,
    env: Environment,
    input: Json,
    frame: Environment,
    use: (frame: Environment, last: boolean) => Result,
  ): Result => {
    const code = codes[at];
    if (code === undefined) return use(frame, false);
    const { closure, value } = code;
    const here = closure === undefined ? frame : withClosure(env, closure(env), frame);
    if (value === undefined) return bindFrom(at + 1, env, input, here, use);
    return runAll(value, env, input, (item) =>
      force(bindFrom(at + 1, env, input, new Environment(env.machine, item, here), use), env),
    );
  };
  const each: Entering["each"] = (env, input, use) => bindFrom(0, env, input, ancestor(env, out), use);
  return { once: undefined, each, areSingle };
}
