import type { Command, FieldSymbol, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";
import { onlyBody } from "./commands-of.ts";
import { isSaid } from "./said-of-intake.ts";

const updateWithoutField = defineRule<{ member: string; field: string }>({
  id: "intake/update-without-field",
  severity: "warning",
  summary: "`update` doesn't send what a customer chose anew",
  why: "`update` runs because the setup was changed. If it leaves out a choice that `create` sends, the service goes on with the old one: events come from what the customer no longer wants, and none from the new choice.",
  guards: ["webhook.create", "webhook.update", "D32"],
  message: ({ member, field }) =>
    `\`create\` sends \`${member}\` with the form field \`${field}\`, but \`update\` doesn't read \`${field}\`.`,
  because: ({ field }) => [
    `a customer chooses another \`${field}\`: \`update\` runs`,
    "the registration still has the old choice",
  ],
  help: ({ member, field }) => `Send \`${member}\` with \`\${custom_data.${field}.value}\` here, too.`,
  examples: [
    {
      title: "D32",
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      with: {
        "/data_intake/0/create/!pipe/0/!http":
          '{"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}", "form": "${custom_data.form.value}"}}',
        "/data_intake/0/delete": '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
      },
      bad: '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": «{"url": "${webhook.url}"}»}}',
      good: '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}", "form": "${custom_data.form.value}"}}}',
    },
  ],
});

const module: RuleModule = {
  rules: [updateWithoutField],
  checks: {
    reach: "linked",
    intake(intake, report, model) {
      if (intake.type !== "webhook" || !isReadable(intake, model)) return;
      const [create, update] = ["create", "update"].map((name) => intake.commands.get(name));
      const [made, changed] = [create, update].map((command) =>
        command === undefined ? undefined : onlyBody(command),
      );
      if (made === undefined || changed === undefined || update === undefined) return;
      const read = fieldsRead(intake, update, model);
      if (read === undefined) return;
      for (const { name, value } of made.members) {
        const field =
          value === undefined || changed.get(name) !== undefined ? undefined : fieldIn(value, intake, model);
        if (field === undefined || read.has(field) || isSaid(isFixed, intake, model)) continue;
        report(updateWithoutField, changed, { member: name, field });
        return;
      }
    },
  },
};
export default module;

/** `PUT takes url alone`, `the form of a hook can't be changed` */
const isFixed =
  /\b(?:PUT|PATCH|updates?|changes?)\b[^.;]{0,40}\b(?:alone|only|nothing but|just)\b|\b(?:can't|cannot|can not|never|isn't|is not|not) (?:be )?(?:changed|moved|altered|changeable)\b/i;

/** The fields that a command reads; undefined where it may read any. */
function fieldsRead(intake: IntakeSymbol, command: Command, model: Model): ReadonlySet<string> | undefined {
  const fields = new Set<string>();
  for (const { root, rootExact, syntax, command: own } of partOfUnit(intake, model).expansions) {
    if (own === undefined || outermostCommand(own) !== command) continue;
    if (root === undefined || !rootExact) return undefined;
    if (root === "custom_data") fields.add(syntax.path[1]?.text ?? "");
  }
  const reads = allIn(command)?.some(({ program }) =>
    /custom_data/.test(program?.node.value.replace(/\$[{<][^}>]*[}>]/g, "") ?? ""),
  );
  return fields.has("") || reads === true ? undefined : fields;
}

/** The form field that is all of a value. */
function fieldIn(value: JsonNode, intake: IntakeSymbol, model: Model): FieldSymbol["id"] | undefined {
  const own = partOfUnit(intake, model).expansions.filter(({ node }) => node === value);
  const [expansion, ...others] = own;
  if (expansion?.root !== "custom_data" || others.length > 0 || !expansion.rootExact) return undefined;
  // What is only shown names nothing.
  return expansion.syntax.path[2]?.text === "value" ? expansion.syntax.path[1]?.text : undefined;
}
