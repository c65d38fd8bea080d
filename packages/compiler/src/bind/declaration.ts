import type { Section } from "../language/index.ts";
import type { ObjectNode, StringNode } from "../parse/syntax-tree.ts";
import { textOf } from "../parse/syntax-tree.ts";
import type { BindingContext } from "./binding-context.ts";
import type { Part } from "./part.ts";
import { fieldSymbol, intakeSymbol, workflowSymbol } from "./symbols.ts";

/** What sections declare, and what workflows refer to by name. */

/**
 * Adds what a section declares to its part of the model, or to the workflow around it.
 *
 * @returns where the section's members stand
 */
export function declare(
  kind: Exclude<NonNullable<Section["declares"]>, "api">,
  node: ObjectNode,
  at: BindingContext,
  part: Part,
): BindingContext {
  switch (kind) {
    case "intake": {
      const intake = intakeSymbol(node);
      part.intakes.push(intake);
      return { ...at, unit: intake };
    }
    case "workflow": {
      const workflow = workflowSymbol(node);
      part.workflows.push(workflow);
      return { ...at, unit: workflow, direction: workflow.direction };
    }
    case "field": {
      if (at.unit?.kind !== "workflow") return at;
      const field = fieldSymbol(node, at.unit);
      at.unit.fields.push(field);
      return { ...at, field };
    }
    case "map":
      if (at.unit?.kind === "workflow") at.unit.maps.push({ kind: "map", workflow: at.unit, node });
      return at;
    case "object":
      part.objects.push({ kind: "object", name: textOf(node, "name"), node });
      return at;
  }
}

/** The name of an auth entry or intake, in the workflow that uses it. */
export function refer(node: StringNode, { unit: workflow }: BindingContext): void {
  if (workflow?.kind !== "workflow" || node.parent?.kind !== "member") return;
  const common = { name: node.value, node, workflow, target: undefined, exact: false };
  const member = node.parent.name;
  if (member === "auth") workflow.auth = { ...common, member };
  else if (member === "data_intake") workflow.intake = { ...common, member };
  else if (member === "historical_data_intake") workflow.historicalIntake = { ...common, member };
}
