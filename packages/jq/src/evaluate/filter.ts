import type { Json } from "../json.ts";
import type { Linked } from "../modules/link.ts";
import type { ModuleResolver } from "../modules/module.ts";
import type { Span } from "../syntax-tree.ts";
import { JqError, uncaught } from "./error.ts";
import { type Emit, Environment, force, Machine, type Run } from "./machine.ts";
import { bytes, countMade, meterOf } from "./meter.ts";
import type { RunOptions } from "./run-options.ts";

/**
 * A compiled program. Runs are independent of each other; values are never changed. `Input` and `Output` are what the caller says
 * they are; `typed` compares them with what the program is inferred to give.
 */
export interface Filter<Input = Json, Output = Json> {
  /**
   * Gives each output to `emit` as it comes; `emit` ends the run by returning false.
   * @throws JqError if the program fails or exceeds its budget
   */
  run(input: Input, options: RunOptions & { readonly emit: (value: Output) => boolean }): void;
  /** The first output, undefined if there is none. The rest isn't computed. */
  first(input: Input, options?: RunOptions): Output | undefined;
  /** All outputs. A `JqError` carries those before the failure. */
  all(input: Input, options?: RunOptions): Output[];
}

/** What was known when a program was compiled. */
interface Origin {
  readonly variables: readonly string[];
  readonly linked: Pick<Linked, "data" | "modules">;
  readonly exact: boolean;
  readonly modules: ModuleResolver | undefined;
}

const nothing = {};

export class CompiledFilter implements Filter {
  private readonly program: Run;
  private readonly body: Span;
  private readonly origin: Origin;

  constructor(program: Run, body: Span, origin: Origin) {
    this.program = program;
    this.body = body;
    this.origin = origin;
  }

  run(input: Json, options: RunOptions & { readonly emit: (value: Json) => boolean }): void {
    this.start(input, options, options.emit);
  }

  private start(input: Json, options: RunOptions, emit: Emit): void {
    const { variables, linked } = this.origin;
    const { bindings, spent } = options;
    const machine = new Machine(options, this.origin);
    let env = new Environment(machine, null, undefined);
    const given: Readonly<Record<string, Json>> = bindings?.variables ?? nothing;
    for (const name of variables) {
      env = new Environment(machine, Object.hasOwn(given, name) ? given[name]! : null, env);
    }
    for (const { value } of linked.data) env = new Environment(machine, value, env);
    const outer = meterOf(machine);
    try {
      try {
        force(this.program(env, input, emit), env);
      } catch (thrown) {
        throw uncaught(thrown);
      }
    } catch (error) {
      throw placed(limitOf(error) ?? error, machine.place ?? this.body, linked);
    } finally {
      meterOf(outer);
      if (spent !== undefined) spent.memory = machine.made;
    }
  }

  first(input: Json, options: RunOptions = nothing): Json | undefined {
    let first: Json | undefined;
    this.start(input, options, (value) => {
      first = value;
      return false;
    });
    return first;
  }

  all(input: Json, options: RunOptions = nothing): Json[] {
    const outputs: Json[] = [];
    try {
      this.start(input, options, (value) => {
        countMade(bytes.item);
        return outputs.push(value) > 0;
      });
    } catch (error) {
      if (error instanceof JqError) error.outputsSoFar = outputs;
      throw error;
    }
    return outputs;
  }
}

/** An error with a place: what isn't at one of its own was found while something there was done. */
function placed(error: unknown, place: Span, { modules }: Origin["linked"]): unknown {
  if (!(error instanceof JqError)) return error;
  const span = error.span ?? place;
  // What failed knows the node of the tree, which isn't for others.
  error.span = { start: span.start, end: span.end };
  const module = modules.findLast((module) => module.start <= span.start);
  if (module !== undefined) {
    error.module = module.name;
    error.span = { start: span.start - module.start, end: span.end - module.start };
  }
  return error;
}

/** The engine's own limits: its stack bounds calls that aren't tail calls, and texts have a longest length. */
function limitOf(error: unknown): JqError | undefined {
  if (!(error instanceof Error) || error instanceof JqError) return undefined;
  // V8 and Safari, and Firefox.
  if ((error instanceof RangeError && /call stack/i.test(error.message)) || error.name === "InternalError") {
    return new JqError("depth", "The program calls itself too deeply", null, undefined);
  }
  if (!(error instanceof RangeError)) return undefined;
  return new JqError("budget", "The program makes a value that is too large", null, undefined);
}
