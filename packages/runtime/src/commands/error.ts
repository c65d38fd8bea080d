import type { AppCommand } from "@configc/compiler";
import { RunError } from "../errors.ts";
import type { Step } from "../step.ts";
import { literalOf } from "./argument.ts";

/** D26: stops with the app's own message. */
export function makeError(command: AppCommand): Step {
  const message = literalOf(command.argument);
  return () => {
    throw new RunError("AppError", typeof message === "string" ? message : "The app stopped.", command);
  };
}
