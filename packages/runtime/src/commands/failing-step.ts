import type { AppCommand } from "@configc/compiler";
import { RunError } from "../errors.ts";
import type { Step } from "../step.ts";

/** A command whose argument isn't what it takes: it fails when it is reached. */
export function failingStep(command: AppCommand, reason: string): Step {
  return () => {
    throw new RunError(
      "NotSupported",
      `${command.key} can't run: ${reason}. \`configc check\` says more.`,
      command,
    );
  };
}
