import type { Command } from "../bind/bound-nodes.ts";
import { plainBody } from "./plain-body.ts";
import { resultsOf } from "./result.ts";

/** Whether a step gives what it gets, or stops: a log entry, `.`, and a `!switch` that refuses or gives that. */
export function givesOn(step: Command): boolean {
  if (step.key === "!print_c") return true;
  if (step.key === "!jq") return step.program !== undefined && plainBody(step.program).kind === "Identity";
  return (
    step.key === "!switch" &&
    resultsOf(step).every((each) => each.key === "!error" || (each.parent === step && givesOn(each)))
  );
}
