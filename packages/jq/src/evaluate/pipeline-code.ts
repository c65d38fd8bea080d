import type { Json } from "../json.ts";
import { isCallable } from "../parameters.ts";
import type { Definition, Stage } from "../syntax-tree.ts";
import { bodyOf } from "./body.ts";
import { attemptInTurn, type Code, loopThrough, maybe, single } from "./combinators.ts";
import { compileExpression } from "./compiler.ts";
import { chained } from "./inline-caches/compositions.ts";
import { runLabel } from "./labels.ts";
import {
  type Emit,
  type Environment,
  force,
  type Maybe,
  type Result,
  type Run,
  type Single,
} from "./machine.ts";
import { type Bind, bindOnce, bindPatterns, patternNames } from "./patterns.ts";
import { type Scope, withName, withParameter } from "./scope.ts";

type StageCode =
  | { readonly kind: "value"; readonly code: Code }
  | { readonly kind: "bind"; readonly enter: (env: Environment, input: Json) => Environment }
  | { readonly kind: "patterns"; readonly source: Code; readonly bind: Bind }
  | { readonly kind: "label" };

/** The last stage is always an expression. */
type LastCode = Extract<StageCode, { kind: "value" }>;

/** Stages run in a loop as long as they have one output each; so a long pipe needs no stack. */
export function pipelineCode(stages: readonly Stage[], outer: Scope): Code {
  const codes = stageCodes(stages, outer);
  const oneOutput = maybeFrom(codes, 0);
  const lastCode = codes.at(-1) as LastCode;
  const always = codes.every((code) => code.kind !== "value" || code.code.single !== undefined);
  const known = oneOutput && (always ? single(oneOutput as Single) : maybe(oneOutput));
  if (known !== undefined && !lastCode.code.endsWithCall) {
    const values = codes.flatMap((code) => (code.kind === "value" ? [code.code] : []));
    // What a variable is bound for isn't attempted.
    return values.length < codes.length ? known : { ...known, attempt: attemptInTurn(values) };
  }
  // What follows the last stage that may give several outputs needs no emit.
  const lastMany = codes.findLastIndex((code) => !givesAtMostOne(code));
  const rest = maybeFrom(codes, lastMany + 1);
  const run = runStages(codes, lastCode, lastMany, rest);
  if (known !== undefined) return { ...known, run, endsWithCall: true };
  const [head] = codes;
  const source = head?.kind === "value" ? head.code.loop : undefined;
  const isOneToOne = codes.slice(1).every((code) => code.kind !== "value" || code.code.single !== undefined);
  return {
    run,
    loop: source && rest && lastMany === 0 ? loopThrough(source, rest, isOneToOne) : undefined,
  };
}

/** Each stage is compiled in the scope that those before it make. */
function stageCodes(stages: readonly Stage[], outer: Scope): readonly StageCode[] {
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
        const enter = source.single && bindOnce(source.single, stage.patterns, scope);
        if (enter !== undefined) codes.push({ kind: "bind", enter });
        else codes.push({ kind: "patterns", source, bind: bindPatterns(stage.patterns, scope) });
        for (const name of patternNames(stage.patterns)) scope = withName(scope, "variable", name);
        break;
      }
      default:
        codes.push({ kind: "value", code: compileExpression(stage, scope) });
    }
  }
  return codes;
}

/**
 * @param lastMany the last stage that may give several outputs
 * @param rest all stages behind it as one function
 */
function runStages(
  codes: readonly StageCode[],
  lastCode: LastCode,
  lastMany: number,
  rest: Maybe | undefined,
): Run {
  const runFrom = (first: number, start: Environment, input: Json, emit: Emit): Result => {
    let env = start;
    let value = input;
    for (let at = first; at < codes.length - 1; at++) {
      const code = codes[at]!;
      switch (code.kind) {
        case "value": {
          const here = env;
          const { late } = code.code;
          let one = code.code.maybe;
          let from = env;
          if (one === undefined && late !== undefined) {
            const closure = late(env);
            one = closure.code.maybe;
            from = closure.env;
          }
          if (one === undefined) {
            const onward: Emit =
              rest === undefined || at < lastMany
                ? (next) => force(runFrom(at + 1, here, next, emit), here)
                : (next) => {
                    const output = rest(here, next);
                    return output === undefined || emit(output);
                  };
            return force(code.code.run(here, value, onward), here);
          }
          const next = one(from, value);
          if (next === undefined) return true;
          value = next;
          break;
        }
        case "bind":
          env = code.enter(env, value);
          break;
        case "patterns": {
          const here = env;
          const current = value;
          return force(
            code.source.run(here, current, (bound) =>
              code.bind(
                here,
                bound,
                (inner, out) => force(runFrom(at + 1, inner, current, out), inner),
                emit,
              ),
            ),
            here,
          );
        }
        case "label":
          return runLabel(env, (labelled) => runFrom(at + 1, labelled, value, emit));
      }
    }
    return lastCode.code.run(env, value, emit);
  };
  return (env, input, emit) => runFrom(0, env, input, emit);
}

function givesAtMostOne(code: StageCode): boolean {
  return code.kind === "bind" || (code.kind === "value" && code.code.maybe !== undefined);
}

/** The stages from one on as one function, if each has at most one output. */
function maybeFrom(codes: readonly StageCode[], first: number): Maybe | undefined {
  const stages = codes.slice(first);
  if (stages.length === 0 || !stages.every(givesAtMostOne)) return undefined;
  const [a, b] = stages.map((stage) => (stage.kind === "value" ? stage.code.maybe : undefined));
  if (stages.length === 1) return a;
  if (stages.length === 2 && a !== undefined && b !== undefined) return chained(a, b);
  return (start, input) => {
    let env = start;
    let value = input;
    for (const stage of stages) {
      if (stage.kind === "bind") env = stage.enter(env, value);
      else if (stage.kind === "value") {
        const next = stage.code.maybe!(env, value);
        if (next === undefined) return undefined;
        value = next;
      }
    }
    return value;
  };
}

/** Parameters around a definition from which it isn't compiled apart for arguments with one output: each level could double it. */
const MOST_PARAMETERS_AROUND = 1;

export function withDefinition(scope: Scope, definition: Definition): Scope {
  const callable = definition.parameters.some((parameter) => isCallable(parameter, definition));
  const inside = (around: Scope, isSingle: boolean): Scope => {
    let result = around;
    for (const parameter of definition.parameters) {
      if (isCallable(parameter, definition)) result = withParameter(result, parameter.name, isSingle);
      if (parameter.byValue) result = withName(result, "variable", parameter.name);
    }
    return result;
  };
  const entry = {
    kind: "function",
    name: definition.name.text,
    arity: definition.parameters.length,
    definition,
    body: bodyOf(definition, () => inside(entered, false), "any"),
  } as const;
  // What it is for any arguments rests on no assumption about what it is for those with one output: it doesn't see that.
  const entered: Scope = { ...scope, entry, parent: scope };
  if (!callable || scope.parameters > MOST_PARAMETERS_AROUND) return entered;
  const withSingles = bodyOf(definition, () => inside(both, true), "singles");
  const both: Scope = { ...entered, entry: { ...entry, withSingles } };
  return both;
}
