import { escapedPattern } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import type { ObjectNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { entriesOf, exchangeIn } from "../jq/exchanged-values.ts";
import { allIn } from "../workflow/commands.ts";
import { onlyBody } from "./commands-of.ts";
import { isOfPart } from "./said-of-intake.ts";

const otherMember = defineRule<{ value: string; name: string; known: string }>({
  id: "intake/other-member",
  severity: "warning",
  summary: "`update` sends a value under another name than `create`",
  why: "Both requests are about the same registration. Under another name the service ignores the value, or takes it for something else. After a change of the setup no event arrives, or the wrong ones do.",
  guards: ["webhook.create", "webhook.update", "D32"],
  message: ({ value, name, known }) =>
    `\`create\` sends \`${value}\` as \`${known}\`, but \`update\` sends it as \`${name}\`.`,
  because: ({ name, known }) => [
    `\`create\`: the service takes it as \`${known}\``,
    `\`update\`: as \`${name}\`, so \`${known}\` isn't changed`,
  ],
  help: ({ known }) => `Send it as \`${known}\` in both.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      with: {
        "/data_intake/0/create/!pipe/0/!http/body":
          '{"url": "${webhook.url}", "form": "${custom_data.form.value}"}',
      },
      bad: '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {«"target"»: "${webhook.url}", "form": "${custom_data.form.value}"}}}',
      good: '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}", "form": "${custom_data.form.value}"}}}',
    },
    {
      title: "exchanged",
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      with: {
        "/data_intake/0/create/!pipe/0/!http/body":
          '{"target": "${webhook.url}", "source": "${custom_data.form.value}"}',
      },
      bad: '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {«"source"»: "${webhook.url}", "target": "${custom_data.form.value}"}}}',
      good: '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"source": "${custom_data.form.value}", "target": "${webhook.url}"}}}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherMember],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "webhook" || !isReadable(intake, model)) return;
      const [made, changed] = ["create", "update"].map((name) => {
        const command = intake.commands.get(name);
        return command === undefined ? undefined : onlyBody(command);
      });
      const found = made === undefined || changed === undefined ? undefined : movedIn(made, changed);
      if (found === undefined) return;
      const { name, known, value } = found;
      // `PUT takes {new_url}`, or another request altogether: `/hooks/ID/target`.
      if (isShown(name, intake, model) || (allIn(intake.commands.get("update")!) ?? []).some(isOfPart))
        return;
      report(otherMember, changed!.member(name)!.key, { value, name, known });
    },
  },
};
export default module;

/** Whether a comment of the intake has the name. */
const isShown = (name: string, { node }: IntakeSymbol, model: Model): boolean => {
  if (!hasComments(model)) return false;
  const own = new RegExp(`(?<!\\w)${escapedPattern(name)}(?!\\w)`);
  return commentsBelow(node).some(({ value }) => own.test(value));
};

/** A value from outside that has another name in the second body, while all others have the same: a new one, or one that it exchanged with another. */
function movedIn(made: ObjectNode, changed: ObjectNode) {
  const [before, after] = [made, changed].map(({ members }) =>
    members.map(({ name, value }) => ({ name, text: value?.kind === "string" ? value.value : undefined })),
  ) as [Sent[], Sent[]];
  const textIn = (all: readonly Sent[], name: string): string | undefined =>
    all.find((each) => each.name === name)?.text;
  const moved = after.flatMap(({ name, text }) => {
    if (text === undefined || !/^\$[{<](?:webhook|custom_data)\./.test(text) || textIn(before, name) === text)
      return [];
    const known = before.filter((each) => each.text === text);
    return known.length === 1 && textIn(after, known[0]!.name) !== text
      ? [{ name, known: known[0]!.name, value: text }]
      : [];
  });
  const [first, second, ...others] = moved;
  if (first === undefined || others.length > 0) return undefined;
  if (second !== undefined)
    return first.name === second.known &&
      second.name === first.known &&
      !isEvident(made) &&
      !isEvident(changed)
      ? first
      : undefined;
  const own = (all: readonly Sent[], rest: readonly Sent[]): readonly Sent[] =>
    all.filter(({ name }) => !rest.some((each) => each.name === name));
  const isRenamed = own(before, after).length === 1 && own(after, before).length === 1;
  return isRenamed && after.length > 1 && own(after, before)[0]!.name === first.name ? first : undefined;
}

/** Whether the names of one request alone show it: then that is told. */
const isEvident = (body: ObjectNode): boolean => exchangeIn(entriesOf(body)) !== undefined;

interface Sent {
  readonly name: string;
  /** The text that it is. */
  readonly text: string | undefined;
}
