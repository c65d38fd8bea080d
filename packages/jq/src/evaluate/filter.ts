import { calls } from "../calls.ts";
import { checked } from "../check.ts";
import { diagnostic, type JqDiagnostic, renderMessage } from "../diagnostics.ts";
import type { Json } from "../json.ts";
import type { Linked } from "../modules/link.ts";
import type { ModuleResolver } from "../modules/module.ts";
import type { CheckOptions } from "../options.ts";
import type { Span } from "../syntax-tree.ts";
import { isImplemented } from "./builtins/index.ts";
import { outermost } from "./code.ts";
import { compileExpression } from "./compiler.ts";
import { JqError, uncaught } from "./error.ts";
import { type Budget, Environment, force, Machine, type Run } from "./machine.ts";
import { bytes, countMade, metered } from "./meter.ts";
import { scopeOfProgram } from "./module-scope.ts";
import { withName } from "./scope.ts";
import type { InputOutput } from "./surroundings.ts";

/** What `compile` takes besides the program. */
export interface CompileOptions extends CheckOptions {
  /**
   * Numbers keep the text they were written with, in the program as in what `fromjson` and `tonumber` read,
   * and the input may hold what `parseExact` gives. They lose it in arithmetic.
   */
  readonly exact?: boolean;
}

/** A compiled program, and what was found in it. */
export interface CompileResult {
  /** Absent if the program has mistakes. */
  readonly filter?: Filter;
  readonly diagnostics: readonly JqDiagnostic[];
}

/** Values for one run. */
export interface Bindings {
  /** By name without `$`; a variable without a value is null. */
  readonly variables?: Readonly<Record<string, Json>>;
  /** By the hole's index. */
  readonly holes?: readonly Json[];
}

/** What one run of a filter takes: its variables, where outputs go, and how much it may use. */
export interface RunOptions {
  readonly bindings?: Bindings;
  readonly budget?: Budget;
  /** What `now` gives: seconds since 1970. Default: the system's clock. */
  readonly clock?: () => number;
  /** For `localtime` and `strflocaltime`: a name such as `Europe/Paris`. Default: the system's zone. */
  readonly timeZone?: string;
  /** What `input`, `debug`, `$ENV`, `halt` and the like need; without it they fail (decision D23). */
  readonly io?: InputOutput;
  /** Is written when the run is over, also if it failed. */
  readonly spent?: Spent;
}

/** What a run took. */
export interface Spent {
  /** Bytes of all that it made, counted as by `Budget.memory`: more than that if it failed for it. */
  memory: number;
}

/** A compiled program. Runs are independent of each other; values are never changed. */
export interface Filter {
  /**
   * Gives each output to `emit` as it comes; `emit` ends the run by returning false.
   * @throws JqError if the program fails or exceeds its budget
   */
  run(input: Json, options: RunOptions & { readonly emit: (value: Json) => boolean }): void;
  /** The first output, undefined if there is none. The rest isn't computed. */
  first(input: Json, options?: RunOptions): Json | undefined;
  /** All outputs. A `JqError` carries those before the failure. */
  all(input: Json, options?: RunOptions): Json[];
}

/**
 * Compiles a program to closures. Mistakes, and builtins that aren't implemented yet, are diagnostics;
 * with any of them there is no filter. An unknown format is no obstacle: it fails when it runs, as in jq.
 */
export function compile(text: string, options: CompileOptions = {}): CompileResult {
  const { variables = [], modules, exact = false } = options;
  const { program, linked, diagnostics: found } = checked(text, options);
  const diagnostics = [...found];
  for (const { name, arity, builtin, node } of calls(program, linked.resolution)) {
    const isMissing = name === "modulemeta" ? modules === undefined : !isImplemented(name, arity);
    if (builtin !== undefined && isMissing) {
      diagnostics.push(diagnostic("not-implemented", node.name, { name, arity }));
    }
  }
  diagnostics.sort((a, b) => a.start - b.start);
  if (diagnostics.some(({ code }) => code !== "unknown-format")) return { diagnostics };
  let scope = outermost;
  for (const name of variables) scope = withName(scope, "variable", name);
  const { body } = program;
  const { run } = compileExpression(body, scopeOfProgram(linked, scope));
  return { filter: new CompiledFilter(run, body, { variables, linked, exact, modules }), diagnostics };
}

/** What `evaluate` takes besides program and input. */
export interface EvaluateOptions extends RunOptions, CompileOptions {
  readonly variables?: readonly string[];
}

/**
 * Runs a program on an input and gives all outputs. The variables of `bindings` are bound.
 * @throws JqError with `outputsSoFar`; a program with mistakes throws one whose text names the first
 */
export function evaluate(text: string, input: Json, options: EvaluateOptions = {}): Json[] {
  const variables = options.variables ?? Object.keys(options.bindings?.variables ?? {});
  const { filter, diagnostics } = compile(text, { ...options, variables });
  if (filter === undefined) {
    const first = diagnostics[0]!;
    const message = renderMessage(first);
    throw new JqError("error", message, message, first);
  }
  return filter.all(input, options);
}

/** What was known when a program was compiled. */
interface Origin {
  readonly variables: readonly string[];
  readonly linked: Linked;
  readonly exact: boolean;
  readonly modules: ModuleResolver | undefined;
}

class CompiledFilter implements Filter {
  private readonly program: Run;
  private readonly body: Span;
  private readonly origin: Origin;

  constructor(program: Run, body: Span, origin: Origin) {
    this.program = program;
    this.body = body;
    this.origin = origin;
  }

  run(
    input: Json,
    {
      emit,
      bindings = {},
      budget = {},
      clock = systemClock,
      timeZone,
      io,
      spent,
    }: RunOptions & { readonly emit: (value: Json) => boolean },
  ): void {
    const { variables, linked, exact, modules } = this.origin;
    const machine = new Machine(
      budget,
      bindings.holes ?? [],
      { clock, timeZone, io, exact, modules },
      Date.now,
    );
    let env = new Environment(machine, null, undefined);
    const given = bindings.variables ?? {};
    for (const name of variables) {
      env = new Environment(machine, Object.hasOwn(given, name) ? given[name]! : null, env);
    }
    for (const { value } of linked.data) env = new Environment(machine, value, env);
    try {
      metered(machine, () => {
        try {
          force(this.program(env, input, emit), env);
        } catch (thrown) {
          throw uncaught(thrown);
        }
      });
    } catch (error) {
      throw placed(limitOf(error) ?? error, machine.place ?? this.body, linked);
    } finally {
      if (spent !== undefined) spent.memory = machine.made;
    }
  }

  first(input: Json, options: RunOptions = {}): Json | undefined {
    let first: Json | undefined;
    this.run(input, {
      ...options,
      emit: (value) => {
        first = value;
        return false;
      },
    });
    return first;
  }

  all(input: Json, options: RunOptions = {}): Json[] {
    const outputs: Json[] = [];
    try {
      this.run(input, {
        ...options,
        emit: (value) => {
          countMade(bytes.item);
          return outputs.push(value) > 0;
        },
      });
    } catch (error) {
      if (error instanceof JqError) error.outputsSoFar = outputs;
      throw error;
    }
    return outputs;
  }
}

/** An error with a place: what isn't at one of its own was found while something there was done. */
function placed(error: unknown, { start, end }: Span, { modules }: Linked): unknown {
  if (!(error instanceof JqError)) return error;
  error.span ??= { start, end };
  const { span } = error;
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

function systemClock(): number {
  return Date.now() / 1000;
}
