import type { Json } from "../json.ts";
import type {
  Arithmetic,
  Assignment,
  Call,
  Expression,
  If,
  Pattern,
  Pipeline,
  Suffix,
} from "../syntax-tree.ts";
import { deletePaths, index, setIndex, setPath, updatePath } from "./access.ts";
import { changeOf, firstOf } from "./assignment.ts";
import { entering } from "./call-code.ts";
import { compileExpression, compileInPlace, lazily } from "./compiler.ts";
import { fail } from "./error.ts";
import { isQuiet, keepsNothing, losing } from "./escape-analysis.ts";
import { Environment, type Single, type StepInPlace } from "./machine.ts";
import { bytes, countMade } from "./meter.ts";
import { add, addInPlace, arithmeticOperations, merge } from "./operators.ts";
import type { Ownership } from "./ownership.ts";
import { finished, pathKeys } from "./path-values.ts";
import { findFunction, type Scope, withName } from "./scope.ts";
import { type Change, type Changed, compileUpdate, deletion, type Update, untouched } from "./update-code.ts";
import { isArray, isContainer, isObject, isTrue, setMember } from "./values.ts";

/** Undefined if nothing in the step could be done so. */
export function inPlace(step: Expression, scope: Scope): StepInPlace | undefined {
  switch (step.kind) {
    case "Group":
      return compileInPlace(step.body, scope);
    case "Assignment":
      return assignInPlace(step, scope) ?? pathUpdateInPlace(step, scope);
    case "Arithmetic":
      return additionInPlace(step, scope);
    case "If":
      return choiceInPlace(step, scope);
    case "Pipeline":
      return pipelineInPlace(step, scope);
    case "Call":
      return callInPlace(step, scope);
    default:
      return undefined;
  }
}

const keep: StepInPlace = (_env, input) => input;

/** Any other step with one output: it may keep its input, and give it back. */
function otherStep(step: Expression, scope: Scope): StepInPlace | undefined {
  if (step.kind === "Identity") return keep;
  const code = compileExpression(step, scope).single;
  if (code === undefined) return undefined;
  return (env, input, owned, depth) => {
    owned.lose(depth);
    return code(env, input);
  };
}

// More steps than that would need a stack.
const MOST_STEPS = 100;

/** `.[key].name = value`: the containers on the way are changed in place, and what is added to. */
function assignInPlace(node: Assignment, scope: Scope): StepInPlace | undefined {
  const suffixes = suffixesOf(node.target);
  if (suffixes === undefined || suffixes.length > MOST_STEPS) return undefined;
  const isOptional = (at: number): boolean => suffixes[at + 1]?.kind === "Optional";
  const end = suffixes.findIndex(({ kind }, at) => (kind !== "Field" && kind !== "Index") || isOptional(at));
  const way = end === -1 ? suffixes : suffixes.slice(0, end);
  const keys = way.map((suffix) => keyOf(suffix, scope));
  const change = partInPlace(node, end === -1 ? [] : suffixes.slice(end), scope);
  if (!keys.every((key) => key !== undefined) || change === undefined) return undefined;
  const otherwise = lazily(node, () => scope);

  const changeAt = (at: number, value: Json, step: RunningStep): Changed => {
    const suffix = way[at];
    if (suffix === undefined) return change(step.env, value, step.owned, step.depth + at, step.given);
    const key = step.names[at]!;
    const old = index(value, key, suffix);
    const part = changeAt(at + 1, old, step);
    if (part === undefined || part === untouched) return part;
    return put(value, key, old, part, suffix, step.owned, step.depth + at);
  };
  const rightSide = node.operator === "|=" ? noValue : valueInPlace(node.value, scope);
  if (rightSide === undefined) return undefined;
  return (env, input, owned, depth) => {
    const given = rightSide(env, input, owned, depth);
    // The last key is evaluated first.
    const names = new Array<Json>(keys.length);
    for (let at = keys.length - 1; at >= 0; at--) names[at] = keys[at]!(env, input);
    try {
      const result = changeAt(0, input, { env, owned, depth, given, names });
      if (result === untouched) return input;
      if (result !== undefined) return result;
    } catch (error) {
      if (error !== deletion) throw error;
    }
    // Something is to be deleted; nothing has been changed yet.
    owned.lose(depth);
    return otherwise.single!(env, input);
  };
}

interface RunningStep {
  readonly env: Environment;
  readonly owned: Ownership;
  readonly depth: number;
  /** The value on the right side. */
  readonly given: Json;
  /** The keys on the way. */
  readonly names: readonly Json[];
}

/** Undefined if the target isn't a path from the input. */
function suffixesOf(target: Expression): readonly Suffix[] | undefined {
  if (target.kind === "Identity") return [];
  return target.kind === "Postfix" && target.head.kind === "Identity" ? target.suffixes : undefined;
}

function keyOf(suffix: Suffix, scope: Scope): Single | undefined {
  if (suffix.kind !== "Field" && suffix.kind !== "Index") return undefined;
  const node = suffix.kind === "Field" ? suffix.key : suffix.index;
  if (node.kind !== "Name") return isQuiet(node, scope) ? compileExpression(node, scope).single : undefined;
  const { text } = node;
  return () => text;
}

/** The container with another part at a key; itself if it is ours. */
function put(
  container: Json,
  key: Json,
  old: Json,
  part: Json,
  suffix: Suffix,
  owned: Ownership,
  depth: number,
): Json {
  const isOurs = owned.has(container, depth);
  if (isOurs && typeof key === "string" && old !== null) {
    countMade(bytes.member);
    if (part !== old) setMember(container as Record<string, Json>, key, part);
    return container;
  }
  const result = setIndex(container, key, part, suffix, isOurs);
  if (result !== container) owned.add(result, depth);
  return result;
}

/** The value on the right, when what it may have kept of the input has been given up. */
function valueInPlace(node: Expression, scope: Scope): StepInPlace | undefined {
  const value = compileExpression(node, scope).single;
  const lose = losing(node, scope);
  return (
    value &&
    ((env, input, owned, depth) => {
      const given = value(env, input);
      lose(owned, depth, given);
      return given;
    })
  );
}

const noValue: StepInPlace = () => null;

type PartInPlace = (env: Environment, old: Json, owned: Ownership, depth: number, given: Json) => Changed;

/** What an assignment makes of the part that the way leads to; `rest` are the steps that go on from there. */
function partInPlace(node: Assignment, rest: readonly Suffix[], scope: Scope): PartInPlace | undefined {
  const { operator, operatorSpan, value } = node;
  if (rest.length > 0) {
    const target = node.target as Extract<Expression, { kind: "Postfix" }>;
    const update = rest.every(ignoresInput) ? compileUpdate({ ...target, suffixes: rest }, scope) : undefined;
    return update && otherPart(update, node, scope);
  }
  if (operator === "=") return (_env, _old, _owned, _depth, given) => given;
  if (operator === "//=") return (_env, old, _owned, _depth, given) => (isTrue(old) ? old : given);
  if (operator === "+=") {
    return (env, old, owned, depth, given) => addTo(old, given, env, owned, depth, operatorSpan);
  }
  if (operator === "*=") {
    return (env, old, owned, depth, given) => mergeInto(old, given, env, owned, depth, operatorSpan);
  }
  const step = operator === "|=" ? compileInPlace(value, scope) : undefined;
  return step ?? otherPart((_env, part, change) => change(part), node, scope);
}

/** A change that may keep what it is given. */
function otherPart(update: Update, node: Assignment, scope: Scope): PartInPlace {
  const toFirst = lazily(node.value, () => scope);
  const change = node.operator === "|=" ? undefined : changeOf(node);
  return (env, old, owned, depth, given) => {
    if (isContainer(old)) owned.lose(depth);
    const changed: Change =
      change === undefined ? (part) => firstOf(toFirst, env, part) : (part) => change(part, given, env);
    return update(env, old, changed);
  };
}

function addTo(
  old: Json,
  given: Json,
  env: Environment,
  owned: Ownership,
  depth: number,
  span: Assignment["operatorSpan"],
): Json {
  if (typeof given === "object" && owned.has(old, depth) && addInPlace(old, given, env.machine, span)) {
    return old;
  }
  const sum = add(old, given, env.machine, span);
  // What is one of the two itself isn't ours.
  if (sum !== old && sum !== given && isContainer(sum)) owned.add(sum, depth);
  return sum;
}

function mergeInto(
  old: Json,
  given: Json,
  env: Environment,
  owned: Ownership,
  depth: number,
  span: Assignment["operatorSpan"],
): Json {
  if (isObject(old) && isObject(given)) return merge(old, given, span, owned, depth);
  return arithmeticOperations["*"](old, given, env.machine, span);
}

/** `. + {…}`, `. + […]` and `. * {…}` */
function additionInPlace({ first, rest }: Arithmetic, scope: Scope): StepInPlace | undefined {
  const [only] = rest;
  if (first.kind !== "Identity" || rest.length !== 1) return undefined;
  const { operator, operatorSpan } = only!;
  if (operator !== "+" && operator !== "*") return undefined;
  const combine = operator === "+" ? addTo : mergeInto;
  const value = valueInPlace(only!.operand, scope);
  if (value === undefined) return undefined;
  return (env, input, owned, depth) =>
    combine(input, value(env, input, owned, depth), env, owned, depth, operatorSpan);
}

/** `if $x.ok then . + [$x] else . end` */
function choiceInPlace({ branches, otherwise }: If, scope: Scope): StepInPlace | undefined {
  const bodies = branches.map(({ body }) => compileInPlace(body, scope));
  const last = otherwise && compileInPlace(otherwise, scope);
  if (last === undefined && bodies.every((body) => body === undefined)) return undefined;
  const rest = last ?? (otherwise === undefined ? keep : otherStep(otherwise, scope));
  return branches.reduceRight<StepInPlace | undefined>((no, { condition, body }, at) => {
    const holds = compileExpression(condition, scope).single;
    const yes = bodies[at] ?? otherStep(body, scope);
    if (holds === undefined || yes === undefined || no === undefined) return undefined;
    // What a condition gives is looked at and not kept.
    const isSeen = !isQuiet(condition, scope);
    return (env, input, owned, depth) => {
      const isYes = isTrue(holds(env, input));
      if (isSeen) owned.lose(depth);
      return (isYes ? yes : no)(env, input, owned, depth);
    };
  }, rest);
}

type StageInPlace = (env: Environment, value: Json, owned: Ownership, depth: number) => Json | Environment;

/** `.count += 1 | .items += [$x]`, also with variables bound between. */
function pipelineInPlace({ stages }: Pipeline, outer: Scope): StepInPlace | undefined {
  let scope = outer;
  const scopes: Scope[] = [];
  for (const stage of stages) {
    scopes.push(scope);
    if (stage.kind === "Definition" || stage.kind === "Label") return undefined;
    if (stage.kind !== "Binding") continue;
    const [pattern] = stage.patterns as readonly [Pattern];
    if (stage.patterns.length !== 1 || pattern.kind !== "VariablePattern") return undefined;
    scope = withName(scope, "variable", pattern.name);
  }
  const inPlace = stages.map((stage, at) =>
    stage.kind === "Binding" ? undefined : compileInPlace(stage as Expression, scopes[at]!),
  );
  if (inPlace.every((step) => step === undefined)) return undefined;
  const steps = stages.map((stage, at): StageInPlace | undefined => {
    if (stage.kind !== "Binding") return inPlace[at] ?? otherStep(stage as Expression, scopes[at]!);
    const source = valueInPlace(stage.source, scopes[at]!);
    return source && ((env, ...state) => new Environment(env.machine, source(env, ...state), env));
  });
  if (!steps.every((step) => step !== undefined)) return undefined;
  return (start, input, owned, depth) => {
    let env = start;
    let value = input;
    for (const step of steps) {
      const next = step(env, value, owned, depth);
      if (next instanceof Environment) env = next;
      else value = next;
    }
    return value;
  };
}

/** `def collect($key; $item): .[$key] += [$item]; … collect($x.key; $x)`: what the definition does with its input. */
function callInPlace(call: Call, scope: Scope): StepInPlace | undefined {
  const { name, arguments: args } = call;
  const target = findFunction(scope, name.text, args.length);
  if (target === undefined) return builtinInPlace(call, scope);
  if (target.entry.kind !== "function") return undefined;
  const { definition, body } = target.entry;
  // What is passed by value mustn't hold a part of the state; functions are looked at where they are called.
  const areOther = args.every(
    (argument, at) =>
      !definition.parameters[at]!.byValue ||
      (keepsNothing(argument, scope) && compileExpression(argument, scope).single !== undefined),
  );
  const step = areOther ? body.inPlace : undefined;
  if (step === undefined) return undefined;
  const { each } = entering(definition, args, scope, scope.depth - target.depth);
  return (env, input, owned, depth) => {
    let result = input;
    each(env, input, (frame) => {
      env.machine.calls(call);
      result = step(frame, input, owned, depth);
      return true;
    });
    return result;
  };
}

/** `setpath(["a", $x.key]; $x)`, `delpaths([…])` and `del(.a[$x])` */
function builtinInPlace(call: Call, scope: Scope): StepInPlace | undefined {
  const [first, second] = call.arguments;
  switch (`${call.name.text}/${call.arguments.length}`) {
    case "setpath/2": {
      const path = valueInPlace(first!, scope);
      const value = valueInPlace(second!, scope);
      if (path === undefined || value === undefined) return undefined;
      return (env, input, owned, depth) => {
        env.machine.touches(call);
        // The last argument is evaluated first.
        const given = value(env, input, owned, depth);
        const keys = path(env, input, owned, depth);
        return setPath(input, keys, given, call, owned, depth);
      };
    }
    case "delpaths/1": {
      const paths = valueInPlace(first!, scope);
      return (
        paths &&
        ((env, input, owned, depth) => {
          env.machine.touches(call);
          const given = paths(env, input, owned, depth);
          if (!isArray(given)) return fail("Paths must be specified as an array", call);
          return deletePaths(input, given, call, owned, depth);
        })
      );
    }
    case "del/1": {
      const target = lazily(first!, () => scope);
      const isSeen = !isQuiet(first!, scope);
      return (env, input, owned, depth) => {
        const paths: Json[] = [];
        target.paths(env, null, input, (path, value) => {
          env.machine.tick(call);
          countMade(bytes.item);
          return paths.push(pathKeys(finished(path, value, call))) > 0;
        });
        if (isSeen) owned.lose(depth);
        return deletePaths(input, paths, call, owned, depth);
      };
    }
    default:
      return undefined;
  }
}

/** `getpath(["a", $x.key]) |= f` */
function pathUpdateInPlace(node: Assignment, scope: Scope): StepInPlace | undefined {
  const { target, operator } = node;
  if (target.kind !== "Call" || target.name.text !== "getpath" || target.arguments.length !== 1)
    return undefined;
  if (findFunction(scope, "getpath", 1) !== undefined) return undefined;
  const path = valueInPlace(target.arguments[0]!, scope);
  const rightSide = operator === "|=" ? noValue : valueInPlace(node.value, scope);
  if (path === undefined || rightSide === undefined) return undefined;
  const toFirst = lazily(node.value, () => scope);
  const change = operator === "|=" ? undefined : changeOf(node);
  return (env, input, owned, depth) => {
    env.machine.touches(node);
    const given = rightSide(env, input, owned, depth);
    const keys = path(env, input, owned, depth);
    if (!isArray(keys)) return fail("Path must be specified as an array", target);
    const changed = (old: Json): Json | undefined =>
      change === undefined ? firstOf(toFirst, env, old) : change(old, given, env);
    const result = updatePath(input, keys, changed, node, owned, depth);
    return result === undefined ? deletePaths(input, [keys], node, owned, depth) : result;
  };
}

/** Whether a step means the same whatever the input of the whole expression is. */
function ignoresInput(suffix: Suffix): boolean {
  if (suffix.kind === "Field") return suffix.key.kind === "Name";
  if (suffix.kind !== "Index") return suffix.kind === "Optional" || suffix.kind === "Iterate";
  const { index: key } = suffix;
  const head = key.kind === "Postfix" && key.suffixes.every(ignoresInput) ? key.head : key;
  return head.kind === "Variable" || head.kind === "Number";
}
