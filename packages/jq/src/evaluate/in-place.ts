import type { Json } from "../json.ts";
import type { Arithmetic, Assignment, Expression, If, Suffix } from "../syntax-tree.ts";
import { index, setIndex } from "./access.ts";
import { changeOf, firstOf } from "./assignment.ts";
import { compileExpression, lazily } from "./code.ts";
import type { Environment } from "./machine.ts";
import { add, addInPlace } from "./operators.ts";
import type { Scope } from "./scope.ts";
import { type Change, compileUpdate, untouched } from "./update-code.ts";
import { isTrue } from "./values.ts";

/**
 * A step of a `reduce` that sets one member of the state, or adds to it. Values never change, so each such
 * step would copy the whole state, and a `reduce` that collects n members would copy n² of them. But a state
 * that the step before has made (`isOurs`), and that no expression could have kept, can be changed in place. Undefined: the step isn't as simple as that,
 * nothing has been changed, and the general way is to be taken.
 */
export type StepInPlace = (env: Environment, state: Json, isOurs: boolean) => Json | undefined;

/** Undefined if the step isn't of that kind, or something in it might keep the state. */
export function compileInPlace(step: Expression, scope: Scope | undefined): StepInPlace | undefined {
  switch (step.kind) {
    case "Group":
      return compileInPlace(step.body, scope);
    case "Assignment":
      return assignInPlace(step, scope);
    case "Arithmetic":
      return additionInPlace(step, scope);
    case "If":
      return choiceInPlace(step, scope);
    case "Identity":
      return keep;
    default:
      return undefined;
  }
}

/** `.[key] = value`, and `.[key].a[$b] += value`: only the outermost container is changed in place. */
function assignInPlace(node: Assignment, scope: Scope | undefined): StepInPlace | undefined {
  const { target } = node;
  if (target.kind !== "Postfix" || target.head.kind !== "Identity") return undefined;
  const [first, ...rest] = target.suffixes;
  if (first === undefined || (first.kind !== "Field" && first.kind !== "Index")) return undefined;
  if (rest[0]?.kind === "Optional" || !rest.every(ignoresInput)) return undefined;
  const below = compileUpdate({ ...target, suffixes: rest }, scope);
  const keyNode = first.kind === "Field" ? first.key : first.index;
  const key = keyNode.kind === "Name" ? () => keyNode.text : compileExpression(keyNode, scope).single;
  const change = changeInPlace(node, scope);
  if (below === undefined || key === undefined || change === undefined) return undefined;
  return (env, state, isOurs) => {
    const changePart = change(env, state);
    const name = key(env, state);
    const part = below(env, index(state, name, first), changePart);
    if (part === undefined || part === untouched) return undefined;
    return setIndex(state, name, part, first, isOurs);
  };
}

function changeInPlace(
  node: Assignment,
  scope: Scope | undefined,
): ((env: Environment, state: Json) => Change) | undefined {
  if (node.operator === "|=") {
    // It sees a part of the state, never the state itself.
    const update = lazily(node.value, () => scope);
    return (env) => (old) => firstOf(update, env, old);
  }
  const value = keepsNothing(node.value) ? compileExpression(node.value, scope).single : undefined;
  if (value === undefined) return undefined;
  const change = changeOf(node);
  return (env, state) => {
    const given = value(env, state);
    return (old) => change(old, given, env);
  };
}

/** `. + {…}` and `. + […]` */
function additionInPlace({ first, rest }: Arithmetic, scope: Scope | undefined): StepInPlace | undefined {
  const [only] = rest;
  if (first.kind !== "Identity" || rest.length !== 1 || only!.operator !== "+") return undefined;
  const value = keepsNothing(only!.operand) ? compileExpression(only!.operand, scope).single : undefined;
  if (value === undefined) return undefined;
  return (env, state, isOurs) => {
    const more = value(env, state);
    if (isOurs && addInPlace(state, more, env.machine, only!.operatorSpan)) return state;
    const sum = add(state, more, env.machine, only!.operatorSpan);
    // What is one of the two itself isn't ours.
    return typeof sum === "object" && sum !== state && sum !== more ? sum : undefined;
  };
}

/** `if $x.ok then . + [$x] else . end`: what a condition gives is looked at and not kept. */
function choiceInPlace({ branches, otherwise }: If, scope: Scope | undefined): StepInPlace | undefined {
  const rest = otherwise === undefined ? keep : compileInPlace(otherwise, scope);
  return [...branches].reverse().reduce<StepInPlace | undefined>((no, { condition, body }) => {
    const holds = compileExpression(condition, scope).single;
    const yes = compileInPlace(body, scope);
    if (holds === undefined || yes === undefined || no === undefined) return undefined;
    return (env, state, isOurs) => (isTrue(holds(env, state)) ? yes : no)(env, state, isOurs);
  }, rest);
}

/** The state as it is; whether it may be changed stays as it was. */
const keep: StepInPlace = (_env, state, isOurs) => (isOurs ? state : undefined);

/** Whether a step means the same whatever the input of the whole expression is. */
function ignoresInput(suffix: Suffix): boolean {
  if (suffix.kind === "Field") return suffix.key.kind === "Name";
  if (suffix.kind !== "Index") return suffix.kind === "Optional" || suffix.kind === "Iterate";
  const { index: key } = suffix;
  const head = key.kind === "Postfix" && key.suffixes.every(ignoresInput) ? key.head : key;
  return head.kind === "Variable" || head.kind === "Number";
}

/** Whether an expression's outputs can't be, or contain, its own input: they are parts of it, or new. */
function keepsNothing(node: Expression): boolean {
  switch (node.kind) {
    case "Number":
    case "String":
    case "Variable":
    case "Hole":
    case "Comparison":
    case "Logical":
    case "Negation":
      return true;
    case "Group":
      return keepsNothing(node.body);
    case "Array":
      return node.body === undefined || keepsNothing(node.body);
    case "Object":
      return node.entries.every(({ value }) => value === undefined || keepsNothing(value));
    case "Arithmetic":
      return keepsNothing(node.first) && node.rest.every(({ operand }) => keepsNothing(operand));
    case "Alternative":
      return node.operands.every(keepsNothing);
    case "Postfix": {
      const [step] = node.suffixes;
      const isPart = step!.kind === "Field" || step!.kind === "Index";
      return keepsNothing(node.head) || (node.head.kind === "Identity" && isPart);
    }
    case "If": {
      const { branches, otherwise } = node;
      return otherwise !== undefined && [...branches.map(({ body }) => body), otherwise].every(keepsNothing);
    }
    case "Pipeline": {
      const [source] = node.stages;
      const isPipe = node.stages.every(
        ({ kind }) => kind !== "Definition" && kind !== "Binding" && kind !== "Label",
      );
      return isPipe && keepsNothing(source as Expression);
    }
    case "Call":
      return node.arguments.length === 0 && ["null", "true", "false", "length"].includes(node.name.text);
    default:
      return false;
  }
}
