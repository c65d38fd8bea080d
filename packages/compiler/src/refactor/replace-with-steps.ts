import type { Command } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import type { Edit } from "../findings/rule.ts";
import { pipeSource, separatorOf } from "./layout.ts";
import { isIn, pipedReads, renumber } from "./piped-indexes.ts";
import { isStep, standsAlone } from "./refactoring.ts";
import { intoOwnPipe } from "./wrap-in-pipe.ts";

/**
 * The edits that put two steps where one command was: numbers of what follows move up. What isn't a step yet gets a pipe.
 *
 * @param steps as they are written where the command stands; they read what the command could read
 * @returns undefined where that can't be done
 */
export function replaceWithSteps(
  model: Model,
  command: Command,
  steps: readonly [string, string],
): Edit[] | undefined {
  const { document } = model;
  const { node, pipe, stepsRun } = command;
  // A comment is about the command as it is.
  if (!standsAlone(command)) return undefined;
  const { start, end } = node;
  if (!isStep(command)) {
    // In a pipe of its own it has other numbers for what it reads: too much at once.
    if (intoOwnPipe(model, command)?.length !== 0) return undefined;
    return [{ start, end, newText: pipeSource(document, start, steps) }];
  }
  const list = pipe?.argument;
  if (list?.kind !== "array") return undefined;
  const others = pipedReads(model, pipe)?.filter((read) => !isIn(read, node));
  const edits = renumber(model, others, (index) => (index > stepsRun ? index + 1 : index));
  return edits && [{ start, end, newText: steps.join(separatorOf(document, list, node)) }, ...edits];
}
