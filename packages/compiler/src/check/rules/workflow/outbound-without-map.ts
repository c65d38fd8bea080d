import { mayBeIncomplete } from "../../../bind/incomplete-object.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { ownerOf } from "../../locate.ts";
import { hasMember } from "../http/at.ts";

const outboundWithoutMap = defineRule<Record<string, never>>({
  id: "workflow/outbound-without-map",
  severity: "hint",
  summary: "An outbound workflow has no mapping step",
  why: "Without `map` the pipeline gets the whole contact, including custom fields. With it, customers decide which fields leave the platform and where they go.",
  guards: ["setup.map", "events.7", "D43"],
  message: () =>
    "Without a `map` step the pipeline gets the whole contact instead of the fields that the customer chose.",
  help: () => "Add `map`, unless the workflow needs no fields of the contact, or always the same ones.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0",
      bad: workflow(""),
      good: workflow(
        ', "map": {"label": "Map", "describe_source": {"label": "Contact", "options": {"!resource": "PlatformContact.fields"}}, "describe_target": {"label": "Person", "options": [{"title": "Email", "id": "email"}]}}',
      ),
    },
  ],
});

const module: RuleModule = {
  rules: [outboundWithoutMap],
  checks: {
    workflow({ node, direction }, report, { document }) {
      const setup = node.get("setup");
      if (direction !== "outbound" || setup?.kind !== "object" || hasMember(setup, "map")) return;
      if (!mayBeIncomplete(document, setup)) report(outboundWithoutMap, ownerOf(setup), {});
    },
  },
};
export default module;

function workflow(map: string): string {
  const setup = `${map === "" ? '«"setup"»' : '"setup"'}: {"connect": {"label": "Connect", "describe_connection": {"!http": {"path": "/me"}}}${map}}`;
  return `{"name": "acme-add", "label": "Acme - Add", "type": "automations", "auth": "acme", ${setup}, "data_pipeline": {"source": {"!resource": "PlatformContact"}, "target": {"!http": {"method": "POST", "path": "/people", "body": "\${piped_content.0}"}}}}`;
}
