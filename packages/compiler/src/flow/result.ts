import type { Command } from "../bind/bound-nodes.ts";
import { plainBody } from "./plain-body.ts";

/** The commands whose output is the output of a command: the last step of a pipe that does more than give on, each case of a switch. */
export function resultsOf(command: Command): readonly Command[] {
  if (command.key !== "!pipe" && command.key !== "!switch") return [command];
  const found: Command[] = [];
  const pending = [command];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at.key === "!pipe") {
      const last = lastChild(at);
      if (last !== undefined) pending.push(last);
    } else if (at.key === "!switch")
      pending.push(...at.children.filter((child) => child !== undefined).reverse());
    else found.push(at);
  }
  return found;
}

const lastChild = ({ children }: Command): Command | undefined =>
  children.findLast((step) => step === undefined || !changesNothing(step)) ?? children.at(-1);

/** Whether what a command gives is what the outermost one around it gives, behind steps that change nothing. */
export function isResult(command: Command): boolean {
  for (let at = command; at.parent !== undefined; at = at.parent)
    if (at.parent.key === "!pipe" && lastChild(at.parent) !== at) return false;
  return true;
}

/** Whether a step certainly gives what it gets and changes nothing: `.`, a log entry, and a pipe of those. */
export function changesNothing({ key, program, children }: Command): boolean {
  if (key === "!print_c") return true;
  if (key === "!jq") return program !== undefined && plainBody(program).kind === "Identity";
  return key === "!pipe" && children.every((step) => step !== undefined && changesNothing(step));
}
