import { nearest } from "@configc/jq/internal";
import { branded } from "../../../bind/resource.ts";
import { defineRule, type Finding, type Fix, type FixContext } from "../../../findings/rule.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { removeMember, replaceValue } from "../../edits.ts";
import { keyOf } from "../../locate.ts";
import { excerpt } from "../../words.ts";
import { memberAt } from "../http/at.ts";

const field = "/workflows/0/setup/select/form_fields/1";

const personalizeValue = defineRule<{ value: string; contact: string; near: boolean }>({
  id: "resource/personalize-value",
  severity: "error",
  summary: "The platform doesn't know this value of `personalize`",
  why: "`personalize` names the resource whose fields the customer can insert into the text as `%FIELD%`: the contact, the only one that is at hand for each item. Anything else leaves customers' texts with raw `%FIRST_NAME%` in them.",
  guards: ["D38", "field.personalize"],
  message: ({ value, contact }) =>
    `\`personalize\` is \`"${contact}"\` or \`false\`, and this is \`${excerpt(value, 40)}\`.`,
  examples: [
    {
      title: "D38: true",
      in: "outbound",
      at: `${field}/personalize`,
      bad: "«true»",
      good: '"PlatformContact"',
      fixed: '"PlatformContact"',
    },
    {
      title: "D38: another resource",
      in: "outbound",
      at: `${field}/personalize`,
      bad: '«"PlatformDeal"»',
      good: "false",
      fixed: '"PlatformContact"',
    },
    {
      title: "D38: misspelled",
      in: "outbound",
      at: `${field}/personalize`,
      bad: '«"PlatformContact.fields"»',
      good: '"PlatformContact"',
      fixed: '"PlatformContact"',
    },
  ],
  fixes: ({ at, args: { contact, near } }) => [
    { title: `Change to \`"${contact}"\``, safe: near, edits: [replaceValue(at as JsonNode, contact)] },
  ],
});

const personalizeType = defineRule<{ type: string }>({
  id: "resource/personalize-type",
  severity: "error",
  summary: "Only a `textarea` can have `personalize`",
  why: "Only in a `textarea` can a customer insert contact fields. In any other type of field they can't, so what they type or choose is sent as it is.",
  guards: ["D38", "field.personalize", "field.type"],
  message: ({ type }) => `\`personalize\` works only on a \`textarea\`, and this field is a \`${type}\`.`,
  examples: [
    {
      title: "D38",
      in: "outbound",
      at: field,
      bad: '{"id": "note", "label": "Note", "type": "dropdown", "options": [{"display": "Hi", "value": "hi"}], «"personalize"»: "PlatformContact", "required": false}',
      good: '{"id": "note", "label": "Note", "type": "textarea", "personalize": "PlatformContact", "required": false}',
      fixed:
        '{"id": "note", "label": "Note", "type": "dropdown", "options": [{"display": "Hi", "value": "hi"}], "required": false}',
    },
  ],
  fixes: removal,
});

const personalizeInbound = defineRule<Record<string, never>>({
  id: "resource/personalize-inbound",
  severity: "error",
  summary: "An inbound workflow can't have `personalize`",
  why: "Personalisation puts the fields of the contact being processed into the customer's text. An inbound workflow has no contact yet: it makes one of what comes in.",
  guards: ["D38", "field.personalize", "workflow.type"],
  message: () => "`personalize` needs a contact that is being processed, and an inbound workflow has none.",
  examples: [
    {
      title: "D38",
      in: "inbound-webhook",
      at: field,
      bad: '{"id": "note", "label": "Note", "type": "textarea", "required": false, «"personalize"»: "PlatformContact"}',
      good: '{"id": "note", "label": "Note", "type": "textarea", "required": false}',
      fixed: '{"id": "note", "label": "Note", "type": "textarea", "required": false}',
    },
  ],
  fixes: removal,
});

/** Types whose fields can't be personalised; an unknown or misspelled type is a mistake of its own. */
const otherTypes: readonly (string | undefined)[] = ["text", "dropdown", "multiselect"];

const module: RuleModule = {
  rules: [personalizeValue, personalizeType, personalizeInbound],
  checks: {
    field({ node, type, workflow }, report, { settings }) {
      const member = node.member("personalize");
      const value = member?.value;
      if (member === undefined || (value?.kind !== "string" && value?.kind !== "boolean")) return;
      if (otherTypes.includes(type)) report(personalizeType, keyOf(member), { type: type! });
      // `false` turns off what isn't there, which does no harm.
      else if (value.value === false) return;
      else if (workflow.direction === "inbound") report(personalizeInbound, keyOf(member), {});
      else {
        const contact = branded("Contact", settings);
        if (value.value === contact) return;
        const near = value.kind === "string" && nearest(value.value, [contact]) !== undefined;
        report(personalizeValue, value, { value: JSON.stringify(value.value), contact, near });
      }
    },
  },
};
export default module;

function removal({ at }: Finding, { document }: FixContext): readonly Fix[] {
  const member = memberAt(document, at);
  if (member === undefined) return [];
  return [{ title: "Remove `personalize`", safe: false, edits: [removeMember(document, member)] }];
}
