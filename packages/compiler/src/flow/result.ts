import type { Command } from "../bind/bound-nodes.ts";

/** The commands whose output is the output of a command: the last step of a pipe, each case of a switch. */
export function resultsOf(command: Command): readonly Command[] {
  if (command.key !== "!pipe" && command.key !== "!switch") return [command];
  const found: Command[] = [];
  const pending = [command];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at.key === "!pipe") {
      const last = at.children.at(-1);
      if (last !== undefined) pending.push(last);
    } else if (at.key === "!switch")
      pending.push(...at.children.filter((child) => child !== undefined).reverse());
    else found.push(at);
  }
  return found;
}
