import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { keyOf } from "../../locate.ts";
import { lacksObjects } from "../intake/custom-objects.ts";
import { removeFix } from "../workflow/remove.ts";

const reviewWithoutObjects = defineRule<{ step: string }>({
  id: "setup/review-without-objects",
  severity: "hint",
  tag: "unnecessary",
  summary: "A review step in an app without custom objects",
  why: "`review_events` and `review_objects` show the customer which custom objects and events will be created. Without `objects` the customer clicks through an empty page.",
  guards: ["setup.review_events", "setup.review_objects", "document.objects", "D43"],
  message: ({ step }) => `\`${step}\` has nothing to show, because the app has no \`objects\`.`,
  help: () => "Remove the step, or define the objects in top-level `objects`.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0",
      bad: workflow(', «"review_objects"»: {"header": "What you get"}'),
      good: workflow(""),
      fixed: workflow(""),
    },
  ],
  fixes: ({ at }, { document }) => removeFix(document, at),
});

const module: RuleModule = {
  rules: [reviewWithoutObjects],
  checks: {
    workflow({ node }, report, model) {
      const setup = node.get("setup");
      if (setup?.kind !== "object") return;
      for (const step of [setup.member("review_events"), setup.member("review_objects")]) {
        if (step !== undefined && lacksObjects(model))
          report(reviewWithoutObjects, keyOf(step), { step: step.name });
      }
    },
  },
};
export default module;

function workflow(step: string): string {
  return `{"name": "acme-add", "label": "Acme - Add", "type": "automations", "auth": "acme", "setup": {"connect": {"label": "Connect", "describe_connection": {"!http": {"path": "/me"}}}${step}}, "data_pipeline": {"source": {"!resource": "PlatformContact"}, "target": {"!http": {"method": "POST", "path": "/people", "body": "\${piped_content.0}"}}}}`;
}
