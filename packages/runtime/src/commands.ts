import type { App, AppCommand, CommandId } from "@configc/compiler";
import { compile, JqError, type Json } from "@configc/jq";
import { RunError } from "./errors.ts";
import { expand } from "./expansion.ts";
import type { Frame, Step } from "./step.ts";

/** Makes the closure of a command; asks for those of the commands in it. */
export type StepMaker = (command: AppCommand, step: (id: CommandId) => Step, app: App) => Step;

/** The commands that run so far, by key. Any other fails with `NotSupported` when it is reached, never silently. */
export const makers: Readonly<Record<string, StepMaker>> = {
  "!pipe": makePipe,
  "!jq": (command) => makeProgram(command),
  "!switch": makeSwitch,
  "!error": makeError,
  "!extract": makeExtract,
};

export function makeUnsupported(command: AppCommand): Step {
  return () => {
    throw new RunError("NotSupported", `${command.key} can't be run yet by this version.`, command);
  };
}

/** D14: every step counts; index 0 is the pipe's input. An empty pipe is the identity (D16). */
function makePipe(command: AppCommand, step: (id: CommandId) => Step): Step {
  const steps = (command.children ?? []).map((id) => (id === null ? missingStep(command) : step(id)));
  return async (input, frame) => {
    const piped: Json[] = [input];
    let value = input;
    for (const run of steps) {
      if (frame.signal?.aborted === true)
        throw new RunError("Cancelled", "The run was cancelled.", command, frame.signal.reason);
      value = await run(value, { ...frame, piped });
      piped.push(value);
    }
    return value;
  };
}

function missingStep(command: AppCommand): Step {
  return () => {
    throw new RunError("DataError", "A step of this pipe isn't a command; check the config.", command);
  };
}

/** D23: the first output; none gives null. D10: expansions are values bound to holes, never program text. */
function makeProgram(command: AppCommand): (input: Json, frame: Frame) => Json {
  const { text = "", holes = [] } = command.program ?? {};
  const { filter, diagnostics } = compile(text, { holes });
  return (input, frame) => {
    if (filter === undefined) {
      throw new RunError(
        "JqError",
        `The program has mistakes (${diagnostics[0]?.code ?? "unreadable"}); check the config.`,
        command,
      );
    }
    const values = holes.map((hole) => {
      const value = expand(hole, frame);
      if (value === undefined)
        throw new RunError("DataError", `\${${hole.path.join(".")}} has no value here.`, command);
      return value;
    });
    try {
      const first = filter.first(input, {
        bindings: { holes: values },
        clock: () => frame.effects.clock.now() / 1000,
      });
      return first === undefined ? null : first;
    } catch (error) {
      if (error instanceof JqError) throw new RunError("JqError", error.message, command, error);
      throw error;
    }
  };
}

/** D26: the index of the one case that runs, with the switch's own input. */
function makeSwitch(command: AppCommand, step: (id: CommandId) => Step): Step {
  const index = makeProgram(command);
  const cases = (command.children ?? []).map((id) => (id === null ? missingStep(command) : step(id)));
  return (input, frame) => {
    const chosen = index(input, frame);
    const run = typeof chosen === "number" && Number.isInteger(chosen) ? cases[chosen] : undefined;
    if (run === undefined) {
      const range = `an index from 0 to ${cases.length - 1}`;
      throw new RunError(
        "DataError",
        `The program of !switch gave ${JSON.stringify(chosen)}, which isn't ${range}.`,
        command,
      );
    }
    return run(input, frame);
  };
}

function makeError(command: AppCommand): Step {
  return () => {
    throw new RunError("AppError", String(command.argument), command);
  };
}

/** D26: an object of the named members, each parsed as JSON if `to_json`. */
function makeExtract(command: AppCommand): Step {
  const { item_keys: keys, to_json: parse } = command.argument as {
    readonly item_keys: readonly string[];
    readonly to_json: boolean;
  };
  return (input) => {
    if (typeof input !== "object" || input === null || Array.isArray(input)) {
      throw new RunError("DataError", "!extract takes an object.", command);
    }
    const taken: Record<string, Json> = Object.create(null);
    for (const key of keys) {
      if (!Object.hasOwn(input, key)) continue;
      const value = (input as Readonly<Record<string, Json>>)[key]!;
      taken[key] = parse ? parseMember(value, key, command) : value;
    }
    return taken;
  };
}

function parseMember(value: Json, key: string, command: AppCommand): Json {
  try {
    return JSON.parse(String(value)) as Json;
  } catch (cause) {
    throw new RunError("DataError", `\`${key}\` isn't JSON text.`, command, cause);
  }
}
