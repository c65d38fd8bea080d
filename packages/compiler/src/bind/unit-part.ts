import type { SyntaxNode } from "../parse/syntax-tree.ts";
import type { IntakeSymbol, WorkflowSymbol } from "./bound-nodes.ts";
import { derived } from "./derived.ts";
import type { Model } from "./model.ts";
import { emptyPart, type Part } from "./part.ts";

/**
 * The part that an intake or a workflow stands in, with all that was bound in it. What is asked of one unit is looked for there:
 * a look at the whole document for each of its units takes a time that grows with their square.
 *
 * Where a list at the top isn't one, its units share a part, so look at `unit` of what is found.
 */
export function partOfUnit(unit: IntakeSymbol | WorkflowSymbol, model: Model): Part {
  return partsByUnit(model).get(unit) ?? nothing;
}

const nothing = emptyPart(undefined);

/** The part that a node stands in; undefined for what stands between the items. */
export function partAround(node: SyntaxNode, model: Model): Part | undefined {
  const parts = partsByItem(model);
  for (let at: SyntaxNode | undefined = node; at !== undefined; at = at.parent) {
    const part = parts.get(at);
    if (part !== undefined) return part;
  }
  return undefined;
}

const partsByItem = derived(({ parts }): ReadonlyMap<SyntaxNode, Part> => {
  const found = new Map<SyntaxNode, Part>();
  for (const part of parts) if (part.item !== undefined) found.set(part.item.node, part);
  return found;
});

const partsByUnit = derived(({ parts }): ReadonlyMap<IntakeSymbol | WorkflowSymbol, Part> => {
  const found = new Map<IntakeSymbol | WorkflowSymbol, Part>();
  for (const part of parts) for (const unit of [...part.intakes, ...part.workflows]) found.set(unit, part);
  return found;
});
