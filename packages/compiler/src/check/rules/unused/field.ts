import type { FieldSymbol, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isSegment } from "../../../parse/template.ts";
import type { RuleModule } from "../../checks.ts";
import { removeItem } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";
import { memberOf, valueAt } from "../http/at.ts";
import { formsReadAsWhole, isFormReadingResolved } from "./form-readers.ts";
import { areIntakesResolved, areWorkflowsKnown } from "./readers.ts";

const list =
  '{"id": "list", "label": "List", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}';

const unusedField = defineRule<{ id: string }>({
  id: "unused/field",
  severity: "hint",
  tag: "unnecessary",
  summary: "Nothing reads this form field",
  why: "Customers are asked for something that has no effect. Either the expansion that should carry their answer is missing, or the field is left over.",
  guards: ["field.id", "select.form_fields", "expansion.custom_data"],
  message: ({ id }) =>
    `Nothing reads the form field \`${excerpt(id)}\`, so what customers enter has no effect.`,
  help: ({ id }) =>
    isSegment(id)
      ? `Read it as \`\${custom_data.${excerpt(id)}.value}\`, or remove it.`
      : "Give it an id that an expansion can name and read it, or remove it.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields",
      with: { "/workflows/0/data_pipeline/target/!http/body": '{"fields": "${piped_content.0}"}' },
      bad: `[${list}, {"id": «"note"», "label": "Note", "type": "textarea", "required": false}]`,
      good: `[${list}]`,
      fixed: `[${list}]`,
    },
  ],
  fixes: ({ at, args }, { document }) => {
    const field = memberOf(valueAt(document, at))?.parent;
    // A form without fields would be the next mistake.
    if (field?.parent?.kind !== "array" || field.parent.items.length < 2) return [];
    const edits = [removeItem(document, field.parent, field)];
    return [{ title: `Remove the field \`${excerpt(args.id, 40)}\``, safe: false, edits }];
  },
});

const module: RuleModule = {
  rules: [unusedField],
  checks: {
    document(model, report) {
      const unread = model.workflows.flatMap(unreadFields);
      if (unread.length === 0 || !areWorkflowsKnown(model) || !areIntakesResolved(model)) return;
      if (!isFormReadingResolved(model)) return;
      const whole = formsReadAsWhole(model);
      for (const { id, idNode, workflow } of unread) {
        if (!whole.has(workflow) && id !== undefined && idNode !== undefined)
          report(unusedField, idNode, { id });
      }
    },
  },
};
export default module;

/** Of two with one id the second can't be read, which is reported. */
function unreadFields({ fields }: WorkflowSymbol): readonly FieldSymbol[] {
  if (fields.every(({ references }) => references.length > 0)) return [];
  const uses = new Map<string | undefined, number>();
  for (const { id } of fields) uses.set(id, (uses.get(id) ?? 0) + 1);
  return fields.filter(
    ({ id, idNode, references }) =>
      references.length === 0 &&
      id !== undefined &&
      id !== "" &&
      idNode?.valid === true &&
      uses.get(id) === 1,
  );
}
