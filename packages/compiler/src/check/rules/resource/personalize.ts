import { nearest } from "@configc/jq/internal";
import { branded } from "../../../bind/resource.ts";
import { defineRule, type Finding, type Fix, type FixContext } from "../../../findings/rule.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { removeMember, replaceValue } from "../../edits.ts";
import { keyOf } from "../../locate.ts";
import { excerpt } from "../../message-text.ts";
import { memberAt } from "../http/at.ts";

const field = "/workflows/0/setup/select/form_fields/1";

const personalizeValue = defineRule<{ value: string; contact: string; near: boolean }>({
  id: "resource/personalize-value",
  severity: "error",
  summary: "The platform doesn't know this value of `personalize`",
  why: "`personalize` names the resource whose fields the customer can insert as `%FIELD%`. Only the contact is available for each item. Any other value leaves a raw `%FIRST_NAME%` in customers' texts.",
  guards: ["D38", "field.personalize"],
  message: ({ value, contact }) =>
    `\`personalize\` must be \`"${contact}"\` or \`false\`. It is \`${excerpt(value, 40)}\`.`,
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
  why: "Customers can insert contact fields only in a `textarea`. In any other field, what they type or choose is sent unchanged.",
  guards: ["D38", "field.personalize", "field.type"],
  message: ({ type }) => `\`personalize\` works only on a \`textarea\`, but this field is a \`${type}\`.`,
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
  why: "Personalisation inserts fields of the processed contact into the customer's text. An inbound workflow has no contact yet: it creates one from the incoming data.",
  guards: ["D38", "field.personalize", "workflow.type"],
  message: () => "`personalize` needs a contact, but an inbound workflow has none yet.",
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
