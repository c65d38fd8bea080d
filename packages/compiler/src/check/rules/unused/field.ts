import type { Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { FieldSymbol, JqProgram, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { workflowsOf } from "../../../bind/resolve.ts";
import { defineRule } from "../../../findings/rule.ts";
import { staticOptions } from "../../../flow/chosen.ts";
import { nodesIn, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { waysOf } from "../../../flow/protocol/forms.ts";
import type { StringPart } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
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

const terms =
  '{"id": "term", "label": "Valid for", "type": "dropdown", "options": [{"display": "A month", "value": "30"}, {"display": "A year", "value": "365"}]}';
const card = (days: string): string =>
  `{"!pipe": [{"!jq": "{email: .email, expires: (now + ${days} * 86400 | todate)}"}, {"!http": {"method": "POST", "path": "/lists/\${custom_data.list.value}/cards", "body": "\${piped_content.1}"}}]}`;

const unusedRequired = defineRule<{ id: string; label: string; fixed: string | undefined }>({
  id: "unused/required-field",
  severity: "warning",
  summary: "Customers must answer something that nothing reads",
  why: "A required field asks every customer for an answer, and the workflow does the same whatever they enter. Most often a constant stands where the answer should be read: all get one of the choices, whichever they took.",
  guards: ["field.id", "field.required", "select.form_fields", "expansion.custom_data"],
  message: ({ id, label, fixed }) =>
    fixed === undefined
      ? `Customers must fill in “${excerpt(label, 40)}”, and nothing reads \`${excerpt(id)}\`.`
      : `Customers choose “${excerpt(label, 40)}”, and nothing reads \`${excerpt(id)}\`. Its option \`${excerpt(fixed, 40)}\` stands here as a constant.`,
  because: ({ label, fixed }) => [
    `a customer answers “${excerpt(label, 40)}”`,
    fixed === undefined
      ? "the answer has no effect"
      : `the workflow takes \`${excerpt(fixed, 40)}\`, whatever was answered`,
  ],
  help: ({ id }) =>
    `Read \`\${custom_data.${excerpt(id)}.value}\` where the answer matters, or remove the field.`,
  examples: [
    {
      title: "One of its options is written as a constant",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: { "/workflows/0/setup/select/form_fields": `[${list}, ${terms}]` },
      bad: card("«365»"),
      good: card("(${custom_data.term.value} | tonumber)"),
    },
    {
      title: "No constant stands in its place",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields",
      with: {
        "/workflows/0/data_pipeline/target/!http/body":
          '{"fields": "${piped_content.0}", "note": "${custom_data.note.value}"}',
      },
      bad: `[${list}, {"id": "note", "label": "Note", "type": "textarea"}, {"id": «"code"», "label": "Code", "type": "textarea"}]`,
      good: `[${list}, {"id": "note", "label": "Note", "type": "textarea"}]`,
    },
  ],
});

const module: RuleModule = {
  rules: [unusedField, unusedRequired],
  checks: {
    document(model, report) {
      const unread = model.workflows.flatMap(unreadFields);
      if (unread.length === 0 || !areWorkflowsKnown(model) || !areIntakesResolved(model)) return;
      if (!isFormReadingResolved(model)) return;
      const whole = formsReadAsWhole(model);
      for (const field of unread) {
        const { id, idNode, workflow, required, node } = field;
        if (whole.has(workflow) || id === undefined || idNode === undefined) continue;
        const others = workflow.fields.filter((other) => other !== field);
        const read = others.filter(({ references }) => references.length > 0);
        const constant = required && read.length > 0 && isSegment(id) ? constantFor(field, model) : undefined;
        const label = textOf(node, "label") ?? id;
        if (constant !== undefined)
          report(unusedRequired, constant.at, { id, label, fixed: constant.fixed }, [
            { message: "the field", at: idNode },
          ]);
        // A form of which little is read is being written.
        else if (required && isFinished(field, others, read.length) && isSegment(id))
          report(unusedRequired, idNode, { id, label, fixed: undefined });
        else report(unusedField, idNode, { id });
      }
    },
  },
};
export default module;

/** Whether all other fields are read, so that a form isn't being written: several of them, or one where what may be chosen here is written out. */
const isFinished = (field: FieldSymbol, others: readonly FieldSymbol[], read: number): boolean =>
  read === others.length && (read > 1 || (read === 1 && staticOptions(field).length > 1));

/** The one place of the workflow where an option of a field is written as a constant. */
function constantFor(
  field: FieldSymbol,
  { programs }: Model,
): { readonly fixed: string; readonly at: StringPart } | undefined {
  const values = new Set(staticOptions(field).flatMap(({ value }) => (value === "" ? [] : [`${value}`])));
  if (values.size === 0) return undefined;
  const [only, ...others] = programs
    .filter(({ command: { unit } }) => workflowsOf(unit).includes(field.workflow))
    .flatMap((program) => {
      const places = placesIn(program);
      return nodesIn(program.tree.body).flatMap((node) => {
        if (places.has(node)) return [];
        const constant = node.kind === "Number" || node.kind === "String" ? constantOf(node) : undefined;
        const fixed = constant === undefined ? "" : `${constant}`;
        return values.has(fixed) ? [{ fixed, at: partAt(program, node) }] : [];
      });
    });
  return others.length === 0 ? only : undefined;
}

/** Numbers that count something else than an answer does: the cases of a `!switch`, `1` of `then 0 else 1`, and the items of a list, `[0]`. */
function placesIn(program: JqProgram): ReadonlySet<Node> {
  const indexes = nodesOfKind(program, "Index").map(({ index }) => index);
  const isSwitch = program.command.key === "!switch";
  return new Set<Node>([...indexes, ...(isSwitch ? waysOf(plainBody(program), program) : [])].map(inner));
}

const inner = (node: Node): Node => (node.kind === "Group" ? inner(node.body) : node);

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
