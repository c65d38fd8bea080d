import { defineRule } from "../../../findings/rule.ts";
import type { MemberNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { keyOf } from "../../locate.ts";
import { removeFix } from "./remove.ts";

const reasons: Readonly<Record<string, string>> = {
  data_intake: "an outbound workflow starts with a contact of the platform and reads no intake",
  historical_data_intake: "an outbound workflow imports nothing",
  resource_type: "it names the resource that sends data, but here the platform sends",
  describe_selection: "it says which resource sends data, but here the platform sends",
};

const inboundOnly = defineRule<{ member: string }>({
  id: "workflow/inbound-only",
  severity: "warning",
  summary: "An outbound workflow has a member that only inbound ones have",
  why: "`data_intake`, `historical_data_intake`, `resource_type` and `describe_selection` are for incoming data. In a workflow of type `automations` they do nothing: no webhook is registered and nothing is polled.",
  guards: [
    "workflow.data_intake",
    "workflow.historical_data_intake",
    "workflow.resource_type",
    "select.describe_selection",
    "D43",
  ],
  message: ({ member }) => `\`${member}\` has no effect here: ${reasons[member]}.`,
  help: () => "Remove it. If the workflow should bring data in, change its `type` to `generic`.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.0}"}}',
      },
      bad: '{"label": "List", "form_fields": [{"id": "list", "label": "List", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}], «"describe_selection"»: {"resource_id": {"!jq": ".custom_data.list.value"}, "display": {"!jq": ".custom_data.list.display"}}}',
      good: '{"label": "List", "form_fields": [{"id": "list", "label": "List", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}]}',
      fixed:
        '{"label": "List", "form_fields": [{"id": "list", "label": "List", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}]}',
    },
    {
      title: "a resource type",
      in: "outbound",
      at: "/workflows/0",
      bad: workflow('«"resource_type"»: "lists", '),
      good: workflow(""),
      fixed: workflow(""),
    },
    {
      title: "an intake",
      in: "outbound",
      at: "/workflows/0",
      with: {
        "/data_intake":
          '[{"type": "polling", "name": "lists", "request": {"!jq": "{results: [], iterate: false, polling_state: {}}"}}]',
      },
      bad: workflow('«"data_intake"»: "lists", '),
      good: workflow(""),
      fixed: workflow(""),
    },
  ],
  fixes: ({ at }, { document }) => removeFix(document, at),
});

const module: RuleModule = {
  rules: [inboundOnly],
  checks: {
    workflow({ node, direction }, report) {
      if (direction !== "outbound") return;
      const setup = node.get("setup");
      const select = setup?.kind === "object" ? setup.get("select") : undefined;
      const members: (MemberNode | undefined)[] = [
        node.member("data_intake"),
        node.member("historical_data_intake"),
        node.member("resource_type"),
        select?.kind === "object" ? select.member("describe_selection") : undefined,
      ];
      for (const member of members) {
        if (member !== undefined) report(inboundOnly, keyOf(member), { member: member.name });
      }
    },
  },
};
export default module;

function workflow(member: string): string {
  return `{"name": "acme-add", "label": "Acme - Add", "type": "automations", "auth": "acme", ${member}"setup": {"connect": {"label": "Connect", "describe_connection": {"!http": {"path": "/me"}}}}, "data_pipeline": {"source": {"!resource": "PlatformContact"}, "target": {"!http": {"method": "POST", "path": "/people", "body": "\${piped_content.0}"}}}}`;
}
