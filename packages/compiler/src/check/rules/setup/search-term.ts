import type { FieldSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import type { RuleModule } from "../../checks.ts";
import { keyOf } from "../../locate.ts";
import { allIn } from "../workflow/commands.ts";
import { removeFix } from "../workflow/remove.ts";

type Options = "none" | "static" | "no-request";

const reasons: Readonly<Record<Options, string>> = {
  none: "the field has no `options`",
  static: "its `options` are a fixed list",
  "no-request": "its `options` have no `!http`",
};

const searchWithoutRequest = defineRule<{ options: Options }>({
  id: "setup/search-without-request",
  severity: "warning",
  summary: "`search_term` has no effect, because the field's options send no request",
  why: "What the customer types is sent as the query parameter that `search_term` names, in the first `!http` of the field's `options`. Without a request there is no search: the list stays the same.",
  guards: ["field.search_term", "field.options", "D43"],
  message: ({ options }) => `\`search_term\` has no effect, because ${reasons[options]}.`,
  help: () => "Remove it, or fetch the options with an `!http` whose API can search.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0",
      bad: '{"id": "list", "label": "List", "type": "dropdown", «"search_term"»: "q", "options": [{"display": "News", "value": "1"}]}',
      good: '{"id": "list", "label": "List", "type": "dropdown", "search_term": "q", "options": {"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}',
      fixed:
        '{"id": "list", "label": "List", "type": "dropdown", "options": [{"display": "News", "value": "1"}]}',
    },
    {
      title: "options without a request",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0",
      bad: '{"id": "list", "label": "List", "type": "dropdown", «"search_term"»: "q", "options": {"!jq": "[{display: \\"News\\", value: \\"1\\"}]"}}',
      good: '{"id": "list", "label": "List", "type": "dropdown", "options": {"!jq": "[{display: \\"News\\", value: \\"1\\"}]"}}',
      fixed:
        '{"id": "list", "label": "List", "type": "dropdown", "options": {"!jq": "[{display: \\"News\\", value: \\"1\\"}]"}}',
    },
    {
      title: "no options",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/1",
      bad: '{"id": "note", "label": "Note", "type": "textarea", "required": false, «"search_term"»: "q"}',
      good: '{"id": "note", "label": "Note", "type": "textarea", "required": false}',
      fixed: '{"id": "note", "label": "Note", "type": "textarea", "required": false}',
    },
  ],
  fixes: ({ at }, { document }) => removeFix(document, at),
});

const module: RuleModule = {
  rules: [searchWithoutRequest],
  checks: {
    field(field, report, model) {
      const member = field.node.member("search_term");
      if (member === undefined) return;
      const options = withoutRequest(field, model);
      if (options !== undefined) report(searchWithoutRequest, keyOf(member), { options });
    },
  },
};
export default module;

/** What the options are instead of a request, if that is certain. */
function withoutRequest({ node, type }: FieldSymbol, model: Model): Options | undefined {
  const member = node.member("options");
  // A list to choose from that has no options at all is an error of its own.
  if (member === undefined) return type === "text" || type === "textarea" ? "none" : undefined;
  const { value } = member;
  if (value?.kind === "array") return "static";
  const command = value === undefined ? undefined : flowOf(model).plainAt(value);
  const all = command === undefined ? undefined : allIn(command);
  return all === undefined || all.some(({ key }) => key === "!http") ? undefined : "no-request";
}
