import type { Command } from "./bound-nodes.ts";

/** The command that stands at a member of the config: the one around all others around this one, or itself. */
export function outermostCommand(command: Command): Command {
  let at = command;
  while (at.parent !== undefined) at = at.parent;
  return at;
}
