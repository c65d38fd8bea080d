import type { Json } from "../../json.ts";
import type { Span } from "../../syntax-tree.ts";
import { fail, HaltError, JqError } from "../error.ts";
import { doubleOf } from "../exact-number.ts";
import { type Environment, force, type Machine } from "../machine.ts";
import type { InputOutput } from "../run-options.ts";
import { described, jsonText, setMember, textOf } from "../values.ts";
import type { FilterFunction, ValueFunction } from "./contract.ts";

/** The `io` option of a run. */
function ioOf(machine: Machine, name: string, span: Span): InputOutput {
  if (machine.io !== undefined) return machine.io;
  const message = `${name} reads or affects what is around the program; it works only in a run with the option io`;
  throw new JqError("option", message, null, span);
}

/** `env` and `$ENV` */
export function environmentVariables(machine: Machine, name: string, span: Span): Json {
  const variables: Record<string, Json> = {};
  for (const [key, value] of Object.entries(ioOf(machine, name, span).env ?? {}))
    setMember(variables, key, value);
  return variables;
}

export const hostFunctions: Readonly<Record<string, ValueFunction>> = {
  "env/0": (_input, _args, machine, span) => environmentVariables(machine, "env", span),
  "input_filename/0": (_input, _args, machine, span) =>
    ioOf(machine, "input_filename", span).filename ?? null,
  "input_line_number/0": (_input, _args, machine) => machine.io?.lineNumber ?? 0,
  "input/0": (_input, _args, machine, span) => {
    const next = nextInput(machine, "input", span);
    return next === undefined ? fail("break", span) : next;
  },
  "halt/0": (_input, _args, machine, span) => {
    ioOf(machine, "halt", span);
    throw new HaltError("", 0, null, span);
  },
  "halt_error/0": (input, _args, machine, span) => haltError(input, 5, machine, span),
  "halt_error/1": (input, [status], machine, span) => {
    const number = doubleOf(status);
    if (number === undefined) return fail(`${described(input)} halt_error/1: number required`, span);
    return haltError(input, Math.trunc(number), machine, span);
  },
  "get_search_list/0": (_input, _args, machine, span) => {
    return [...(ioOf(machine, "get_search_list", span).searchList ?? [])];
  },
  "get_jq_origin/0": (_input, _args, machine, span) => {
    ioOf(machine, "get_jq_origin", span);
    return null;
  },
  "get_prog_origin/0": (_input, _args, machine, span) => {
    ioOf(machine, "get_prog_origin", span);
    return null;
  },
};

export const hostFilters: Readonly<Record<string, FilterFunction>> = {
  "debug/0": reporting((machine, input, span) => ioOf(machine, "debug", span).debug?.(input)),
  "stderr/0": reporting((machine, input, span) => ioOf(machine, "stderr", span).stderr?.(textOf(input))),
  "inputs/0": {
    run: (_args, span) => (env, _input, emit) => {
      for (;;) {
        env.machine.tick(span);
        const next = nextInput(env.machine, "inputs", span);
        if (next === undefined) return true;
        if (!emit(next)) return false;
      }
    },
  },
  "debug/1": {
    run:
      ([messages], span) =>
      (env, input, emit) => {
        return force(messages!.run(env, input, debugging(env, span)), env) && emit(input);
      },
    paths:
      ([messages], span) =>
      (env, path, input, emit) => {
        return force(messages!.run(env, input, debugging(env, span)), env) && emit(path, input);
      },
  },
};

/** Reports each message. */
function debugging({ machine }: Environment, span: Span): (message: Json) => boolean {
  const { debug } = ioOf(machine, "debug", span);
  return (message) => {
    debug?.(message);
    return true;
  };
}

/** Passes its input on, also as a path expression. */
function reporting(report: (machine: Machine, input: Json, span: Span) => void): FilterFunction {
  return {
    single: (_args, span) => (env, input) => {
      report(env.machine, input, span);
      return input;
    },
    run: (_args, span) => (env, input, emit) => {
      report(env.machine, input, span);
      return emit(input);
    },
    paths: (_args, span) => (env, path, input, emit) => {
      report(env.machine, input, span);
      return emit(path, input);
    },
  };
}

function nextInput(machine: Machine, name: string, span: Span): Json | undefined {
  ioOf(machine, name, span);
  return machine.nextInput();
}

function haltError(value: Json, status: number, machine: Machine, span: Span): never {
  ioOf(machine, "halt_error", span);
  const output = typeof value === "string" ? value : value === null ? "" : `${jsonText(value)}\n`;
  throw new HaltError(output, status, value, span);
}
