import type { Command } from "../bind/bound-nodes.ts";
import { changesNothing } from "./result.ts";

/**
 * A command without what changes nothing: pipes within pipes are one, steps that only give on are gone, and a pipe of one step is that step.
 * Rules that ask what a place does ask this, so that they see the same in every spelling. Of a pipe it may be a copy, with the real steps.
 */
export function plainCommand(command: Command): Command {
  if (command.key !== "!pipe") return command;
  const steps = plainSteps(command);
  const [only, ...others] = steps;
  if (only === undefined && steps.length === 0) return command.children.at(-1) ?? command;
  if (only !== undefined && others.length === 0) return only;
  const isSame =
    steps.length === command.children.length &&
    steps.every((step, index) => step === command.children[index]);
  return isSame ? command : { ...command, children: steps };
}

function plainSteps({ children }: Command): (Command | undefined)[] {
  return children.flatMap((step) => {
    if (step === undefined) return [step];
    if (changesNothing(step)) return [];
    return step.key === "!pipe" ? plainSteps(step) : [step];
  });
}
