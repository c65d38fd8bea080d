import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { keyOf } from "../../locate.ts";
import { removeFix } from "../workflow/remove.ts";
import { optionsOf } from "./options.ts";

const targetOnly = defineRule<{ member: string }>({
  id: "mapping/target-only",
  severity: "warning",
  summary: "An option of `describe_source` has `required` or `source_fields`",
  why: "What has to be mapped, and which fixed values there are to choose, is decided by the target. On the source side both are ignored: a field marked as required there can be left out by every customer.",
  guards: ["option.required", "option.source_fields", "describe_source.options", "events.8", "D43"],
  message: ({ member }) =>
    `\`${member}\` takes effect only in \`describe_target\`, and this is \`describe_source\`.`,
  help: ({ member }) =>
    member === "required"
      ? "Mark the target field that it has to be mapped to."
      : "Give the fixed values to the target field that they are for.",
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
