import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import {
  type UnseenArgs,
  unseenCheck,
  unseenFix,
  unseenHelp,
  unseenMessage,
} from "../response/sample-member.ts";

const guards = ["data_pipeline.source", "D16", "D31"];

const message = unseenMessage((sender) => `what the webhook \`${sender}\` sends`);

const source = "/workflows/0/data_pipeline/source";
const payload = (name: string, answers: readonly object[]) => ({
  name,
  webhook: "submission.created",
  payload: { answers: answers as never },
});

const misspelled = defineRule<UnseenArgs>({
  id: "payload/misspelled-member",
  severity: "warning",
  summary: "The name of a payload member looks like a misspelling of one in the samples",
  why: "What the webhook sent so far has no such member, and one whose name differs by a slip. What is read is null then: the field stays empty for every record that arrives.",
  guards,
  message,
  help: unseenHelp,
  fixes: unseenFix,
  examples: [
    {
      in: "inbound-webhook",
      at: source,
      bad: '{"!jq": "{email: .answers[0]«.vlaue»}"}',
      good: '{"!jq": "{email: .answers[0].value}"}',
      fixed: '{"!jq": "{email: .answers[0].value}"}',
      samples: { payloads: [payload("webhook-submission-created.json", [{ key: "email", value: "text" }])] },
    },
  ],
});

const answers = Array.from({ length: 6 }, (_, id) => ({ id, key: "email", value: "text" }));

const unseen = defineRule<UnseenArgs>({
  id: "payload/unseen-member",
  severity: "info",
  summary: "No sample has this member of a webhook's payload",
  why: "Ten objects and more were seen in several payloads, or three that all lack this member and have one of a similar name. It may be one that few have; if so, keep a payload with it among the samples, and if the name comes from an older version of the webhook, there is another now.",
  guards,
  message,
  help: unseenHelp,
  examples: [
    {
      in: "inbound-webhook",
      at: source,
      bad: '{"!jq": "{email: .answers[0]«.content»}"}',
      good: '{"!jq": "{email: .answers[0].value}"}',
      samples: { payloads: [payload("webhook-1.json", answers), payload("webhook-2.json", answers)] },
    },
  ],
});

const module: RuleModule = {
  rules: [misspelled, unseen],
  checks: { document: unseenCheck("payload", { slip: misspelled, other: unseen }) },
};
export default module;
