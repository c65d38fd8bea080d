import { defineRule } from "../../../findings/rule.ts";
import { dialectOf } from "../../../options/settings.ts";
import type { RuleModule } from "../../checks.ts";
import { ownerOf } from "../../locate.ts";
import { otherIntake, secondWorkflow } from "../expansion/example-workflow.ts";

const NAME = '"acme-import-others"';
const outbound =
  '{"name": "acme-add", "label": "Acme - Add", "type": "automations", "auth": "acme", "setup": {"connect": {"label": "Connect", "describe_connection": {"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{account_id: .id, description: .name}"}]}}}, "data_pipeline": {"source": {"!resource": "PlatformContact"}, "target": {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.0}"}}}}';

const secondInbound = defineRule<{ limit: number }>({
  id: "workflow/second-inbound",
  severity: "warning",
  summary: "Some platforms take only one inbound workflow per app",
  why: "Some platforms show customers only one way to bring data in per app. A second inbound workflow makes them refuse the whole app, or customers never see it.",
  guards: ["workflow.type", "D47"],
  message: ({ limit }) =>
    `Some platforms take only ${limit === 1 ? "one inbound workflow" : `${limit} inbound workflows`} per app.`,
  help: () =>
    'Move it to its own app, or combine both with a historical import. If your platform takes several, say so in its dialect: `"limits": {"inboundWorkflows": null}`.',
  examples: [
    {
      title: "D47",
      in: "inbound-webhook",
      with: { "/data_intake/1": otherIntake },
      at: "/workflows/1",
      bad: secondWorkflow("form", "other.created").replace(NAME, `«${NAME}»`),
      good: outbound,
    },
    {
      title: "D44: a platform that takes two",
      in: "inbound-webhook",
      settings: { dialect: { limits: { inboundWorkflows: 2 } } },
      with: { "/data_intake/1": otherIntake, "/workflows/1": secondWorkflow("form", "other.created") },
      at: "/workflows/2",
      bad: secondWorkflow("form", "other.created").replace(NAME, '«"acme-import-more"»'),
      good: outbound,
    },
  ],
});

const module: RuleModule = {
  rules: [secondInbound],
  checks: {
    document({ workflows, settings }, report) {
      const limit = dialectOf(settings).limits.inboundWorkflows;
      if (limit === null) return;
      const inbound = workflows.filter(({ direction }) => direction === "inbound");
      for (const { node } of inbound.slice(limit)) report(secondInbound, ownerOf(node), { limit });
    },
  },
};
export default module;
