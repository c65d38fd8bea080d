import type { Command } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";

/** The outermost commands by their node, to find what stands at a member: `outermost(model).get(node)`. */
export const outermost = derived((model): ReadonlyMap<JsonNode, Command> => {
  const found = new Map<JsonNode, Command>();
  for (const command of model.commands) if (command.parent === undefined) found.set(command.node, command);
  return found;
});

/** A command and all in it; undefined if a part of it couldn't be understood. */
export function allIn(command: Command): readonly Command[] | undefined {
  const all: Command[] = [command];
  // The list grows while it is walked through.
  for (const { children } of all) {
    for (const child of children) {
      if (child === undefined) return undefined;
      all.push(child);
    }
  }
  return all;
}
