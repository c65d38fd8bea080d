import { nearest } from "@configc/jq/internal";
import type { WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import { mayBeIncomplete } from "../../../bind/incomplete-object.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { resourceSettings } from "../../../options/settings.ts";
import type { RuleModule } from "../../checks.ts";
import { addMember, replaceValue } from "../../edits.ts";
import { keyOf, ownerOf } from "../../locate.ts";
import { valueAt } from "../http/at.ts";
import { targetResources } from "../workflow/platform-side.ts";
import { optionsOf, textIn } from "./options.ts";

const KEY = "email";

const emailNotRequired = defineRule<{ present: boolean; near: string | undefined }>({
  id: "mapping/email-not-required",
  severity: "warning",
  summary: "An inbound mapping doesn't require the target field `email`",
  why: "Contacts are found and created by their `email`. If customers can finish the setup without mapping it, all their items fail, and they notice only once data comes in.",
  guards: ["events.8", "option.required", "describe_target.options", "D25", "D43"],
  message: ({ present, near }) =>
    present
      ? "The target field `email` must be required, because contacts are created by it."
      : `The target fields lack \`email\`, which contacts are created by.${near === undefined ? "" : ` \`${near}\` isn't the same.`}`,
  help: ({ present }) =>
    present
      ? 'Add `"required": true`.'
      : 'Add `{"title": "Email", "id": "email", "required": true}`, or take the fields from `{"!resource": "PlatformContact.fields"}`.',
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/map/describe_target/options",
      bad: '[{"title": "Email", "id": «"email"»}, {"title": "Phone", "id": "phone"}]',
      good: '[{"title": "Email", "id": "email", "required": true}, {"title": "Phone", "id": "phone"}]',
      fixed: '[{"title": "Email", "id": "email", "required": true}, {"title": "Phone", "id": "phone"}]',
    },
    {
      title: "said to be optional",
      in: "inbound-webhook",
      at: "/workflows/0/setup/map/describe_target/options",
      bad: '[{"title": "Email", "id": "email", "required": «false»}]',
      good: '[{"title": "Email", "id": "email", "required": true}]',
      fixed: '[{"title": "Email", "id": "email", "required": true}]',
    },
    {
      title: "no such field",
      in: "inbound-webhook",
      at: "/workflows/0/setup/map/describe_target",
      bad: '{"label": "Contact", «"options"»: [{"title": "Phone", "id": "phone"}]}',
      good: '{"label": "Contact", "options": [{"title": "Email", "id": "email", "required": true}]}',
    },
  ],
  fixes: ({ at, args }, { document }) => {
    if (!args.present) return [];
    const value = valueAt(document, at);
    const title = "Require `email`";
    if (value?.kind === "boolean") return [{ title, safe: true, edits: [replaceValue(value, true)] }];
    const option = value?.parent?.kind === "member" ? value.parent.parent : undefined;
    if (option === undefined) return [];
    return [{ title, safe: true, edits: [addMember(document, option, "required", true)] }];
  },
});

const module: RuleModule = {
  rules: [emailNotRequired],
  checks: {
    map(map, report, model) {
      const { workflow } = map;
      if (workflow.direction !== "inbound") return;
      const options = optionsOf(map, "target", model);
      // An empty list is another mistake, and one that isn't complete says nothing.
      if (options?.list === undefined || options.list.length === 0) return;
      if (options.list.some(({ id }) => id?.value === undefined)) return;
      const emails = options.list.filter(({ id }) => textIn(id) === KEY);
      if (emails.some(({ required }) => required?.value?.kind === "boolean" && required.value.value)) return;
      if (mayBeIncomplete(model.document, map.node) || !writesContacts(workflow, model)) return;
      const [email] = emails;
      if (email === undefined) {
        const ids = options.list.flatMap(({ id }) => textIn(id) ?? []);
        report(emailNotRequired, keyOf(options.member), { present: false, near: nearest(KEY, ids) });
        return;
      }
      const required = email.required?.value;
      if (email.required !== undefined && required?.kind !== "boolean") return;
      report(emailNotRequired, required ?? ownerOf(email.node), { present: true, near: undefined });
    },
  },
};
export default module;

/** Whether the pipeline writes to contacts: deals and accounts have keys of their own. */
function writesContacts(workflow: WorkflowSymbol, model: Model): boolean {
  const prefix = resourceSettings(model.settings).prefix;
  return targetResources(workflow, model).some((resource) => {
    const [name] = resource.split(".");
    return name === prefix || name === `${prefix}Contact`;
  });
}
