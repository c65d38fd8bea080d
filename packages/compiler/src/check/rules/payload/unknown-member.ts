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
  summary: "A payload member looks misspelled, compared with the samples",
  why: "The webhook's samples have no such member, but one with a similar name. The value is then null, so the field stays empty for every record.",
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
  summary: "No sample of the webhook's payload has this member",
  why: "At least ten objects in several payloads lack this member, or three that have one with a similar name. The member may be rare: then add a payload with it to the samples. Or it has a new name in the current version of the webhook.",
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
