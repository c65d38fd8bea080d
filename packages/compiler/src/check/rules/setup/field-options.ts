import { mayBeIncomplete } from "../../../bind/incomplete-object.ts";
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
  why: "The specification requires `options` for every field except a `textarea`. Real configs omit them in `text` fields, where the customer types anything, and most platforms accept that. A strict platform refuses the field.",
  guards: ["field.options", "field.type", "D41"],
  message: () => "The specification requires `options` for a `text` field; most platforms don't.",
  help: () => "To be safe, use a `textarea`, or add `options` as suggestions.",
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
  why: "In a `textarea` the customer writes freely and there is no list to choose from. The options are never shown, and requests for them are never sent.",
  guards: ["field.options", "field.type"],
  message: () => "A `textarea` doesn't show `options`.",
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
      if (type === "text" && !hasMember(node, "options") && !mayBeIncomplete(document, node))
        report(textWithoutOptions, ownerOf(node), {});
      if (type === "textarea" && options !== undefined) report(optionsOfTextarea, keyOf(options), {});
    },
  },
};
export default module;
