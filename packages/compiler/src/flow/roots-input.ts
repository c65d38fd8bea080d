import { type DemandedPath, demandedPaths } from "@configc/jq";
import type { Command, JqProgram } from "../bind/model.ts";

/** Whether a command's input is the object of the roots legal there (D16): it is in no pipe, or the first step of one. */
export function takesRoots(command: Command): boolean {
  let at = command;
  while (at.parent !== undefined) {
    if (at.parent.key === "!pipe" && at.stepsRun > 0) return false;
    at = at.parent;
  }
  return at.place.input === "roots";
}

const cache = new WeakMap<JqProgram["tree"], readonly DemandedPath[]>();

/** The paths below the roots that a program reads, such as `.custom_data.form.value`; none if its input is another value. */
export function rootPaths(program: JqProgram): readonly DemandedPath[] {
  if (!takesRoots(program.command)) return [];
  let paths = cache.get(program.tree);
  if (paths === undefined) {
    paths = demandedPaths(program.tree);
    cache.set(program.tree, paths);
  }
  return paths;
}
