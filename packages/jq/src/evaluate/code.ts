import { constantOf } from "../constant.ts";
import type { Json } from "../json.ts";
import type {
  Alternative,
  Arithmetic,
  Comma,
  Expression,
  Format,
  If,
  Logical,
  NumberLiteral,
  Variable,
} from "../syntax-tree.ts";
import { assign } from "./assignment.ts";
import { environmentVariables } from "./builtins/host.ts";
import { callCode, callOf } from "./call-code.ts";
import { binaryCode, type Code, identity, mapCode, maybe, single, tryCode } from "./combinators.ts";
import { comparisonCode } from "./comparison-code.ts";
import { compileExpression } from "./compiler.ts";
import { arrayCode, objectCode, stringCode } from "./construction-code.ts";
import { canonicalNumber } from "./exact-number.ts";
import { foldCode } from "./fold-code.ts";
import { formatText } from "./formats.ts";
import { inPlace } from "./in-place.ts";
import { chosen, combined, composed } from "./inline-caches/compositions.ts";
import { BreakSignal } from "./labels.ts";
import type { Library } from "./library.ts";
import { ancestor, force, type Maybe, type Run, type Single } from "./machine.ts";
import { bytes } from "./meter.ts";
import { arithmeticOperations, negate } from "./operators.ts";
import { paths } from "./paths.ts";
import { pipelineCode } from "./pipeline-code.ts";
import { postfixCode } from "./postfix-code.ts";
import { distance, outermostScope, type Scope } from "./scope.ts";
import { isTrue } from "./values.ts";

/** The scope around a program that calls functions of a library. */
export function outermost(library: Library): Scope {
  return outermostScope({ functions: library, expression, paths, inPlace });
}

function expression(node: Expression, scope: Scope): Code {
  switch (node.kind) {
    case "Identity":
      return identity;
    case "Group":
      return compileExpression(node.body, scope);
    case "Number":
      return numberCode(node);
    case "String":
      return stringCode(node, scope);
    case "Format":
      return formatCode(node);
    case "SourceLocation": {
      const location = { file: node.file ?? "<top-level>", line: node.line };
      return single(() => location);
    }
    case "Variable":
      return variableCode(node, scope);
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
    case "Comma":
      return commaCode(node, scope);
    case "Alternative":
      return alternativeCode(node, scope);
    case "Logical":
      return logicalCode(node, scope);
    case "Comparison":
      return comparisonCode(node, scope);
    case "Arithmetic":
      return arithmeticCode(node, scope);
    case "Negation":
      return mapCode(compileExpression(node.operand, scope), (value) => negate(value, node));
    case "Try":
      return tryCode(
        compileExpression(node.body, scope),
        node.handler === undefined ? undefined : compileExpression(node.handler, scope),
        node.handler !== undefined && constantOf(node.handler) !== undefined,
      );
    case "If":
      return ifCode(node, scope);
    case "Reduce":
    case "Foreach":
      return foldCode(node, scope);
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

function numberCode({ value, text }: NumberLiteral): Code {
  const exact = canonicalNumber(text);
  if (exact === value) return single(() => value);
  return single((env) => (env.machine.exact ? exact : value));
}

function formatCode(node: Format): Code {
  const { name } = node;
  return single((env, input) => {
    env.machine.reads(input, node);
    const text = formatText(name, input, node);
    env.machine.makes(bytes.text + text.length * bytes.character, node);
    return text;
  });
}

function commaCode(node: Comma, scope: Scope): Code {
  const runs = node.items.map((item) => compileExpression(item, scope).run);
  const last = runs.pop()!;
  return {
    run: (env, input, emit) => {
      // A chain of them has as many outputs as a loop that never ends.
      for (const run of runs) {
        env.machine.tick(node);
        if (!force(run(env, input, emit), env)) return false;
      }
      return last(env, input, emit);
    },
  };
}

function arithmeticCode({ first, rest }: Arithmetic, scope: Scope): Code {
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
      return single(
        rest[0]!.operand.kind === "Number"
          ? composed(begin, (env, a) => step(a, one(env, a), env.machine, operatorSpan))
          : combined(begin, one, (env, a, b) => step(a, b, env.machine, operatorSpan)),
      );
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

const yes: Single = () => true;
const no: Single = () => false;

function logicalCode({ operator, operands }: Logical, scope: Scope): Code {
  const isAnd = operator === "and";
  const codes = operands.map((operand) => compileExpression(operand, scope));
  const singles = codes.map((code) => code.single);
  if (singles.every((one) => one !== undefined)) {
    // Two are by far the commonest; a long chain is a loop, so that it needs no stack.
    const [a, b] = singles as [Single, Single];
    if (singles.length === 2) {
      const second = composed(b, (_env, value) => isTrue(value));
      return single((isAnd ? chosen(a, second, no) : chosen(a, yes, second)) as Single);
    }
    return single((env, input) => {
      for (let at = 0; at < singles.length; at++) {
        if (isTrue(singles[at]!(env, input)) !== isAnd) return !isAnd;
      }
      return isAnd;
    });
  }
  return codes.reduce((left, right) => ({
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
  }));
}

function alternativeCode({ operands }: Alternative, scope: Scope): Code {
  const codes = operands.map((operand) => compileExpression(operand, scope));
  const last = codes.pop()!;
  const choices = codes.map((code) => code.maybe);
  const otherwise = last.maybe;
  if (otherwise !== undefined && choices.every((choice) => choice !== undefined)) {
    const firstTrue: Maybe = (env, input) => {
      for (let at = 0; at < choices.length; at++) {
        const value = choices[at]!(env, input);
        if (value !== undefined && isTrue(value)) return value;
      }
      return undefined;
    };
    const [only = firstTrue] = choices.length > 1 ? [] : choices;
    const choose = chosen(only, (_env, _input, value) => value, otherwise);
    const code = last.single === undefined ? maybe(choose) : single(choose as Single);
    if (!last.endsWithCall) return code;
    const run: Run = (env, input, emit) => {
      const value = firstTrue(env, input);
      return value === undefined ? last.run(env, input, emit) : emit(value);
    };
    return { ...code, run, endsWithCall: true };
  }
  return codes.reduceRight<Code>(
    (rest, first) => ({
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
        return found || rest.run(env, input, emit);
      },
    }),
    last,
  );
}

function ifCode({ branches, otherwise }: If, scope: Scope): Code {
  const rest = otherwise === undefined ? identity : compileExpression(otherwise, scope);
  return [...branches].reverse().reduce<Code>((no, { condition, body }) => {
    const test = compileExpression(condition, scope);
    const yes = compileExpression(body, scope);
    if (test.single !== undefined) {
      const decide = test.single;
      const run: Run = (env, input, emit) => (isTrue(decide(env, input)) ? yes : no).run(env, input, emit);
      const [a, b] = [yes.maybe, no.maybe];
      if (a === undefined || b === undefined) return { run };
      const choose = chosen(decide, a, b);
      const always = yes.single !== undefined && no.single !== undefined;
      const code = always ? single(choose as Single) : maybe(choose);
      return yes.endsWithCall || no.endsWithCall ? { ...code, run, endsWithCall: true } : code;
    }
    return {
      run: (env, input, emit) => {
        const given = test.late?.(env);
        const decide = given?.code.single;
        // So that what a parameter decides may be followed by a tail call.
        if (decide !== undefined) return (isTrue(decide(given!.env, input)) ? yes : no).run(env, input, emit);
        return force(
          test.run(env, input, (value) => force((isTrue(value) ? yes : no).run(env, input, emit), env)),
          env,
        );
      },
    };
  }, rest);
}

function variableCode(node: Variable, scope: Scope): Code {
  const { name } = node;
  const out = distance(scope, "variable", name);
  if (out === undefined && name === "ENV")
    return single((env) => environmentVariables(env.machine, "$ENV", node));
  if (out === undefined) throw new Error(`The variable $${name} isn't bound`);
  if (out === 0) return single((env) => env.value as Json);
  if (out === 1) return single((env) => env.parent!.value as Json);
  return single((env) => ancestor(env, out).value as Json);
}
