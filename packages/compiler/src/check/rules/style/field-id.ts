import type { FieldSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { defineRule, type Finding, type Fix, type FixContext } from "../../../findings/rule.ts";
import { isSegment } from "../../../parse/template.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceValue } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";
import { renameFix } from "../expansion/edits.ts";
import { formsReadAsWhole, isFormReadingResolved } from "../unused/form-readers.ts";
import { kebab } from "./slug.ts";

type Args = { id: string; suggestion: string };

const list = (id: string) =>
  `{"label": "List", "form_fields": [{"id": ${id}, "label": "List", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}, {"id": "note", "label": "Note", "type": "textarea", "required": false}`;

const fieldId = defineRule<Args>({
  id: "style/field-id",
  severity: "hint",
  summary: "A form field's id has capital letters",
  why: "Ids are case-sensitive, so an expansion with `listid` instead of `listId` reads nothing. Without capitals there is nothing to mix up: use the label in lower case, with dashes. If customers already use the workflow, keep its ids, because their answers are saved under them.",
  guards: ["field.id"],
  message: ({ id, suggestion }) =>
    `The id \`${excerpt(id)}\` has capital letters. We recommend lower case with dashes: \`${excerpt(suggestion)}\`.`,
  help: () => "Change it only before you publish the workflow: customers' answers are saved under it.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select",
      with: { "/workflows/0/data_pipeline/target/!http/path": '"/lists/1/subscribers"' },
      bad: `${list('«"listId"»')}]}`,
      good: `${list('"list-id"')}]}`,
      fixed: `${list('"list-id"')}]}`,
    },
    {
      title: "with what reads it",
      in: "outbound",
      at: "/workflows/0/setup/select",
      with: { "/workflows/0/data_pipeline/target/!http/path": '"/lists/1/subscribers"' },
      bad: `${list('«"listId"»')}, {"id": "tag", "label": "Tag", "type": "dropdown", "required": false, "options": {"!pipe": [{"!http": {"path": "/lists/\${custom_data.listId.value}/tags"}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}]}`,
      good: `${list('"list-id"')}, {"id": "tag", "label": "Tag", "type": "dropdown", "required": false, "options": {"!pipe": [{"!http": {"path": "/lists/\${custom_data.list-id.value}/tags"}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}]}`,
      fixed: `${list('"list-id"')}, {"id": "tag", "label": "Tag", "type": "dropdown", "required": false, "options": {"!pipe": [{"!http": {"path": "/lists/\${custom_data.list-id.value}/tags"}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}]}`,
    },
  ],
  fixes: rename,
});

const module: RuleModule = {
  rules: [fieldId],
  checks: {
    field({ id, idNode, workflow }, report) {
      // An id that no expansion can name has a rule of its own.
      if (
        id === undefined ||
        idNode?.valid !== true ||
        id === id.toLowerCase() ||
        !/\p{Lu}/u.test(id) ||
        !isSegment(id)
      )
        return;
      const suggestion = kebab(id);
      const taken = workflow.fields.some((other) => other.id === suggestion);
      if (suggestion !== "" && !taken) report(fieldId, idNode, { id, suggestion });
    },
  },
};
export default module;

/** Changes the id and all that reads it, if that is known. */
function rename(finding: Finding<Args>, { document, model }: FixContext): readonly Fix[] {
  const { at, args } = finding;
  const field = model.workflows.flatMap(({ fields }) => fields).find(({ idNode }) => idNode === at);
  if (field?.idNode === undefined || !isReadingKnown(field, model)) return [];
  const related = field.references.map((use) => ({ message: "", at: use }));
  const [first, ...others] = related;
  const uses =
    first === undefined
      ? []
      : renameFix({ ...finding, at: first.at, related: others }, document, args.suggestion);
  const edits = [replaceValue(field.idNode, args.suggestion), ...uses.flatMap((fix) => fix.edits)];
  return [{ title: `Change to \`${excerpt(args.suggestion)}\`, also where it is read`, safe: false, edits }];
}

function isReadingKnown({ id, references, workflow }: FieldSymbol, model: Model): boolean {
  const shared = model.intakes.filter((intake) => usersOf(intake).length > 1);
  return (
    workflow.fields.filter((other) => other.id === id).length === 1 &&
    references.every(({ node, from, to }) => node.value.slice(from, to) === id) &&
    // Another workflow has its own field of that id.
    !references.some(({ node: { start } }) =>
      shared.some(({ node }) => node.start <= start && start < node.end),
    ) &&
    isFormReadingResolved(model) &&
    !formsReadAsWhole(model).has(workflow)
  );
}
