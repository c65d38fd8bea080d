import type { Command } from "../bind/bound-nodes.ts";
import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import { pointerTo } from "../findings/pointer.ts";
import { spanOf } from "../parse/document.ts";
import type { Span } from "../parse/syntax-tree.ts";
import { namedSymbols } from "./named-symbols.ts";
import type { Occurrence } from "./occurrence.ts";

/** Something to do or see, shown above a line. */
export type Lens =
  | {
      readonly kind: "run-step" | "run-pipe" | "run-poll" | "show-type" | "simulate" | "edit-jq";
      readonly span: Span;
      readonly pointer: string;
    }
  | {
      readonly kind: "references";
      readonly span: Span;
      readonly references: readonly Occurrence[];
    };

/** A program of more characters is hard to read on its one line. */
const LONG = 80;

function isLong({ key, program }: Command): boolean {
  return key === "!jq" && program !== undefined && program.node.value.length > LONG;
}

/** One "Run step" for each command, "Run pipe to here" for the steps of a pipe, "Run poll" for an intake, "Simulate" for intakes and workflows, "Edit jq" for long programs, and counts of uses. */
export const lensesOf: (model: Model) => readonly Lens[] = derived((model) => {
  const lenses: Lens[] = [];
  for (const command of model.commands) {
    const { node, member, parent } = command;
    const span = { start: member.key.start, end: member.key.end };
    const pointer = pointerTo(node);
    lenses.push({ kind: "run-step", span, pointer });
    if (parent?.key === "!pipe" && command.stepsRun > 0) lenses.push({ kind: "run-pipe", span, pointer });
    if (isLong(command)) lenses.push({ kind: "edit-jq", span, pointer });
    if (parent === undefined) lenses.push({ kind: "show-type", span, pointer });
  }
  for (const { type, node, nameNode } of model.intakes) {
    const { start, end } = nameNode ?? node;
    const lens = { span: { start, end }, pointer: pointerTo(node) };
    if (type === "polling") lenses.push({ kind: "run-poll", ...lens });
    lenses.push({ kind: "simulate", ...lens });
  }
  for (const { node, nameNode } of model.workflows) {
    const { start, end } = nameNode ?? node;
    lenses.push({ kind: "simulate", span: { start, end }, pointer: pointerTo(node) });
  }
  for (const { kind, declarations, references } of namedSymbols(model)) {
    if (kind !== "auth" && kind !== "intake" && kind !== "field") continue;
    for (const declaration of declarations)
      lenses.push({
        kind: "references",
        span: spanOf(model.document, declaration),
        references,
      });
  }
  return lenses.sort((a, b) => a.span.start - b.span.start);
});
