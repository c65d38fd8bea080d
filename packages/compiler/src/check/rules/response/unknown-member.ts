import type { RuleModule } from "../../checks.ts";
import { defineRule, type Finding, type Fix, type FixContext, type RuleExample } from "../../rule.ts";
import { didYouMean, oneOfNames } from "../../words.ts";
import { groupedReads, renameRead } from "./rename.ts";
import { type UnseenArgs, unseenMembers } from "./sample-member.ts";

const guards = ["command.!http", "D20"];

const message = ({ name, request, path, objects, suggestion }: UnseenArgs): string => {
  const place =
    path === "." ? `the response to \`${request}\`` : `\`${path}\` in the response to \`${request}\``;
  const all =
    objects === 1 ? "the one sample of it has none" : `none of the ${objects} objects in the samples has it`;
  return `\`${name}\` is read of ${place}, and ${all}.${didYouMean(suggestion)}`;
};

const help = ({ name, suggestion, shown, counterexample, members }: UnseenArgs): string => {
  const seen = suggestion === undefined || shown === undefined ? "" : `\`${suggestion}\` is ${shown}. `;
  return `${seen}\`${name}\` would be missing at ${counterexample}, which has ${oneOfNames(members).replace(" or ", " and ")}.`;
};

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
  summary: "A member of a response is read by a name that looks like a slip of one that the samples have",
  why: "The recorded responses have no such member, and one whose name differs by a slip. What is read is null then: an empty label in the form, a field that stays empty for every customer.",
  guards,
  message,
  help,
  fixes: changeFix,
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
  summary: "A member of a response is read that no sample has, though there are many",
  why: "Ten objects and more were seen in several responses, and none had this member. It may be one that few have; if so, record a response with it, and if the name comes from an older version of the API, there is another now.",
  guards,
  message,
  help,
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
  checks: {
    document(model, report) {
      for (const [first, ...others] of groupedReads(unseenMembers(model))) {
        const related = others.map(({ at }) => ({ message: "also read here", at }));
        report(first.slip ? misspelled : unseen, first.at, first.args, related);
      }
    },
  },
};
export default module;

function changeFix({ at, args }: Finding<UnseenArgs>, { document, model }: FixContext): Fix[] {
  const read = unseenMembers(model).find((each) => each.at === at);
  return read === undefined ? [] : renameRead(read, args.suggestion, document);
}
