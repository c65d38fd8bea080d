import type { AppCommand } from "@configc/compiler";
import { compileProgram } from "../program.ts";
import type { Step } from "../step.ts";
import { unreadable } from "./unreadable.ts";

/** D23 */
export function makeJq(command: AppCommand): Step {
  return command.program === undefined
    ? unreadable(command, "its program isn't a string")
    : compileProgram(command.program, command);
}
