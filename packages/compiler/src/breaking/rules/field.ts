import type { FieldSymbol, WorkflowSymbol } from "../../bind/bound-nodes.ts";
import { ownerOf } from "../../check/locate.ts";
import { defineRule, type Related } from "../../findings/rule.ts";
import type { Location } from "../../parse/document.ts";
import { comparison } from "../comparison.ts";
import { likelyRename, match } from "../versions.ts";

const removed = defineRule<{ field: string; workflow: string }>({
  id: "breaking/field-removed",
  severity: "warning",
  concerns: ["setups", "embedders"],
  summary: "A published form field was removed",
  why: "Customers' answers are saved under the field's id. Without the field the answer stays saved, but nothing reads it: the workflow runs without what they chose.",
  guards: ["field.id", "D12", "D40"],
  message: ({ field, workflow }) =>
    `The published field \`${field}\` of \`${workflow}\` was removed. What customers filled in is no longer used.`,
  help: ({ field }) => `If their answers still matter, keep \`${field}\` with \`"required": false\`.`,
  examples: [
    {
      title: "D40",
      in: "outbound",
      at: "/workflows/0/setup/select",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/subscribers", "body": "${piped_content.0}"}}',
      },
      published:
        '{"label": "Select", "form_fields": [{"id": "list", "label": "List", "type": "textarea"}, {"id": "note", "label": "Note", "type": "textarea", "required": false}]}',
      bad: '{"label": "Select", «"form_fields"»: [{"id": "list", "label": "List", "type": "textarea"}]}',
      good: '{"label": "Select", "form_fields": [{"id": "list", "label": "List", "type": "textarea"}, {"id": "note", "label": "Note", "type": "textarea", "required": false}]}',
    },
  ],
});

const renamed = defineRule<{ field: string; workflow: string; now: string }>({
  id: "breaking/field-renamed",
  severity: "error",
  concerns: ["setups", "embedders"],
  summary: "A published form field has a new id",
  why: "Customers' answers are saved under the field's id. With a new id the field is empty for everyone who has already set up the workflow, and nobody asks them again. Reading it without a default fails; with one, the workflow runs without what they chose.",
  guards: ["field.id", "D12", "D40"],
  message: ({ field, workflow, now }) =>
    `The published field \`${field}\` of \`${workflow}\` was removed, and \`${now}\` is new. What customers filled in is no longer used, and \`${now}\` is empty for them.`,
  help: ({ field }) => `Keep the id \`${field}\`, which customers never see, and change the \`label\`.`,
  examples: [
    {
      title: "D40",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/id",
      published: '"list"',
      bad: '«"list-id"»',
      good: '"list"',
    },
  ],
});

const type = defineRule<{ field: string; before: string; now: string }>({
  id: "breaking/field-type",
  severity: "error",
  concerns: ["setups", "embedders"],
  summary: "A published form field switched between one value and several",
  why: "A `multiselect` gives a list, every other type one value, and customers' answers stay as saved. The new version reads a list where one value is saved, or the reverse, and fails or sends nonsense.",
  guards: ["field.type", "D12", "D40"],
  message: ({ field, before, now }) =>
    now === "multiselect"
      ? `\`${field}\` changed from \`${before}\` to \`multiselect\`. Customers have one value saved where a list is expected.`
      : `\`${field}\` changed from \`multiselect\` to \`${now}\`. Customers have a list saved where one value is expected.`,
  help: ({ field }) =>
    `Keep \`${field}\` as published, and add another field with \`"required": false\` for the new value.`,
  examples: [
    {
      title: "D40",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/type",
      published: '"dropdown"',
      bad: '«"multiselect"»',
      good: '"dropdown"',
    },
  ],
});

const input = defineRule<{ field: string; before: string; now: string }>({
  id: "breaking/field-input",
  severity: "info",
  concerns: ["setups"],
  summary: "A published form field is filled in differently",
  why: "Customers' answers stay readable, because both types give one value. But a typed value may not be among the options, and `display` of a typed text is the text itself.",
  guards: ["field.type", "D12", "D40"],
  message: ({ field, before, now }) =>
    `\`${field}\` changed from \`${before}\` to \`${now}\`. Saved values stay readable${now === "dropdown" ? ", but may not be among the options" : ""}.`,
  help: () => "Make sure that commands accept values of both types.",
  examples: [
    {
      title: "D40",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/type",
      published: '"text"',
      bad: '«"dropdown"»',
      good: '"text"',
    },
  ],
});

const required = defineRule<{ field: string; workflow: string; isNew: boolean }>({
  id: "breaking/field-required",
  severity: "error",
  concerns: ["setups"],
  summary: "A form field that customers may have left empty is now required",
  why: "Customers who have already set up the workflow have no value for the field, and nobody asks them. Their workflow keeps running, and an expansion that reads the field without a default fails.",
  guards: ["field.required", "D13", "D40"],
  message: ({ field, workflow, isNew }) =>
    isNew
      ? `The required field \`${field}\` of \`${workflow}\` is new. Existing customers have no value for it, so reading it fails for them.`
      : `\`${field}\` of \`${workflow}\` is now required. Customers who skipped it have no value for it, so reading it fails for them.`,
  help: ({ field }) =>
    `Give it \`"required": false\`, and read it as \`\${custom_data.${field}.value | default:TEXT}\`.`,
  examples: [
    {
      title: "D40: a new required field",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields",
      published: '[{"id": "list", "label": "List", "type": "text"}]',
      bad: '[{"id": "list", "label": "List", "type": "text"}, {"id": «"tag"», "label": "Tag", "type": "textarea"}]',
      good: '[{"id": "list", "label": "List", "type": "text"}, {"id": "tag", "label": "Tag", "type": "textarea", "required": false}]',
    },
    {
      title: "D40: an optional field that became required",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/1",
      published: '{"id": "note", "label": "Note", "type": "textarea", "required": false}',
      bad: '{"id": "note", "label": "Note", "type": "textarea", "required": «true»}',
      good: '{"id": "note", "label": "Note", "type": "textarea", "required": false}',
    },
  ],
});

export const fieldRules = comparison([removed, renamed, type, input, required], ({ workflows }, report) => {
  for (const { previous, current, name: workflow } of workflows.pairs) {
    const fields = match(previous.fields, current.fields, ({ id }) => id);
    const renames = new Set<FieldSymbol>();
    for (const field of fields.removed) {
      const id = field.id ?? "";
      const next = likelyRename(field, fields, sameType);
      if (next === undefined) {
        report(removed, formOf(current), { field: id, workflow });
        continue;
      }
      renames.add(next);
      const at = next.idNode ?? ownerOf(next.node);
      report(renamed, at, { field: id, workflow, now: next.id ?? "" }, readers(next));
    }
    for (const { previous: old, current: now, name: field } of fields.pairs) {
      const typeNode = now.node.get("type") ?? ownerOf(now.node);
      if (old.type !== now.type && isType(old.type) && isType(now.type)) {
        const isList = old.type === "multiselect" || now.type === "multiselect";
        report(isList ? type : input, typeNode, { field, before: old.type, now: now.type });
      }
      if (now.required && !old.required)
        report(
          required,
          now.node.get("required") ?? ownerOf(now.node),
          { field, workflow, isNew: false },
          readers(now),
        );
    }
    for (const field of fields.added) {
      if (!field.required || renames.has(field)) continue;
      const at = field.idNode ?? ownerOf(field.node);
      report(required, at, { field: field.id ?? "", workflow, isNew: true }, readers(field));
    }
  }
});

const types = ["text", "textarea", "dropdown", "multiselect"];

function isType(text: string | undefined): text is string {
  return text !== undefined && types.includes(text);
}

function sameType(previous: FieldSymbol, current: FieldSymbol): boolean {
  return previous.type === current.type;
}

/** The key of the form that a field is missing in. */
function formOf({ node }: WorkflowSymbol): Location {
  const setup = node.get("setup");
  const select = setup?.kind === "object" ? setup.get("select") : undefined;
  if (select?.kind === "object") return select.member("form_fields")?.key ?? ownerOf(select);
  return setup?.kind === "object" ? ownerOf(setup) : ownerOf(node);
}

/** The first places that read a field: more of them say nothing new. */
function readers({ references }: FieldSymbol): Related[] {
  return references.slice(0, 3).map((at) => ({ message: "read here", at }));
}
