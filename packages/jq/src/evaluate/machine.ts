import type { Json, JsonObject } from "../json.ts";
import type { ModuleResolver } from "../modules/module.ts";
import type { Span } from "../syntax-tree.ts";
import { Failure, failed, JqError, STEPS_OF_FAILURE } from "./error.ts";

import { isArray } from "./kinds.ts";
import { bytes, type Meter } from "./meter.ts";
import type { Ownership } from "./ownership.ts";
import type { Compiled, InputOutput, RunOptions } from "./run-options.ts";

const STEPS_BETWEEN_LOOKS = 4096;
/** Items that are counted before they are done: the first may fail. */
const ITEMS_AT_ONCE = 64;
/** Members from which an object is no longer kept as a record. */
const LARGE_OBJECT = 64;

const none: readonly Json[] = [];

function systemClock(): number {
  return Date.now() / 1000;
}

/** The state of one run. All of its members are set at first: then all runs have one form for the engine. */
export class Machine implements Meter {
  readonly holes: readonly Json[];
  /** Seconds since 1970. */
  readonly clock: () => number;
  readonly timeZone: string | undefined;
  readonly io: InputOutput | undefined;
  /** Whether numbers that are read keep their text. */
  readonly exact: boolean;
  readonly modules: ModuleResolver | undefined;
  private reader: Iterator<Json> | undefined = undefined;
  /** What the attempt failed with that has just given `failed`. */
  failure: { readonly value: Json } | undefined = undefined;
  /** The call that was returned instead of made: see `Tail`. */
  pending: Tail | undefined = undefined;
  /** How many labels were entered: the number of the next. */
  labels = 0;
  /** What is being done, for work that is counted where its place in the program isn't known. */
  place: Span | undefined = undefined;
  /** Copies of objects until the next one that is measured. */
  private untilMeasure = 0;
  /** Spreads those out. */
  private scatter = 1;
  /** Copies that are all measured, since a large one was among them. */
  private closely = 0;
  /** Steps until the next look at what is left, and at the clock. */
  private untilLook: number;
  /** Steps after that. */
  private stepsLeft: number;
  private readonly size: number;
  private readonly bytes: number;
  private bytesLeft: number;
  private readonly deadline: number;

  constructor({ bindings, budget, clock, timeZone, io }: RunOptions, { exact, modules }: Compiled) {
    this.holes = bindings?.holes ?? none;
    this.clock = clock ?? systemClock;
    this.timeZone = timeZone;
    this.io = io;
    this.exact = exact;
    this.modules = modules;
    this.stepsLeft = budget?.steps ?? 20_000_000;
    this.untilLook = 0;
    this.size = budget?.size ?? 50_000_000;
    this.bytes = budget?.memory ?? 256_000_000;
    this.bytesLeft = this.bytes;
    const milliseconds = budget?.milliseconds;
    // Asking for the time takes as long as a small program.
    this.deadline = milliseconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + milliseconds;
  }

  /** Bytes of all that was made so far. */
  get made(): number {
    return this.bytes - this.bytesLeft;
  }

  /** What `input` reads next; undefined if there is nothing more. */
  nextInput(): Json | undefined {
    this.reader ??= (this.io?.inputs ?? [])[Symbol.iterator]();
    try {
      const next = this.reader.next();
      return next.done === true ? undefined : next.value;
    } catch (error) {
      throw error instanceof JqError && error.kind === "error" ? new Failure(error.value, error.span) : error;
    }
  }

  /** Counts one step. Every loop does it in each turn, so it is one comparison, nearly always. */
  tick(span: Span): void {
    if (--this.untilLook < 0) this.look(span);
  }

  /** Counts the next items of a loop, some at once. @returns the number of the first that isn't counted */
  ticks(from: number, length: number, span: Span): number {
    const upto = Math.min(from + ITEMS_AT_ONCE, length);
    this.untilLook -= upto - from;
    if (this.untilLook < 0) this.look(span);
    return upto;
  }

  /** A call, or the binding of a variable in a loop: each makes what a simple step doesn't. */
  calls(span: Span): void {
    this.place = span;
    this.untilLook -= 4;
    if (this.untilLook < 0) this.look(span);
  }

  makes(size: number, span: Span | undefined = this.place): void {
    this.bytesLeft -= size;
    if (this.bytesLeft < 0) throw new JqError("budget", "The program takes too much memory", null, span);
  }

  spend(steps: number): void {
    this.untilLook -= steps;
    if (this.untilLook < 0) this.look(this.place);
  }

  fits(size: number): void {
    this.charge(size, this.place);
  }

  copies(object: JsonObject): void {
    // An object doesn't know its size, and asking takes as long as copying a small one: one in eight stands for all.
    this.spend(2);
    if (--this.untilMeasure > 0) return;
    const { length } = Object.keys(object);
    if (length > LARGE_OBJECT) this.closely = 32;
    if (this.closely-- > 0) {
      this.spend(length * 8);
      this.makes(bytes.object + length * bytes.entry);
      return;
    }
    this.scatter = (this.scatter * 5 + 3) & 15;
    this.untilMeasure = this.scatter + 1;
    this.spend(length * 8);
    this.makes(8 * (bytes.object + length * bytes.member));
  }

  /** What fails within an attempt returns this. */
  fails(value: Json | (() => Json), span: Span): typeof failed {
    this.spend(STEPS_OF_FAILURE);
    this.failure = new Failure(value, span);
    return failed;
  }

  /** Before a builtin that may read all of its input. */
  reads(input: Json, span: Span): void {
    this.place = span;
    if (typeof input === "string") {
      this.spend(1 + (input.length >> 4));
      if (input.length > 15) this.makes(input.length * bytes.character);
    } else this.spend(isArray(input) ? 1 + (input.length >> 2) : 1);
  }

  /** Before a builtin that doesn't. */
  touches(span: Span): void {
    this.place = span;
    this.spend(1);
  }

  private look(span: Span | undefined): void {
    // What was taken beyond those that had been given out.
    this.stepsLeft += this.untilLook;
    if (this.stepsLeft < 0) throw new JqError("budget", "The program takes too many steps", null, span);
    if (this.deadline < Number.POSITIVE_INFINITY && Date.now() > this.deadline) {
      throw new JqError("budget", "The program takes too long", null, span);
    }
    this.untilLook = Math.min(this.stepsLeft, STEPS_BETWEEN_LOOKS);
    this.stepsLeft -= this.untilLook;
  }

  /** Checks the size of a text or array that is about to be made. */
  charge(size: number, span: Span | undefined): void {
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
interface Tail {
  readonly run: Run;
  readonly env: Environment;
  readonly input: Json;
  readonly emit: Emit;
}

/** The one output of an expression that always has exactly one (or fails). */
export type Single = (env: Environment, input: Json) => Json;
/** The output of an expression that never has more than one; undefined if it has none. */
export type Maybe = (env: Environment, input: Json) => Json | undefined;

/** The same, where a failure is given and not thrown. */
export type Attempt = (env: Environment, input: Json) => Json | undefined | typeof failed;

/** A path in reverse; the empty path is null. Undefined stands for a value that isn't in the input. */
export type Path = PathStep | null | undefined;
export interface PathStep {
  readonly parent: PathStep | null;
  readonly key: Json;
}
type EmitPath = (path: Path, value: Json) => boolean;
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

/**
 * A step of a fold that sets parts of the state, or adds to them. Values never change, so each such step would copy
 * the state, and a fold that collects n items would copy n² of them. But what the steps before have made themselves,
 * and no expression can have kept, is changed in place.
 *
 * A step that fails may have changed some of that: nobody has the state then.
 *
 * @param depth where in the state the step's input lies, which may be a part: see `Ownership`
 */
export type StepInPlace = (env: Environment, input: Json, owned: Ownership, depth: number) => Json;

/** `.items[] | f`, where `f` has at most one output: a loop over a list, that whoever takes its outputs can run himself. */
export interface Loop {
  readonly items: (env: Environment, input: Json) => readonly Json[];
  /** What is done with each item; undefined for `.items[]` alone. */
  readonly each: Maybe | undefined;
  /** Whether that always has an output. */
  readonly isOneToOne: boolean;
  readonly span: Span;
}

/** An expression compiled when it is first needed: definitions may call themselves. */
export interface LazyCode {
  readonly run: Run;
  readonly single: Single | undefined;
  readonly maybe: Maybe | undefined;
  readonly loop: Loop | undefined;
  /** Whether `run` may leave its last call to the caller, which `single` and `maybe` make themselves: a step of a recursion. */
  readonly endsWithCall: boolean;
  readonly paths: RunPaths;
  /** As a step of a fold, if something in it can be done in place. */
  readonly inPlace: StepInPlace | undefined;
  /** Whether only its outputs can keep its input. */
  readonly isQuiet: boolean;
}

/** Makes the calls that were returned in tail position. */
export function force(result: Result, env: Environment): boolean {
  return result === tail ? makeCalls(env.machine) : result;
}

function makeCalls(machine: Machine): boolean {
  for (;;) {
    const { run, env, input, emit } = machine.pending!;
    const result = run(env, input, emit);
    if (result !== tail) return result;
  }
}

export function ancestor(env: Environment, distance: number): Environment {
  let result = env;
  for (let left = distance; left > 0; left--) result = result.parent!;
  return result;
}
