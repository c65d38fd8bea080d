import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { keyOf } from "../../locate.ts";
import { removeFix } from "../workflow/remove.ts";
import { optionsOf } from "./options.ts";

const targetOnly = defineRule<{ member: string }>({
  id: "mapping/target-only",
  severity: "warning",
  summary: "An option of `describe_source` has `required` or `source_fields`",
  why: "Only the target says which fields must be mapped and which fixed values customers can choose. On the source side both are ignored: customers can leave out a field marked as required there.",
  guards: ["option.required", "option.source_fields", "describe_source.options", "events.8", "D43"],
  message: ({ member }) =>
    `\`${member}\` has no effect in \`describe_source\`. It counts only in \`describe_target\`.`,
  help: ({ member }) =>
    member === "required"
      ? "Mark the target field as required instead."
      : "Add the fixed values to the target field instead.",
  examples: [
    {
      in: "historical-sync",
      at: "/workflows/0/setup/map/describe_source/options",
      bad: '[{"title": "Email", "id": "email", «"required"»: true}, {"title": "Total", "id": "total"}]',
      good: '[{"title": "Email", "id": "email"}, {"title": "Total", "id": "total"}]',
      fixed: '[{"title": "Email", "id": "email"}, {"title": "Total", "id": "total"}]',
    },
    {
      title: "fixed values",
      in: "historical-sync",
      at: "/workflows/0/setup/map/describe_source/options",
      bad: '[{"title": "Email", "id": "email"}, {"title": "Total", "id": "total", «"source_fields"»: [{"title": "Paid", "id": "paid"}]}]',
      good: '[{"title": "Email", "id": "email"}, {"title": "Total", "id": "total"}]',
      fixed: '[{"title": "Email", "id": "email"}, {"title": "Total", "id": "total"}]',
    },
  ],
  fixes: ({ at }, { document }) => removeFix(document, at),
});

const module: RuleModule = {
  rules: [targetOnly],
  checks: {
    map(map, report, model) {
      for (const { required, fixed } of optionsOf(map, "source", model)?.list ?? []) {
        if (required !== undefined) report(targetOnly, keyOf(required), { member: required.name });
        if (fixed !== undefined) report(targetOnly, keyOf(fixed), { member: fixed.name });
      }
    },
  },
};
export default module;
