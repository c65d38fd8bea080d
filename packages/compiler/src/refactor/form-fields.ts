import type { FieldSymbol, WorkflowSymbol } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import { capitalized } from "../check/message-text.ts";
import type { Edit } from "../findings/rule.ts";
import { addItem, addMemberSource } from "./layout.ts";

/** A form field to be added, as it is written in the document. */
interface NewField {
  readonly label: string;
  readonly id: string;
  readonly type: string;
  readonly [member: string]: unknown;
}

/**
 * The edit that adds a field to a workflow's form, with a form where there is none yet.
 *
 * @param behind the field before it; the last one if it is left out
 */
export function addField(
  { document }: Model,
  workflow: WorkflowSymbol,
  field: NewField,
  behind?: FieldSymbol,
): Edit | undefined {
  const setup = workflow.node.get("setup");
  if (setup?.kind !== "object") return undefined;
  const select = setup.get("select");
  if (select === undefined)
    return addMemberSource(document, setup, "select", { label: "Choose", form_fields: [field] });
  if (select.kind !== "object") return undefined;
  const fields = select.get("form_fields");
  if (fields === undefined) return addMemberSource(document, select, "form_fields", [field]);
  return fields.kind === "array" ? addItem(document, fields, field, behind?.node) : undefined;
}

/** A label of words, and an id after it that no other field of the workflow has. */
export function nameField(
  { fields }: WorkflowSymbol,
  wish: string,
): { readonly label: string; readonly id: string } {
  const words = wish
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
  const base = words.length === 0 ? ["choice"] : words;
  const taken = new Set(fields.map(({ id }) => id));
  for (let number = 1; ; number++) {
    const all = number === 1 ? base : [...base, `${number}`];
    const id = all.join("-");
    if (taken.has(id)) continue;
    const label = all.join(" ");
    return { id, label: capitalized(label) };
  }
}
