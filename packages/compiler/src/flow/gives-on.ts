import type { Command } from "../bind/bound-nodes.ts";
import { changesNothing, resultsOf } from "./result.ts";

/** Whether a step gives what it gets, or stops: a log entry, `.`, and a `!switch` that refuses or gives that. */
export function givesOn(step: Command): boolean {
  return (
    changesNothing(step) ||
    (step.key === "!switch" &&
      resultsOf(step).every((each) => each.key === "!error" || (each.parent === step && givesOn(each))))
  );
}
