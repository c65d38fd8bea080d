import type { FieldSymbol, Model } from "../../../bind/model.ts";
import type { RuleModule } from "../../checks.ts";
import { removeItem, removeMember } from "../../edits.ts";
import { keyOf, ownerOf } from "../../locate.ts";
import { defineRule } from "../../rule.ts";
import { memberAt, valueAt } from "../http/at.ts";

const unusedAuth = defineRule<{ name: string }>({
  id: "unused/auth",
  severity: "hint",
  tag: "unnecessary",
  summary: "An auth entry that no workflow names",
  why: "Nobody can connect with it. It may be left over, or a workflow names another one by mistake.",
  guards: ["document.auth", "workflow.auth"],
  message: ({ name }) => `No workflow uses the auth entry \`${name}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/auth",
      bad: '{«"spare"»: {"type": "token", "configuration": {"header_key": "X-Key", "verify_url": "https://api.example.com/me"}, "defined_fields": {"token": {"label": "Key"}}}, "acme": {"type": "token", "configuration": {"header_key": "X-Key", "verify_url": "https://api.example.com/me"}, "defined_fields": {"token": {"label": "Key"}}}}',
      good: '{"acme": {"type": "token", "configuration": {"header_key": "X-Key", "verify_url": "https://api.example.com/me"}, "defined_fields": {"token": {"label": "Key"}}}}',
      fixed:
        '{"acme": {"type": "token", "configuration": {"header_key": "X-Key", "verify_url": "https://api.example.com/me"}, "defined_fields": {"token": {"label": "Key"}}}}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const member = memberAt(document, at);
    return member === undefined
      ? []
      : [{ title: "Remove it", safe: false, edits: [removeMember(document, member)] }];
  },
});

const unusedIntake = defineRule<{ name: string }>({
  id: "unused/intake",
  severity: "hint",
  tag: "unnecessary",
  summary: "An intake that no workflow names",
  why: "It is never registered or polled. It may be left over, or a workflow lacks its `data_intake`.",
  guards: ["document.data_intake", "workflow.data_intake"],
  message: ({ name }) => `No workflow uses the intake \`${name}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake",
      bad: '[{"type": "polling", "name": "customers", "request": {"!jq": "{results: [], iterate: false, polling_state: {}}"}}, {"type": "polling", "name": «"orders"», "request": {"!jq": "{results: [], iterate: false, polling_state: {}}"}}]',
      good: '[{"type": "polling", "name": "customers", "request": {"!jq": "{results: [], iterate: false, polling_state: {}}"}}]',
      fixed:
        '[{"type": "polling", "name": "customers", "request": {"!jq": "{results: [], iterate: false, polling_state: {}}"}}]',
    },
  ],
  fixes: ({ at }, { document }) => {
    const value = valueAt(document, at);
    const object = value?.parent?.kind === "member" ? value.parent.parent : undefined;
    if (object?.parent?.kind !== "array") return [];
    return [{ title: "Remove it", safe: false, edits: [removeItem(document, object.parent, object)] }];
  },
});

const unusedField = defineRule<{ id: string }>({
  id: "unused/field",
  severity: "hint",
  tag: "unnecessary",
  summary: "A form field that nothing reads",
  why: "Customers are asked for something that has no effect.",
  guards: ["field.id", "expansion.custom_data"],
  message: ({ id }) => `Nothing reads \`\${custom_data.${id}.value}\`.`,
  help: () => "Use it, or remove the field: customers fill it in for nothing.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body",
      bad: '{"fields": "${piped_content.0}"}',
      good: '{"fields": "${piped_content.0}", "note": "${custom_data.note.value | default}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [unusedAuth, unusedIntake, unusedField],
  checks: {
    document(model, report) {
      const { workflows, auths, intakes } = model;
      // What isn't resolved may mean any of them.
      if (workflows.every(({ auth }) => auth?.exact === true)) {
        for (const { name, member, references } of auths) {
          if (references.length === 0) report(unusedAuth, keyOf(member), { name });
        }
      }
      const intakesKnown = workflows.every(({ intake, historicalIntake, direction }) => {
        return (intake?.exact ?? direction === "outbound") && (historicalIntake?.exact ?? true);
      });
      if (intakesKnown) {
        for (const { name, node, references } of intakes) {
          if (references.length === 0 && name !== undefined) report(unusedIntake, ownerOf(node), { name });
        }
      }
      if (fieldsKnown(model)) {
        for (const field of workflows.flatMap(({ fields }) => fields)) {
          if (field.id !== undefined && field.idNode !== undefined && !isRead(field))
            report(unusedField, field.idNode, { id: field.id });
        }
      }
    },
  },
};
export default module;

function isRead({ references }: FieldSymbol): boolean {
  return references.length > 0;
}

/** Whether every read of `custom_data` is bound to a field: none is unresolved, broken, or reads it as a whole. */
function fieldsKnown({ expansions, programs, structure }: Model): boolean {
  if (structure.some(({ kind }) => kind === "unknown-command")) return false;
  const bound = expansions.every(({ root, fields, fieldExact, syntax, rootExact }) => {
    if (syntax.problem !== undefined || (root !== undefined && !rootExact)) return false;
    return root !== "custom_data" || (fields.length > 0 && fieldExact);
  });
  if (!bound) return false;
  // A program that mentions it otherwise than by an expansion reads it by a path, and of those only constant ones are bound.
  return programs.every(({ node, holes, diagnostics }) => {
    if (diagnostics.length > 0) return false;
    let text = node.value;
    for (const { syntax } of [...holes].reverse())
      text = text.slice(0, syntax.start) + text.slice(syntax.end);
    const mentions = text.split("custom_data").length - 1;
    return (
      mentions === 0 || mentions === (text.match(/\.custom_data\s*(?:\.\s*[A-Za-z_"]|\[\s*")/g)?.length ?? 0)
    );
  });
}
