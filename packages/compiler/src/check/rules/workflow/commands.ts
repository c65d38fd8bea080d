import type { Command } from "../../../bind/bound-nodes.ts";

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
