import type { Command } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import type { Edit } from "../findings/rule.ts";
import { pipeSource, sourceOf } from "./layout.ts";
import { isIn, pipedReads, renumber } from "./piped-indexes.ts";
import type { Refactor } from "./refactoring.ts";

/** Puts a command into a `!pipe` of its own. */
export const wrapInPipe: Refactor = ({ model, command }) => {
  if (command.key === "!pipe") return [];
  const edits = intoOwnPipe(model, command);
  if (edits === undefined) return [];
  const { start, end } = command.node;
  const newText = pipeSource(model.document, start, [sourceOf(model.document, command.node, edits)]);
  return [{ title: "Wrap in a `!pipe`", kind: "rewrite", edits: [{ start, end, newText }] }];
};

/**
 * What has to change in a command that becomes the first step of a pipe: what it took is that pipe's input (D14).
 *
 * @returns undefined where it reads a value that has no number there
 */
export function intoOwnPipe(model: Model, command: Command): Edit[] | undefined {
  const { pipe, stepsRun, node } = command;
  const reads = pipedReads(model, pipe)?.filter((read) => isIn(read, node));
  return renumber(model, reads, (index) => (index === stepsRun ? 0 : undefined));
}
