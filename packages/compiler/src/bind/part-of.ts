import type { IntakeSymbol, WorkflowSymbol } from "./bound-nodes.ts";
import { derived } from "./derived.ts";
import type { Model } from "./model.ts";
import type { Part } from "./part.ts";

const parts = derived(
  (model) =>
    new Map(
      model.parts.flatMap((part) =>
        [...part.intakes, ...part.workflows].map((unit) => [unit, part] as const),
      ),
    ),
);

/** The part in which an intake or workflow stands: rules that are asked for each one look there, not through the document. */
export function partOf(unit: IntakeSymbol | WorkflowSymbol, model: Model): Part | undefined {
  return parts(model).get(unit);
}
