import { defineRule } from "../../../findings/rule.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { pluralOf } from "./singular.ts";

const resourceType = defineRule<{ type: string; plural: string }>({
  id: "style/resource-type",
  severity: "hint",
  summary: "`resource_type` is in the singular",
  why: "Customers see it as the heading of the list of resources that they can choose: `forms`, `pages`.",
  guards: ["workflow.resource_type"],
  message: ({ type, plural }) =>
    `\`resource_type\` should be a plural, such as \`${excerpt(plural)}\`, but \`${excerpt(type)}\` is a singular.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/resource_type",
      bad: '«"form"»',
      good: '"forms"',
      fixed: '"forms"',
    },
    {
      title: "of several words",
      in: "inbound-webhook",
      at: "/workflows/0/resource_type",
      bad: '«"form_entry"»',
      good: '"form_entries"',
      fixed: '"form_entries"',
    },
  ],
  fixes: ({ at, args: { plural } }, { document }) => {
    const edits = [{ ...spanOf(document, at), newText: JSON.stringify(plural) }];
    return [{ title: `Change to \`${excerpt(plural)}\``, safe: false, edits }];
  },
});

const module: RuleModule = {
  rules: [resourceType],
  checks: {
    workflow({ node, direction }, report) {
      const type = node.get("resource_type");
      // In an outbound workflow it has no place at all.
      if (type?.kind !== "string" || !type.valid || direction === "outbound") return;
      const plural = pluralOf(type.value);
      if (plural !== undefined) report(resourceType, type, { type: type.value, plural });
    },
  },
};
export default module;
