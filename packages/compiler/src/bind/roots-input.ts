import { type DemandedPath, demandedPaths } from "@configc/jq";
import type { Command, JqProgram } from "./bound-nodes.ts";
import { derivedFromText } from "./derived.ts";

/** Whether a command's input is the object of the roots legal there (D16): it is in no pipe, or the first step of one. */
export function takesRoots(command: Command): boolean {
  let at = command;
  while (at.parent !== undefined) {
    if (at.parent.key === "!pipe" && at.stepsRun > 0) return false;
    at = at.parent;
  }
  return at.place.input === "roots";
}

/** The paths below its input that a program reads. */
export const pathsOf = derivedFromText((tree) => demandedPaths(tree));

/** The paths below the roots that a program reads, such as `.custom_data.form.value`; none if its input is another value. */
export function rootPaths(program: JqProgram): readonly DemandedPath[] {
  return takesRoots(program.command) ? pathsOf(program) : [];
}
