import { nearest } from "@configc/jq/internal";
import { defineRule } from "../../../findings/rule.ts";
import { saveScopes } from "../../../language/commands/save.ts";
import type { RootName } from "../../../language/expansion-names.ts";
import { fieldAttributes, webhookMembers } from "../../../language/expansion-names.ts";
import { roots } from "../../../language/index.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { allNames, didYouMean } from "../../message-text.ts";
import { renameFix } from "./edits.ts";
import { legalUsesIn, pathPart, written } from "./uses.ts";

const incomplete = defineRule<{ text: string; root: RootName; rest: string | undefined }>({
  id: "expansion/incomplete",
  severity: "error",
  summary: "An expansion is incomplete",
  why: "Only `polling_state` and `subdomain` can be read by name alone. The other roots need a part: the URL of the webhook, a key of a scope, the value of a field, the output of a step.",
  guards: [
    "D11",
    "D12",
    "D14",
    "expansion.webhook",
    "expansion.data",
    "expansion.custom_data",
    "expansion.piped_content",
  ],
  message: ({ text, root, rest }) =>
    `\`${text}\` is incomplete. ${rest === undefined ? `An example is \`${roots[root].example}\`` : `Write \`${text}.${rest}\``}.`,
  examples: [
    {
      title: "D11: `webhook` alone",
      in: "inbound-webhook",
      at: "/data_intake/0/update/!http/body/url",
      bad: '"${«webhook»}"',
      good: '"${webhook.url}"',
      fixed: '"${webhook.url}"',
    },
    {
      title: "D11: a scope without a key",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      bad: '"/hooks/${«data.workflow»}"',
      good: '"/hooks/${data.workflow.hook_id}"',
    },
    {
      title: "D12: a field without `value`",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/path",
      bad: '"/lists/${«custom_data.list»}/subscribers"',
      good: '"/lists/${custom_data.list.value}/subscribers"',
      fixed: '"/lists/${custom_data.list.value}/subscribers"',
    },
    {
      title: "D14: no index of a step",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/fields",
      bad: '"${«piped_content»}"',
      good: '"${piped_content.0}"',
    },
  ],
  fixes: ({ at, args }, { document }) => {
    if (args.rest === undefined) return [];
    const { node, to } = at as StringPart;
    const edits = [replaceInString(document, node, to, to, `.${args.rest}`)];
    return [{ title: `Add \`.${args.rest}\``, safe: true, edits }];
  },
});

const unknownMember = defineRule<{
  owner: string;
  name: string;
  accepted: readonly string[];
  suggestion: string | undefined;
}>({
  id: "expansion/unknown-member",
  severity: "error",
  summary: "An expansion reads a part that its root doesn't have",
  why: "The parts of `webhook`, the scopes of `data` and the parts of a form field are fixed. Any other name has no value, so the command fails for every customer.",
  guards: ["D11", "D12", "D16", "expansion.webhook", "expansion.data", "expansion.custom_data"],
  message: ({ owner, name, accepted, suggestion }) =>
    accepted.length === 0
      ? `\`${owner}\` is a string, so it has no \`${name}\`.`
      : `\`${owner}\` has no \`${name}\`.${didYouMean(suggestion)} It has ${allNames(accepted)}.`,
  examples: [
    {
      title: "D11: of `webhook`",
      in: "inbound-webhook",
      at: "/data_intake/0/update/!http/body/url",
      bad: '"${webhook.«link»}"',
      good: '"${webhook.url}"',
      fixed: '"${webhook.url}"',
    },
    {
      title: "D11: a scope that doesn't exist",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      bad: '"/hooks/${data.«workflows».hook_id}"',
      good: '"/hooks/${data.workflow.hook_id}"',
      fixed: '"/hooks/${data.workflow.hook_id}"',
    },
    {
      title: "D12: of a form field",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/path",
      bad: '"/lists/${custom_data.list.«vlaue»}/subscribers"',
      good: '"/lists/${custom_data.list.value}/subscribers"',
      fixed: '"/lists/${custom_data.list.value}/subscribers"',
    },
    {
      title: "D16: of a form field, in a jq program",
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/describe_selection/display/!jq",
      bad: '".custom_data.form.«displayed»"',
      good: '".custom_data.form.display"',
      fixed: '".custom_data.form.display"',
    },
    {
      title: "D11: of a string",
      in: "inbound-webhook",
      at: "/data_intake/0/update/!http/body/url",
      bad: '"${webhook.url.«host»}"',
      good: '"${webhook.url}"',
    },
  ],
  fixes: (finding, { document }) => {
    const { suggestion, accepted } = finding.args;
    return renameFix(finding, document, suggestion ?? (accepted.length === 1 ? accepted[0] : undefined));
  },
});

const module: RuleModule = {
  rules: [incomplete, unknownMember],
  checks: {
    part(part, report, model) {
      for (const use of legalUsesIn(part, model)) {
        const { root, names, expansion } = use;
        const form = forms[root];
        if (form === undefined) continue;
        const wrong = form.parts.findIndex((part, index) => {
          const name = names[index];
          return name !== undefined && part !== undefined && !part.includes(name.text);
        });
        const name = names[wrong];
        if (name !== undefined) {
          const accepted = form.parts[wrong] ?? [];
          const suggestion = nearest(name.text, accepted);
          // In jq a guarded read may be of anything; a near miss is still a misspelling.
          if (use.tentative() && suggestion === undefined) continue;
          report(unknownMember, name, {
            owner: written(use, wrong),
            name: name.text,
            accepted,
            suggestion,
          });
        } else if (expansion !== undefined && names.length < form.least) {
          report(incomplete, pathPart(expansion), {
            text: written(use),
            root,
            rest: form.rest(names.length),
          });
        }
      }
    },
  },
};
export default module;

interface Form {
  /** How many names there are at least below the root. */
  readonly least: number;
  /** What each of them can be; undefined: a name of the document. An empty list: nothing, the value is a string. */
  readonly parts: readonly (readonly string[] | undefined)[];
  /** What certainly completes a path of so many names. */
  rest(given: number): string | undefined;
}

const nothing: readonly string[] = [];

const forms: Readonly<Partial<Record<RootName, Form>>> = {
  webhook: { least: 1, parts: [webhookMembers, nothing], rest: () => webhookMembers[0] },
  data: { least: 2, parts: [saveScopes], rest: () => undefined },
  custom_data: {
    least: 2,
    parts: [undefined, fieldAttributes],
    rest: (given) => (given === 1 ? fieldAttributes[0] : undefined),
  },
  piped_content: { least: 1, parts: [], rest: () => undefined },
  subdomain: { least: 0, parts: [nothing], rest: () => undefined },
};
