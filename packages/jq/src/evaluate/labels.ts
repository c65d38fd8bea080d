import type { Json } from "../json.ts";
import { Failure } from "./error.ts";
import { isObject } from "./kinds.ts";
import { Environment, force, type Result } from "./machine.ts";

/** What a break throws, and what a handler that takes it is given: as in jq, a value that any error may have. */
export class BreakSignal {
  readonly value: Json;
  constructor(label: Environment) {
    this.value = { __jq: label.value as number };
  }
}

/**
 * Runs the scope of a label, whose environment carries its number; a break to it ends that quietly, and so does an error
 * with the value of one.
 */
export function runLabel(outer: Environment, body: (env: Environment) => Result): boolean {
  const { machine } = outer;
  const label = machine.labels++;
  const env = new Environment(machine, label, outer);
  try {
    return force(body(env), env);
  } catch (thrown) {
    if (isBreakTo(thrown, label)) return true;
    throw thrown;
  }
}

function isBreakTo(thrown: unknown, label: number): boolean {
  if (!isCaught(thrown)) return false;
  const { value } = thrown;
  return isObject(value) && Object.hasOwn(value, "__jq") && value.__jq === label;
}

/** Whether a program can take what was thrown: a failure, and as in jq also a break. */
export function isCaught(thrown: unknown): thrown is { readonly value: Json } {
  return thrown instanceof BreakSignal || thrown instanceof Failure;
}
