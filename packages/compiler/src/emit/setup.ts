import type { FieldSymbol, WorkflowSymbol } from "../bind/bound-nodes.ts";
import { defaultGroup } from "../bind/default-group.ts";
import { type JsonNode, type ObjectNode, textOf, toJson } from "../parse/syntax-tree.ts";
import type { AppField, AppMap, AppOptions, AppReview, AppSchedule, AppSetup } from "./app.ts";
import { commandIdOf, type EmitContext, optional, placeOf } from "./context.ts";
import { objectAt } from "./values.ts";

/** The guided setup (D43): the steps that are there. */
export function emitSetup({ node, fields }: WorkflowSymbol, context: EmitContext): AppSetup {
  const setup = objectAt(node, "setup");
  const step = (name: string) => objectAt(setup, name);
  return {
    ...optional("connect", connect(step("connect"), context)),
    ...optional("select", select(step("select"), fields, context)),
    ...optional("map", map(step("map"), context)),
    ...optional("schedule", schedule(step("schedule"))),
    ...optional("reviewEvents", review(step("review_events"))),
    ...optional("reviewObjects", review(step("review_objects"))),
  };
}

function labelOf(node: ObjectNode | undefined): string {
  return textOf(node, "label") ?? "";
}

function connect(node: ObjectNode | undefined, context: EmitContext): AppSetup["connect"] {
  if (node === undefined) return undefined;
  return {
    label: labelOf(node),
    ...optional("helpText", textOf(node, "help_text")),
    ...optional("describeConnection", commandIdOf(node.get("describe_connection"), context)),
  };
}

function select(
  node: ObjectNode | undefined,
  fields: readonly FieldSymbol[],
  context: EmitContext,
): AppSetup["select"] {
  if (node === undefined) return undefined;
  const selection = objectAt(node, "describe_selection");
  return {
    label: labelOf(node),
    fields: fields.map((field) => emitField(field, context)).filter((field) => field !== undefined),
    ...optional("resourceId", commandIdOf(selection?.get("resource_id"), context)),
    ...optional("display", commandIdOf(selection?.get("display"), context)),
  };
}

const fieldTypes = ["text", "textarea", "dropdown", "multiselect"] as const;

/** A field without an id can't be filled in. One whose type is unknown is a plain text. */
function emitField({ id, node, type, required }: FieldSymbol, context: EmitContext): AppField | undefined {
  if (id === undefined) return undefined;
  return {
    ...placeOf(node),
    id,
    label: labelOf(node),
    type: fieldTypes.find((known) => known === type) ?? "text",
    required,
    ...optional("placeholder", textOf(node, "placeholder")),
    ...optional("helpText", textOf(node, "help_text")),
    ...optional("searchTerm", textOf(node, "search_term")),
    ...optional("personalize", textOf(node, "personalize")),
    ...optional("options", options(node.get("options"), context)),
  };
}

function options(node: JsonNode | undefined, context: EmitContext): AppOptions | undefined {
  const command = commandIdOf(node, context);
  if (command !== undefined) return { command };
  return node?.kind === "array" ? { items: node.items.map(toJson) } : undefined;
}

function map(node: ObjectNode | undefined, context: EmitContext): AppMap | undefined {
  if (node === undefined) return undefined;
  const side = (name: string) => {
    const object = objectAt(node, name);
    return { label: labelOf(object), ...optional("options", options(object?.get("options"), context)) };
  };
  return {
    ...placeOf(node),
    label: labelOf(node),
    source: side("describe_source"),
    target: side("describe_target"),
    ...optional("defaultGroup", defaultGroup(node)),
  };
}

function schedule(node: ObjectNode | undefined): AppSchedule | undefined {
  if (node === undefined) return undefined;
  const listed = node.get("import_options");
  const frequency = node.get("frequency");
  const importOptions: { label: string; type: "recurring" | "single" }[] = [];
  for (const item of listed?.kind === "array" ? listed.items : []) {
    const type = textOf(item, "type");
    if (item.kind === "object" && (type === "recurring" || type === "single"))
      importOptions.push({ label: labelOf(item), type });
  }
  return {
    label: labelOf(node),
    description: textOf(node, "description") ?? "",
    importOptions,
    frequency: frequency?.kind === "number" && frequency.value > 0 ? frequency.value : DEFAULT_FREQUENCY,
  };
}

/** The only one that the specification knows. */
const DEFAULT_FREQUENCY = 1800;

function review(node: ObjectNode | undefined): AppReview | undefined {
  if (node === undefined) return undefined;
  return {
    ...optional("label", textOf(node, "label")),
    ...optional("header", textOf(node, "header")),
    ...optional("description", textOf(node, "description")),
  };
}
