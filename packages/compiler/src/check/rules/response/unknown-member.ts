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
  summary: "The name of a response member looks like a misspelling of one in the samples",
  why: "The recorded responses have no such member, and one whose name differs by a slip. What is read is null then: an empty label in the form, a field that stays empty for every customer.",
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
  summary: "No sample has this member of the response",
  why: "Ten objects and more were seen in several responses, or three that all lack this member and have one of a similar name. It may be one that few have; if so, record a response with it, and if the name comes from an older version of the API, there is another now.",
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
