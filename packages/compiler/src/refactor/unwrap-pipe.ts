import type { Command } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import type { Edit } from "../findings/rule.ts";
import { indentationAt, reindent, sourceOf } from "./layout.ts";
import { pipedReads, renumber } from "./piped-indexes.ts";
import { isStep, type Refactor, type Refactoring, standsAlone } from "./refactoring.ts";

/** Takes the steps out of a `!pipe`: into the pipe around it, or its one step to where it stands. */
export const unwrapPipe: Refactor = ({ model, command }) => {
  // The pipe itself, or the one whose steps the cursor is in.
  const pipe = command.key === "!pipe" ? command : isStep(command) ? command.pipe : undefined;
  if (pipe === undefined || !standsAlone(pipe) || pipe.argument?.kind !== "array") return [];
  const { children, argument } = pipe;
  if (children.length === 0 || children.includes(undefined)) return [];
  const edits = isStep(pipe) ? intoOuter(model, pipe, pipe.pipe!) : ofOneStep(model, pipe);
  if (edits === undefined) return [];
  const [first, last] = [argument.items[0]!, argument.items.at(-1)!];
  const { document } = model;
  const within = { start: first.start, end: last.end };
  const inner = edits.filter(({ start, end }) => within.start <= start && end <= within.end);
  const outer = edits.filter((edit) => !inner.includes(edit));
  const { start, end } = pipe.node;
  const newText = reindent(
    sourceOf(document, within, inner),
    indentationAt(document.text, first.start),
    indentationAt(document.text, start),
  );
  const title =
    isStep(pipe) && children.length > 1 ? "Join the `!pipe` with the one around it" : "Unwrap the `!pipe`";
  return [{ title, kind: "rewrite", edits: [{ start, end, newText }, ...outer] } satisfies Refactoring];
};

/** Its steps become steps of the pipe around: their numbers, and those of what follows, move up. */
function intoOuter(model: Model, pipe: Command, outer: Command): Edit[] | undefined {
  const { stepsRun, children } = pipe;
  const own = renumber(model, pipedReads(model, pipe), (index) => index + stepsRun);
  const others = renumber(model, pipedReads(model, outer), (index) =>
    index > stepsRun ? index + children.length - 1 : index,
  );
  return own === undefined || others === undefined ? undefined : [...own, ...others];
}

/** What its one step reads as the pipe's input is what the step takes then. */
function ofOneStep(model: Model, pipe: Command): Edit[] | undefined {
  if (pipe.children.length !== 1) return undefined;
  const { stepsRun, place } = pipe;
  const isOffered = pipe.pipe !== undefined || place.roots.includes("piped_content");
  return renumber(model, pipedReads(model, pipe), (index) =>
    index === 0 && isOffered ? stepsRun : undefined,
  );
}
