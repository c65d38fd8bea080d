import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { ownerOf } from "../../locate.ts";

/** One delivery may be an exception, a test of the sender's for instance. */
const ENOUGH = 2;

const unnumbered = defineRule<{ readonly samples: number }>({
  id: "intake/unnumbered",
  severity: "hint",
  summary: "The webhook's deliveries have no id",
  why: "A sender that gets no answer sends again. With the sender's id, a delivery that arrives twice is carried over once. Without one, an equal payload counts as the same only while the first one waits: a later retry is carried over twice, and of two equal changes at once one is lost.",
  guards: ["webhook.delivery_id", "D51"],
  message: ({ samples }) =>
    `None of the ${samples} recorded deliveries has an id from the sender, so a repeated one may be carried over twice.`,
  help: () =>
    'If the payload or the query has one, name it: `"delivery_id": {"!jq": ".body.event_id"}`. Otherwise suppress this with `"_comment": "configc-ignore intake/unnumbered: it sends none"`.',
  examples: [
    {
      title: "D51",
      in: "inbound-webhook",
      at: "/data_intake/0",
      bad: webhook('«"submission.created"»', ""),
      good: webhook('"submission.created"', ', "delivery_id": {"!jq": ".body.event_id"}'),
      samples: { payloads: [payload(1), payload(2)] },
    },
  ],
});

const module: RuleModule = {
  rules: [unnumbered],
  checks: {
    document({ intakes, samples }, report) {
      for (const { type, name, node, commands } of intakes) {
        if (type !== "webhook" || commands.has("delivery_id")) continue;
        const own = samples.payloads.filter(
          ({ webhook: of, numbered }) => of === name && numbered !== undefined,
        );
        if (own.length >= ENOUGH && own.every(({ numbered }) => numbered === false))
          report(unnumbered, ownerOf(node), { samples: own.length });
      }
    },
  },
};
export default module;

function webhook(name: string, more: string): string {
  return `{"type": "webhook", "name": ${name}, "scope": "workflow", "create": {"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "\${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}]}, "delete": {"!http": {"method": "DELETE", "path": "/hooks/\${data.workflow.hook_id}"}}${more}}`;
}

function payload(n: number) {
  const answers = [{ key: "email", value: "person@example.com" }];
  return {
    name: `webhook-${n}.json`,
    webhook: "submission.created",
    numbered: false,
    payload: { event_id: `e${n}`, form_id: 1, answers },
  };
}
