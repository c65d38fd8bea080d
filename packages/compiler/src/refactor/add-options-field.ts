import type { Model } from "../bind/model.ts";
import type { Span } from "../parse/syntax-tree.ts";
import { addField, nameField } from "./form-fields.ts";
import type { Refactoring } from "./refactoring.ts";

/** Adds a form field whose choices a request gives, where the form is. The rest of the program stays what it was. */
export function addOptionsField(model: Model, range: Span): readonly Refactoring[] {
  const workflow = model.workflows.find(({ node }) => node.start <= range.start && range.end <= node.end);
  const setup = workflow?.node.get("setup");
  const select = setup?.kind === "object" ? setup.member("select") : undefined;
  if (workflow === undefined || select === undefined || range.start < select.start || select.end < range.end)
    return [];
  const { fields } = workflow;
  const behind = fields.findLast(({ node }) => node.start <= range.start);
  const { id, label } = nameField(workflow, "choice");
  const edit = addField(
    model,
    workflow,
    {
      label,
      id,
      type: "dropdown",
      required: false,
      options: {
        "!pipe": [
          { "!http": { method: "GET", path: `/${id}s` } },
          { "!jq": "[.items[] | {display: .name, value: .id}]" },
        ],
      },
    },
    behind,
  );
  return edit === undefined
    ? []
    : [{ title: "Add a form field with its options", kind: "rewrite", edits: [edit] }];
}
