import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { keyOf } from "../../locate.ts";
import { removeFix } from "../workflow/remove.ts";

const needlessRouting = defineRule<{ member: string }>({
  id: "intake/needless-routing",
  severity: "hint",
  tag: "unnecessary",
  summary: "A webhook of scope `workflow` needs no `resource_id` or `account_id`",
  why: "A webhook of scope `connection` or `application` serves many workflows, so each payload must say whose it is. With the scope `workflow`, each workflow that a customer sets up has its own URL, so these members are never read.",
  guards: ["webhook.resource_id", "webhook.account_id", "webhook.scope", "D31"],
  message: ({ member }) =>
    `\`${member}\` is never read: with the scope \`workflow\` each workflow has its own URL.`,
  help: () => "Remove it, or change the scope if one registration should serve several workflows.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0",
      bad: webhook(', «"resource_id"»: {"!jq": ".form_id"}'),
      good: webhook(""),
      fixed: webhook(""),
    },
  ],
  fixes: ({ at }, { document }) => removeFix(document, at),
});

const module: RuleModule = {
  rules: [needlessRouting],
  checks: {
    intake({ node, type, scope }, report) {
      if (type !== "webhook" || scope !== "workflow") return;
      for (const member of [node.member("resource_id"), node.member("account_id")]) {
        if (member !== undefined) report(needlessRouting, keyOf(member), { member: member.name });
      }
    },
  },
};
export default module;

function webhook(more: string): string {
  return `{"type": "webhook", "name": "submission.created", "scope": "workflow", "create": {"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "\${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}]}, "delete": {"!http": {"method": "DELETE", "path": "/hooks/\${data.workflow.hook_id}"}}${more}}`;
}
