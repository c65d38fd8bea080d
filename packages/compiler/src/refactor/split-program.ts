import type { Edit } from "../findings/rule.ts";
import { decodedOffset } from "../parse/string-map.ts";
import { isClosed, isConstantInTime, isJqStep, partGivesOne, stagesOf, withProgram } from "./programs.ts";
import type { Refactor } from "./refactoring.ts";
import { replaceWithSteps } from "./replace-with-steps.ts";

/** Makes two steps of a program, at the `|` nearest to the cursor. */
export const splitProgram: Refactor = ({ model, command, range }) => {
  if (!isJqStep(command)) return [];
  const { program } = command;
  const { node } = program;
  if (range.start < node.start || node.end < range.end) return [];
  const stages = stagesOf(program);
  const at = decodedOffset(model.document.text, node, range.start);
  const text = node.value;
  const cuts = stages.slice(1).flatMap((next, index) => {
    const before = stages[index]!;
    const isExpression = !["Binding", "Definition", "Label"].includes(before.kind);
    return isExpression ? [{ end: before.end, next: next.start }] : [];
  });
  const nearest = cuts.toSorted((a, b) => distance(a, at) - distance(b, at))[0];
  // A comment between the two could be about either.
  if (nearest === undefined || text.slice(nearest.end, nearest.next).trim() !== "|") return [];
  const { end, next } = nearest;
  if (!isConstantInTime(program.tree) || !isClosed(program, next, text.length)) return [];
  if (!partGivesOne(model, program, 0, end)) return [];
  const edits: readonly Edit[] | undefined = replaceWithSteps(model, command, [
    withProgram(model, command, text.slice(0, end)),
    withProgram(model, command, text.slice(next)),
  ]);
  return edits === undefined
    ? []
    : [{ title: "Split the program at `|` into two steps", kind: "extract", edits }];
};

function distance({ end, next }: { readonly end: number; readonly next: number }, at: number): number {
  return at < end ? end - at : at > next ? at - next : 0;
}
