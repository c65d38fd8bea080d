import { defineRule } from "../../../findings/rule.ts";
import { isSegment } from "../../../parse/template.ts";
import type { RuleModule } from "../../checks.ts";
import { spellsUnreferableField } from "./uses.ts";

const unreferableId = defineRule<{ id: string }>({
  id: "expansion/unreferable-field-id",
  severity: "warning",
  summary: "An expansion can't name this field id",
  why: "The path of an expansion is made of names joined by dots. An id with spaces, dots, colons, bars or brackets can't be one of them, so no expansion can read the field.",
  guards: ["D6", "field.id"],
  message: ({ id }) => `No expansion can read a field with the id \`${id}\`.`,
  help: () => "Use the label in lower case, with dashes for spaces.",
  examples: [
    {
      title: "D6: a blank in an id",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/1/id",
      with: { "/workflows/0/data_pipeline/target/!http/body/note": '""' },
      bad: '«"my note"»',
      good: '"my-note"',
    },
  ],
});

const unreferableField = defineRule<{ id: string }>({
  id: "expansion/unreferable-field",
  severity: "error",
  summary: "An expansion reads a field whose id it can't name",
  why: "A space ends a path and a dot separates its names, so the platform looks for a different field and fails.",
  guards: ["D6", "D12", "expansion.custom_data", "field.id"],
  message: ({ id }) =>
    `An expansion can't name the form field \`${id}\`, because a path is made of names joined by dots.`,
  help: () => "Give the field an id of letters, digits and dashes.",
  examples: [
    {
      title: "D6: a dot in an id",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields",
      with: { "/workflows/0/data_pipeline/target/!http/body/note": '""' },
      bad: '[{"id": "my.note", "label": "Note", "type": "textarea", "required": false}, {"id": "list", "label": "List", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/lists", "params": {"q": "${custom_data.«my.note».value | default}"}}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}]',
      good: '[{"id": "my-note", "label": "Note", "type": "textarea", "required": false}, {"id": "list", "label": "List", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/lists", "params": {"q": "${custom_data.my-note.value | default}"}}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}]',
      also: ["expansion/unreferable-field-id"],
    },
    {
      title: "D6: a blank in an id",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields",
      with: { "/workflows/0/data_pipeline/target/!http/body/note": '""' },
      bad: '[{"id": "my note", "label": "Note", "type": "textarea", "required": false}, {"id": "list", "label": "List", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/lists", "params": {"q": "${custom_data.«my note».value | default}"}}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}]',
      good: '[{"id": "my-note", "label": "Note", "type": "textarea", "required": false}, {"id": "list", "label": "List", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/lists", "params": {"q": "${custom_data.my-note.value | default}"}}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}]',
      also: ["expansion/unreferable-field-id"],
    },
  ],
});

const module: RuleModule = {
  rules: [unreferableId, unreferableField],
  checks: {
    field({ id, idNode }, report) {
      if (id === undefined || id === "" || idNode?.valid !== true || isSegment(id)) return;
      report(unreferableId, idNode, { id });
    },
    expansion(expansion, report) {
      const field = spellsUnreferableField(expansion);
      const start = expansion.syntax.path[1]?.start;
      if (field?.id === undefined || start === undefined) return;
      report(
        unreferableField,
        { node: expansion.node, from: start, to: start + field.id.length },
        { id: field.id },
      );
    },
  },
};
export default module;
