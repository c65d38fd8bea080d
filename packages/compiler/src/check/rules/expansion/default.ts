import type { FieldSymbol } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { fieldAttributes } from "../../../language/expansion-names.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { secondWorkflow, severalInbound } from "./example-workflow.ts";
import { type FieldMeaning, legalUsesIn, pathPart } from "./uses.ts";

const optionalWithoutDefault = defineRule<{ id: string; workflow: string | undefined }>({
  id: "expansion/optional-without-default",
  severity: "error",
  summary: "An optional form field is read without `| default`",
  why: "Reading a field that the customer skipped fails. The workflow breaks for every customer who leaves it empty, and works in every test that fills it in.",
  guards: ["D13", "D12", "expansion.default", "expansion.custom_data", "field.required"],
  message: ({ id, workflow }) =>
    `The form field \`${id}\` is optional${workflow === undefined ? "" : ` in the workflow \`${workflow}\``}. This fails for every customer who skips it.`,
  because: ({ id }) => [`a customer leaves out \`${id}\``, "there is no value to read: the command fails"],
  help: () => "Add `| default` for an empty string, or `| default:TEXT` for TEXT.",
  examples: [
    {
      title: "D13",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/note",
      bad: '"Note: ${«custom_data.note.value»}"',
      good: '"Note: ${custom_data.note.value | default}"',
      fixed: '"Note: ${custom_data.note.value | default}"',
    },
    {
      title: "D13: in a hole of a jq program",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!jq": "{note: $<«custom_data.note.value»>}"}',
      good: '{"!jq": "{note: $<custom_data.note.value | default:none>}"}',
      fixed: '{"!jq": "{note: $<custom_data.note.value | default>}"}',
    },
    {
      title: "D12: optional in one of the workflows that use the intake is optional in all",
      in: "inbound-webhook",
      settings: severalInbound,
      with: { "/workflows/1": secondWorkflow("form", "submission.created", false) },
      at: "/data_intake/0/create/!pipe/0/!http/path",
      bad: '"/forms/${«custom_data.form.value»}/hooks"',
      good: '"/forms/${custom_data.form.value | default:all}/hooks"',
      fixed: '"/forms/${custom_data.form.value | default}/hooks"',
    },
  ],
  fixes: ({ at }, { document }) => {
    const { node, to } = at as StringPart;
    return [
      {
        title: "Add `| default`",
        safe: true,
        edits: [replaceInString(document, node, to, to, " | default")],
      },
    ];
  },
});

const needlessDefault = defineRule<{ id: string }>({
  id: "expansion/needless-default",
  severity: "hint",
  tag: "unnecessary",
  summary: "A required form field needs no default",
  why: 'The customer can\'t continue without a required field, so its default is never used. An optional field needs `"required": false`.',
  guards: ["D13", "expansion.default", "field.required"],
  message: ({ id }) => `The form field \`${id}\` is required, so this default is never used.`,
  help: () => 'Remove it, or give the field `"required": false`.',
  examples: [
    {
      title: "D13",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/path",
      bad: '"/lists/${custom_data.list.value «| default:1»}/subscribers"',
      good: '"/lists/${custom_data.list.value}/subscribers"',
      fixed: '"/lists/${custom_data.list.value}/subscribers"',
    },
  ],
  fixes: ({ at }, { document }) => {
    const { node, from, to } = at as StringPart;
    const start = node.value.slice(0, from).trimEnd().length;
    return [
      { title: "Remove the default", safe: true, edits: [replaceInString(document, node, start, to, "")] },
    ];
  },
});

const module: RuleModule = {
  rules: [optionalWithoutDefault, needlessDefault],
  checks: {
    part(part, report, model) {
      for (const use of legalUsesIn(part, model, "custom_data")) {
        const { expansion, names } = use;
        const [id, attribute] = names;
        if (expansion === undefined || id === undefined || !isAttribute(attribute?.text)) continue;
        const { filters } = expansion.syntax;
        if (filters.some(({ name }) => name !== "default")) continue;
        // An unknown field, or one without a value yet, is said elsewhere.
        if (!use.meanings.every((meaning) => isFilledIn(meaning, use.command?.field))) continue;
        const optional = use.meanings.find(({ field }) => field?.required === false)?.field;
        if (optional !== undefined && filters.length === 0) {
          const workflow = use.meanings.length > 1 ? optional.workflow.name : undefined;
          const why = optional.node.get("required");
          const related = why === undefined ? [] : [{ message: "optional here", at: why }];
          report(optionalWithoutDefault, pathPart(expansion), { id: id.text, workflow }, related);
        }
        // A path below the attribute may lack a value all the same.
        const last = filters.at(-1);
        if (optional === undefined && use.meanings.length > 0 && last !== undefined && names.length === 2) {
          const path = pathPart(expansion);
          const from = expansion.node.value.indexOf("|", path.to);
          report(needlessDefault, { ...path, from, to: last.end }, { id: id.text });
        }
      }
    },
  },
};
export default module;

function isAttribute(name: string | undefined): boolean {
  return (fieldAttributes as readonly (string | undefined)[]).includes(name);
}

/** Whether the customer has passed the field: always, but in the options of a field before it or its own. */
function isFilledIn({ field, exact }: FieldMeaning, own: FieldSymbol | undefined): boolean {
  return field !== undefined && exact && (own === undefined || field.index < own.index);
}
