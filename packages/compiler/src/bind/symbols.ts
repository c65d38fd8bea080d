import { saveScopes } from "../language/commands/save.ts";
import { intake as intakeVariants } from "../language/sections/intake.ts";
import type { JsonNode, MemberNode, ObjectNode } from "../parse/syntax-tree.ts";
import { textOf } from "../parse/syntax-tree.ts";
import type { AuthSymbol, FieldSymbol, IntakeSymbol, WorkflowSymbol } from "./bound-nodes.ts";
import { directionOf } from "./direction.ts";
import { likely, variantOf } from "./variant.ts";

/** What is declared, as it is before anything is resolved: references are added by the binder, and after it. */

export function authSymbol(member: MemberNode): AuthSymbol {
  const fields = member.value?.kind === "object" ? member.value.get("defined_fields") : undefined;
  return {
    kind: "auth",
    name: member.name,
    member,
    node: member.value,
    type: textOf(member.value, "type"),
    hasSubdomain: fields?.kind === "object" && fields.member("subdomain") !== undefined,
    references: [],
  };
}

export function intakeSymbol(node: ObjectNode): IntakeSymbol {
  const { is } = variantOf(intakeVariants, node);
  const scope = likely(textOf(node, "scope"), saveScopes);
  const nameNode = node.get("name");
  return {
    kind: "intake",
    name: textOf(node, "name"),
    nameNode: nameNode?.kind === "string" ? nameNode : undefined,
    node,
    index: 0,
    type: is === "webhook" || is === "polling" ? is : undefined,
    scope,
    commands: new Map(),
    references: [],
  };
}

export function workflowSymbol(node: ObjectNode): WorkflowSymbol {
  const nameNode = node.get("name");
  return {
    kind: "workflow",
    name: textOf(node, "name"),
    nameNode: nameNode?.kind === "string" ? nameNode : undefined,
    node,
    index: 0,
    direction: directionOf(node),
    auth: undefined,
    intake: undefined,
    historicalIntake: undefined,
    fields: [],
    maps: [],
  };
}

export function fieldSymbol(node: ObjectNode, workflow: WorkflowSymbol): FieldSymbol {
  const idNode = node.get("id");
  return {
    kind: "field",
    id: textOf(node, "id"),
    idNode: idNode?.kind === "string" ? idNode : undefined,
    node,
    index: workflow.fields.length,
    workflow,
    type: textOf(node, "type"),
    required: !isFalse(node.get("required")),
    references: [],
  };
}

/** `"false"` too: that it is a string is a mistake of its own, and what it means is clear. */
function isFalse(node: JsonNode | undefined): boolean {
  return (node?.kind === "boolean" || node?.kind === "string") && `${node.value}` === "false";
}
