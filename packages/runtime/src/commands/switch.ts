import type { AppCommand } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { RunError } from "../errors.ts";
import { asNumber, jsonText, structureName } from "../json.ts";
import { compileProgram } from "../program.ts";
import type { Frame, Step } from "../step.ts";
import { failingStep } from "./failing-step.ts";
import { childSteps } from "./pipe.ts";
import type { CompileContext } from "./step-compiler.ts";

/** D26: the index of the one case that runs, with the switch's own input. */
export function makeSwitch(command: AppCommand, making: CompileContext): Step {
  if (command.program === undefined) return failingStep(command, "`jq` isn't a program");
  const choose = compileProgram(command.program, command);
  const cases = childSteps(command, making);
  const runChosen = (chosen: Json, input: Json, frame: Frame): Json | Promise<Json> => {
    const index = asNumber(chosen);
    const run = index === undefined ? undefined : cases[index];
    if (run !== undefined) return run(input, frame);
    const given =
      structureName(chosen) === undefined ? jsonText(chosen).slice(0, 100) : `an ${structureName(chosen)}`;
    const wanted = cases.length === 1 ? "0, as there is one case" : `an index from 0 to ${cases.length - 1}`;
    throw new RunError("DataError", `\`jq\` of !switch gave ${given}; it must give ${wanted}.`, command);
  };
  return (input, frame) => {
    const chosen = choose(input, frame);
    return chosen instanceof Promise
      ? chosen.then((known) => runChosen(known, input, frame))
      : runChosen(chosen, input, frame);
  };
}
