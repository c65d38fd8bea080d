import { type Environment, force, type Result } from "./machine.ts";

/** Ends everything up to the label whose environment it carries. */
export class BreakSignal {
  readonly label: Environment;
  constructor(label: Environment) {
    this.label = label;
  }
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
