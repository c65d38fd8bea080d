import { type Type, types } from "@configc/jq";
import { itemType } from "@configc/jq/internal";
import type { Command, FieldSymbol } from "../bind/bound-nodes.ts";
import type { JsonNode } from "../parse/syntax-tree.ts";
import { objectItems } from "../parse/syntax-tree.ts";
import { optionValue } from "./contracts.ts";
import type { TypeFlow } from "./type-flow.ts";
import { violates } from "./violation.ts";

export type FieldAttribute = "value" | "display";

/** The type of what a customer fills in (D12): for a static list of options, one of their values. */
export function fieldType(field: FieldSymbol, attribute: FieldAttribute, flow: TypeFlow): Type {
  switch (field.type) {
    case "textarea":
      return types.string;
    case "text":
      // What is typed is a string; what is chosen from a list that the field may have is the option's value.
      return types.union(types.string, chosen(field, attribute, flow) ?? types.string);
    case "dropdown":
      return chosen(field, attribute, flow) ?? types.unknown;
    case "multiselect":
      return types.array(chosen(field, attribute, flow) ?? types.unknown);
    default:
      return types.unknown;
  }
}

/** What the options of a field offer; undefined without options. */
function chosen(field: FieldSymbol, attribute: FieldAttribute, flow: TypeFlow): Type | undefined {
  const options = field.node.get("options");
  if (options === undefined) return undefined;
  if (options.kind === "array") {
    const offered = objectItems(options).map((option) => option.get(attribute));
    if (offered.length > 0) return types.union(...offered.map(scalarType));
    // An empty list is a finding of its own; a text can be typed all the same.
    return field.type === "text" ? types.string : types.unknown;
  }
  const command = flow.commandAt(options);
  return command === undefined ? types.unknown : offeredBy(command, attribute, flow);
}

function offeredBy(command: Command, attribute: FieldAttribute, flow: TypeFlow): Type {
  const parts = types.partsOf(itemType(flow.output(command))).map((option) => {
    if (option.kind !== "object") return types.unknown;
    const type = option.members.get(attribute)?.type ?? option.rest ?? types.unknown;
    // What no option may have is told of at the options, and not wherever it is read.
    return violates(type, optionValue) ? types.unknown : type;
  });
  return parts.length === 0 ? types.unknown : types.union(...parts);
}

function scalarType(node: JsonNode | undefined): Type {
  switch (node?.kind) {
    case "string":
    case "number":
    case "boolean":
      return types.literal(node.value);
    default:
      return types.unknown;
  }
}
