import { mayHaveLostMembers } from "../../../bind/lost-members.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { keyOf, ownerOf } from "../../locate.ts";
import { hasMember } from "../http/at.ts";
import { removeFix } from "../workflow/remove.ts";

const textWithoutOptions = defineRule<Record<string, never>>({
  id: "setup/text-without-options",
  severity: "hint",
  core: "error",
  summary: "A `text` field has no `options`",
  why: "The specification asks for `options` in every field but a `textarea`. Configs in the wild leave them out of `text` fields, where the customer types anything, and platforms bear with it; one that goes by the specification refuses the field.",
  guards: ["field.options", "field.type", "D41"],
  message: () => "A `text` field has `options` by the specification; most platforms do without.",
  help: () => "Use a `textarea` to be on the safe side, or add `options` that are suggested to the customer.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/1",
      bad: '{"id": «"note"», "label": "Note", "type": "text", "required": false}',
      good: '{"id": "note", "label": "Note", "type": "textarea", "required": false}',
    },
  ],
});

const optionsOfTextarea = defineRule<Record<string, never>>({
  id: "setup/options-of-textarea",
  severity: "hint",
  tag: "unnecessary",
  summary: "A `textarea` has `options`",
  why: "In a `textarea` the customer writes freely; there is no list to choose from. The options are never shown, and requests that would fetch them are never sent.",
  guards: ["field.options", "field.type"],
  message: () => "`options` aren't shown in a `textarea`.",
  help: () => "Remove them, or make the field a `dropdown` or a `multiselect`.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/1",
      bad: '{"id": "note", "label": "Note", "type": "textarea", "required": false, «"options"»: {"!pipe": [{"!http": {"path": "/notes"}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}',
      good: '{"id": "note", "label": "Note", "type": "textarea", "required": false}',
      fixed: '{"id": "note", "label": "Note", "type": "textarea", "required": false}',
    },
  ],
  fixes: ({ at }, { document }) => removeFix(document, at),
});

const module: RuleModule = {
  rules: [textWithoutOptions, optionsOfTextarea],
  checks: {
    field({ node, type }, report, { document }) {
      const options = node.member("options");
      if (type === "text" && !hasMember(node, "options") && !mayHaveLostMembers(document, node))
        report(textWithoutOptions, ownerOf(node), {});
      if (type === "textarea" && options !== undefined) report(optionsOfTextarea, keyOf(options), {});
    },
  },
};
export default module;
