import type { Expansion } from "../../../bind/bound-nodes.ts";
import { derivedInPart } from "../../../bind/derived.ts";
import { defineRule } from "../../../findings/rule.ts";
import { idleHoles } from "../../../flow/protocol/reads-input.ts";
import type { RuleModule } from "../../checks.ts";
import { formsReadAsWhole, isFormReadingResolved } from "./form-readers.ts";

const unreadChoice = defineRule<{ id: string }>({
  id: "unused/unread-choice",
  severity: "warning",
  summary: "A customer's answer goes to a variable that nothing reads",
  why: "The customer fills in the field, but the answer has no effect. Nobody notices.",
  guards: ["command.!jq", "select.form_fields", "D12", "D23"],
  message: ({ id }) => `The form field \`${id}\` goes to a variable here that nothing in this program reads.`,
  because: ({ id }) => [`a customer fills in \`${id}\``, "nothing reads the variable"],
  help: () => "Read the variable where the answer should count.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "«${custom_data.list.value}» as $list | {email: .email}"}, {"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.1.email}", "note": "${custom_data.note.value | default}"}}}]}',
      good: '{"!pipe": [{"!jq": "${custom_data.list.value} as $list | {email: .email, list: $list}"}, {"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.1.email}", "list": "${piped_content.1.list}", "note": "${custom_data.note.value | default}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unreadChoice],
  checks: {
    document(model, report) {
      const idle = new Set(model.parts.flatMap(idleIn).filter(({ fieldExact }) => fieldExact));
      if (idle.size === 0 || !isFormReadingResolved(model)) return;
      const whole = formsReadAsWhole(model);
      const read = new Set(model.expansions.flatMap((each) => (idle.has(each) ? [] : each.fields)));
      for (const { fields, node, syntax } of idle) {
        const [field, ...others] = fields;
        if (field?.id === undefined || others.length > 0 || read.has(field) || whole.has(field.workflow))
          continue;
        // Other reads than by expansions are those of the roots (D16).
        if (field.references.some((use) => !isOfExpansion(use.node.value, use.from))) continue;
        report(unreadChoice, { node, from: syntax.start, to: syntax.end }, { id: field.id });
      }
    },
  },
};
export default module;

/** Expansions of what was chosen that a program makes nothing of. */
const idleIn = derivedInPart(({ programs }): readonly Expansion[] =>
  programs.flatMap((program) =>
    program.diagnostics.length > 0 || !program.holes.some(isOfField)
      ? []
      : [...idleHoles(program)].flatMap((index) => program.holes[index] ?? []).filter(isOfField),
  ),
);

const isOfField = ({ root }: Expansion): boolean => root === "custom_data";

/** Whether the name of a field at a place of a text stands in an expansion. */
const isOfExpansion = (text: string, from: number): boolean =>
  /[$][{<]\s*custom_data(?:\.|::)$/.test(text.slice(0, from));
