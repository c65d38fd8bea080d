import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { ownerOf } from "../../locate.ts";
import { hasMember } from "../http/at.ts";

const missingDelete = defineRule<Record<string, never>>({
  id: "intake/missing-delete",
  severity: "warning",
  core: "error",
  summary: "A webhook intake without `delete`",
  why: "`delete` removes the registration when the last customer of its scope turns the workflow off. Without it the service keeps sending events, and each customer who tries the app leaves a dead webhook in their account.",
  guards: ["webhook.delete", "D32", "D41"],
  message: () => "Nothing deletes this webhook's registration, because the intake has no `delete`.",
  help: () =>
    'Add `delete`, for example `{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}`.',
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0",
      bad: webhook('«"submission.created"»', ""),
      good: webhook(
        '"submission.created"',
        ', "delete": {"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
      ),
    },
  ],
});

const module: RuleModule = {
  rules: [missingDelete],
  checks: {
    structure: {
      "missing-member"({ name, section, object }, report) {
        if (section.declares === "intake" && name === "delete" && !hasMember(object, name))
          report(missingDelete, ownerOf(object), {});
      },
    },
  },
};
export default module;

function webhook(name: string, more: string): string {
  return `{"type": "webhook", "name": ${name}, "scope": "workflow", "create": {"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "\${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}]}${more}}`;
}
