import type { Json } from "../json.ts";
import type { Span } from "../syntax-tree.ts";
import { JqError } from "./error.ts";

/** What a run may use. */
export interface Budget {
  /** Calls and items of loops; default 100 million. */
  readonly steps?: number;
  /** Default: no limit. The clock is looked at every few thousand steps. */
  readonly milliseconds?: number;
  /** Characters of one text or items of one array; default 50 million. */
  readonly size?: number;
}

/** The state of one run. */
export class Machine {
  readonly holes: readonly Json[];
  /** Seconds since 1970. */
  readonly clock: () => number;
  /** The call that was returned instead of made: see `Tail`. */
  pending: Tail | undefined;
  private steps: number;
  private nextLook: number;
  private readonly size: number;
  private readonly deadline: number;
  private readonly milliseconds: () => number;

  constructor(budget: Budget, holes: readonly Json[], clock: () => number, milliseconds: () => number) {
    this.holes = holes;
    this.clock = clock;
    this.milliseconds = milliseconds;
    this.steps = budget.steps ?? 100_000_000;
    this.size = budget.size ?? 50_000_000;
    this.deadline =
      budget.milliseconds === undefined ? Number.POSITIVE_INFINITY : milliseconds() + budget.milliseconds;
    this.nextLook = this.steps - 4096;
  }

  /** Counts one step. */
  tick(span: Span): void {
    if (--this.steps >= this.nextLook) return;
    if (this.steps < 0) throw new JqError("budget", "The program takes too many steps", null, span);
    this.nextLook = this.steps - 4096;
    if (this.milliseconds() > this.deadline) {
      throw new JqError("budget", "The program takes too long", null, span);
    }
  }

  /** Checks the size of a text or array that is about to be made. */
  charge(size: number, span: Span): void {
    if (size > this.size)
      throw new JqError("budget", "The program makes a value that is too large", null, span);
  }
}

/** Values of variables and parameters, innermost first; positions are known when compiling. */
export class Environment {
  readonly machine: Machine;
  readonly value: Json | Closure;
  readonly parent: Environment | undefined;

  constructor(machine: Machine, value: Json | Closure, parent: Environment | undefined) {
    this.machine = machine;
    this.value = value;
    this.parent = parent;
  }
}

/** Takes an output; false stops the run. */
export type Emit = (value: Json) => boolean;
/** Runs with an input and gives its outputs to `emit`; false if it was stopped. */
export type Run = (env: Environment, input: Json, emit: Emit) => Result;
/** `tail` asks the caller to make the call in `machine.pending`: so tail calls use no stack. */
export type Result = boolean | typeof tail;
export const tail = Symbol("tail call");
export interface Tail {
  readonly run: Run;
  readonly env: Environment;
  readonly input: Json;
  readonly emit: Emit;
}

/** The one output of an expression that always has exactly one (or fails). */
export type Single = (env: Environment, input: Json) => Json;

/** A path in reverse; the empty path is null. Undefined stands for a value that isn't in the input. */
export type Path = PathStep | null | undefined;
export interface PathStep {
  readonly parent: PathStep | null;
  readonly key: Json;
}
export type EmitPath = (path: Path, value: Json) => boolean;
export type RunPaths = (env: Environment, path: Path, value: Json, emit: EmitPath) => boolean;

/** An argument: an expression and where it was written. */
export class Closure {
  readonly code: LazyCode;
  readonly env: Environment;
  constructor(code: LazyCode, env: Environment) {
    this.code = code;
    this.env = env;
  }
}

/** An expression compiled when it is first needed: definitions may call themselves. */
export interface LazyCode {
  readonly run: Run;
  readonly single: Single | undefined;
  readonly paths: RunPaths;
}

/** Makes the calls that were returned in tail position. */
export function force(result: Result, { machine }: Environment): boolean {
  let current = result;
  while (current === tail) {
    const { run, env, input, emit } = machine.pending!;
    current = run(env, input, emit);
  }
  return current;
}

export function ancestor(env: Environment, distance: number): Environment {
  let result = env;
  for (let left = distance; left > 0; left--) result = result.parent!;
  return result;
}
