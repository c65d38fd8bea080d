import type { Json, JsonObject } from "../json.ts";
import type { Expression, Postfix, Span, Suffix } from "../syntax-tree.ts";
import { index, noMember, setIndex, values } from "./access.ts";
import { attempt } from "./combinators.ts";
import { compileExpression } from "./compiler.ts";
import { fail } from "./error.ts";
import { memberReader } from "./inline-caches/readers.ts";
import { memberSetter } from "./inline-caches/setters.ts";
import type { Environment, Single } from "./machine.ts";
import { bytes, countCopy } from "./meter.ts";
import { isOptionalStep } from "./postfix-code.ts";
import { findFunction, type Scope } from "./scope.ts";
import { isArray, isContainer, isObject, isTrue, setMember } from "./values.ts";

/**
 * Gives a value with each of its parts that a path expression names replaced by what `change` makes of it.
 * One pass from the root: each container is copied once, however many of its parts change.
 */
export type Update = (env: Environment, value: Json, change: Change) => Changed;
export type Change = (old: Json) => Changed;
/** A new value; undefined if it is to be deleted; `untouched` if no path leads there, so that nothing is made on the way. */
export type Changed = Json | undefined | typeof untouched;
export const untouched = Symbol("untouched");

// More steps than that would need a stack; they take the general way, path by path.
const MOST_STEPS = 100;

/**
 * Compiles a path expression whose paths never overlap, so that changing one part doesn't change what the
 * others are: `.a[].b`, `.[$name]`, `.[] | select(.x)`. Undefined for all others.
 */
export function compileUpdate(node: Expression, scope: Scope, stepsLeft = MOST_STEPS): Update | undefined {
  switch (node.kind) {
    case "Identity":
      return (_env, value, change) => change(value);
    case "Group":
      return compileUpdate(node.body, scope, stepsLeft);
    case "Postfix":
      return postfixUpdate(node, scope, stepsLeft - node.suffixes.length);
    case "Pipeline": {
      const left = stepsLeft - node.stages.length;
      if (left < 0) return undefined;
      const stages = node.stages.map((stage) => {
        const isBinding = stage.kind === "Definition" || stage.kind === "Label" || stage.kind === "Binding";
        return isBinding ? undefined : compileUpdate(stage, scope, left / node.stages.length);
      });
      if (!stages.every((stage) => stage !== undefined)) return undefined;
      return stages.reduceRight(
        (inner, outer) => (env, value, change) => outer(env, value, (part) => inner(env, part, change)),
      );
    }
    case "Call": {
      const [condition] = node.arguments;
      if (node.name.text !== "select" || node.arguments.length !== 1) return undefined;
      if (findFunction(scope, "select", 1) !== undefined) return undefined;
      const holds = compileExpression(condition!, scope).single;
      return holds && ((env, value, change) => (isTrue(holds(env, value)) ? change(value) : untouched));
    }
    default:
      return undefined;
  }
}

/** All steps from one on: the parts of a value that they lead to are changed. `keys` are those of all steps. */
type Walk = (env: Environment, value: Json, keys: readonly Json[], change: Change) => Changed;
/** One step down, and those after it. */
type Step = (onward: Walk) => Walk;

function postfixUpdate({ head, suffixes }: Postfix, scope: Scope, stepsLeft: number): Update | undefined {
  if (stepsLeft < 0) return undefined;
  const start = compileUpdate(head, scope, stepsLeft);
  const keyCodes: Single[] = [];
  const steps: Step[] = [];
  for (let at = 0; at < suffixes.length; at++) {
    const suffix = suffixes[at]!;
    const optional = isOptionalStep(suffixes, at);
    const name = suffix.kind === "Field" && suffix.key.kind === "Name" ? suffix.key.text : "__proto__";
    const key = keyOf(suffix, scope);
    if (suffix.kind === "Iterate") steps.push(iterateStep(suffix, optional));
    else if (name !== "__proto__") steps.push(memberStep(name, suffix, optional));
    else if (key === undefined) return undefined;
    else {
      steps.push(keyStep(keyCodes.length, suffix, optional));
      keyCodes.push(key);
    }
    if (optional) at++;
  }
  if (start === undefined) return undefined;
  const walk = steps.reduceRight<Walk>(
    (onward, step) => step(onward),
    (_env, value, _keys, change) => change(value),
  );
  return (env, value, change) => {
    // Keys are expressions of the whole input, and the last is evaluated first.
    const keys = new Array<Json>(keyCodes.length);
    for (let at = keyCodes.length - 1; at >= 0; at--) keys[at] = keyCodes[at]!(env, value);
    return start(env, value, (part) => walk(env, part, keys, change));
  };
}

/** The key of a step, if it always has one that is a name or a number. */
function keyOf(suffix: Suffix, scope: Scope): Single | undefined {
  if (suffix.kind === "Index") return compileExpression(suffix.index, scope).single;
  if (suffix.kind !== "Field") return undefined;
  const { key } = suffix;
  if (key.kind !== "Name") return compileExpression(key, scope).single;
  const { text } = key;
  return () => text;
}

/** `.name` */
function memberStep(name: string, span: Span, optional: boolean): Step {
  const read = memberReader<undefined>(name, () => undefined);
  const set = memberSetter(name);
  return (onward) => (env, value, keys, change) => {
    const old = read(env, value);
    if (old === undefined) return optional ? untouched : fail(noMember(value, name), span);
    const part = onward(env, old, keys, change);
    if (part === untouched) return untouched;
    const object = value as JsonObject | null;
    if (part === undefined) return object === null ? untouched : without(object, name);
    if (object === null) env.machine.makes(bytes.object, span);
    else env.machine.copies(object);
    return set(object, part);
  };
}

function without(object: JsonObject, name: string): JsonObject {
  countCopy(object);
  return Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));
}

function keyStep(at: number, span: Span, optional: boolean): Step {
  return (onward) => (env, value, keys, change) => {
    const key = keys[at]!;
    const old = optional ? attempt(() => index(value, key, span)) : index(value, key, span);
    if (old === undefined) return untouched;
    const part = onward(env, old, keys, change);
    if (part === untouched) return untouched;
    if (part !== undefined) return setIndex(value, key, part, span);
    // There is nothing to delete.
    if (value === null) return untouched;
    if (typeof key !== "string" || !isObject(value)) throw deletion;
    return without(value, key);
  };
}

function iterateStep(span: Span, optional: boolean): Step {
  return (onward) => (env, value, keys, change) => {
    if (optional && !isContainer(value)) return untouched;
    const items = values(value, span);
    const copy: Record<string, Json> = {};
    const list: Json[] = [];
    const names = isArray(value) ? undefined : Object.keys(value as JsonObject);
    env.machine.makes(
      names === undefined
        ? bytes.array + items.length * bytes.item
        : bytes.object + names.length * bytes.entry,
    );
    for (let at = 0; at < items.length; at++) {
      env.machine.tick(span);
      const changed = onward(env, items[at]!, keys, change);
      if (changed === undefined) continue;
      const part = changed === untouched ? items[at]! : changed;
      if (names === undefined) list.push(part);
      else setMember(copy, names[at]!, part);
    }
    return names === undefined ? list : copy;
  };
}

/** Thrown where paths must say what is deleted, so that the general way is taken. */
export const deletion = Symbol("deletion");
