import { defineRule, type RuleExample } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { type UnseenArgs, unseenCheck, unseenFix, unseenHelp, unseenMessage } from "./sample-member.ts";

const guards = ["command.!http", "D20"];

const message = unseenMessage((sender) => `the response to \`${sender}\``);

const sample = (name: string, items: readonly object[]) => ({
  name,
  method: "GET",
  url: "/forms",
  status: 200,
  body: { items: items as never },
});

const options = "/workflows/0/setup/select/form_fields/0/options";
const bad: Pick<RuleExample, "samples"> = {
  samples: {
    responses: [
      sample("get-forms.json", [
        { id: 1, title: "Newsletter" },
        { id: 2, title: "Contact" },
      ]),
    ],
  },
};

const misspelled = defineRule<UnseenArgs>({
  id: "response/misspelled-member",
  severity: "warning",
  summary: "A response member looks misspelled, compared with the samples",
  why: "The recorded responses have no such member, but one with a similar name. The value is then null: an empty label in the form, a field that stays empty for every customer.",
  guards,
  message,
  help: unseenHelp,
  fixes: unseenFix,
  examples: [
    {
      in: "inbound-webhook",
      at: options,
      bad: '{"!pipe": [{"!http": {"path": "/forms"}}, {"!jq": "[.items[] | {display: «.titel», value: .id}]"}]}',
      good: '{"!pipe": [{"!http": {"path": "/forms"}}, {"!jq": "[.items[] | {display: .title, value: .id}]"}]}',
      fixed:
        '{"!pipe": [{"!http": {"path": "/forms"}}, {"!jq": "[.items[] | {display: .title, value: .id}]"}]}',
      ...bad,
    },
  ],
});

const forms = Array.from({ length: 6 }, (_, id) => ({ id, title: `Form ${id}` }));

const unseen = defineRule<UnseenArgs>({
  id: "response/unseen-member",
  severity: "info",
  summary: "No sample of the response has this member",
  why: "At least ten objects in several responses lack this member, or three that have one with a similar name. The member may be rare: then record a response with it. Or it has a new name in the current version of the API.",
  guards,
  message,
  help: unseenHelp,
  examples: [
    {
      in: "inbound-webhook",
      at: options,
      bad: '{"!pipe": [{"!http": {"path": "/forms"}}, {"!jq": "[.items[] | {display: «.headline», value: .id}]"}]}',
      good: '{"!pipe": [{"!http": {"path": "/forms"}}, {"!jq": "[.items[] | {display: .title, value: .id}]"}]}',
      samples: { responses: [sample("get-forms-1.json", forms), sample("get-forms-2.json", forms)] },
    },
  ],
});

const module: RuleModule = {
  rules: [misspelled, unseen],
  checks: { document: unseenCheck("response", { slip: misspelled, other: unseen }) },
};
export default module;
