import { nearest } from "@configc/jq";
import type { Expansion, FieldSymbol, IntakeSymbol, Model, Reference, WorkflowSymbol } from "./model.ts";

/** Binds names to declarations, now that all of them are known: references of workflows, then fields of expansions. */
export function resolve(model: Model): void {
  for (const workflow of model.workflows) {
    if (workflow.auth !== undefined) link(workflow.auth, model.auths);
    if (workflow.intake !== undefined) link(workflow.intake, model.intakes);
    if (workflow.historicalIntake !== undefined) link(workflow.historicalIntake, model.intakes);
  }
  for (const expansion of model.expansions) if (expansion.root === "custom_data") resolveField(expansion);
}

function link<S extends { readonly name: string | undefined; readonly references: Reference<S>[] }>(
  reference: Reference<S>,
  symbols: readonly S[],
): void {
  const exact = symbols.find(({ name }) => name === reference.name);
  const near = exact ?? symbolNearest(reference.name, symbols, ({ name }) => name);
  reference.exact = exact !== undefined;
  reference.target = near;
  near?.references.push(reference);
}

function resolveField(expansion: Expansion): void {
  const segment = expansion.syntax.path[1];
  if (segment === undefined) return;
  const found = workflowsOf(expansion.unit).map((workflow) => fieldOf(workflow, segment.text));
  expansion.fields = found.flatMap(({ field }) => (field === undefined ? [] : [field]));
  expansion.fieldExact = found.every(({ exact }) => exact);
  for (const { references } of expansion.fields) {
    references.push({ node: expansion.node, from: segment.start, to: segment.end });
  }
}

/** The field of that id, or the nearest one. */
export function fieldOf(
  workflow: WorkflowSymbol,
  id: string,
): { field: FieldSymbol | undefined; exact: boolean } {
  const exact = workflow.fields.find((field) => field.id === id);
  if (exact !== undefined) return { field: exact, exact: true };
  return { field: symbolNearest(id, workflow.fields, (field) => field.id), exact: false };
}

/** The workflows whose fields an expansion in this unit can read: the workflow itself, or those that use the intake. */
export function workflowsOf(unit: Expansion["unit"]): readonly WorkflowSymbol[] {
  if (unit?.kind === "workflow") return [unit];
  return unit?.kind === "intake" ? usersOf(unit) : [];
}

/** The workflows that use an intake, each once, in document order. */
export function usersOf(intake: IntakeSymbol): readonly WorkflowSymbol[] {
  return [...new Set(intake.references.map(({ workflow }) => workflow))];
}

function symbolNearest<S>(
  name: string,
  symbols: readonly S[],
  nameOf: (symbol: S) => string | undefined,
): S | undefined {
  const names = symbols.flatMap((symbol) => nameOf(symbol) ?? []);
  const near = nearest(name, names);
  return near === undefined ? undefined : symbols.find((symbol) => nameOf(symbol) === near);
}
