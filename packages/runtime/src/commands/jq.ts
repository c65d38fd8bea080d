import type { AppCommand } from "@configc/compiler";
import { compileProgram } from "../program.ts";
import type { Step } from "../step.ts";
import { failingStep } from "./failing-step.ts";

/** D23 */
export function makeJq(command: AppCommand): Step {
  return command.program === undefined
    ? failingStep(command, "its program isn't a string")
    : compileProgram(command.program, command);
}
