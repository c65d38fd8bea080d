import { escapedPattern } from "@configc/jq/internal";
import type { Command, Expansion, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { mayBeSame, nounOf, nounOfId } from "../../../flow/nouns.ts";
import { expansionTrails } from "../../../flow/origin.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { type JsonNode, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";

const savedOtherId = defineRule<{ key: string; member: string; list: string }>({
  id: "intake/saved-other-id",
  severity: "warning",
  summary: "What names a registration is an id that `create` sent itself",
  why: "The answer to a registration repeats what was sent beside the id of the new registration. If a sent id is saved instead, `update` and `delete` ask for a registration that isn't there. The service says 404, which counts as deleted, and events keep coming.",
  guards: ["webhook.create", "webhook.delete", "expansion.data", "D32"],
  message: ({ key, member, list }) =>
    `\`${key}\` is the \`${member}\` that \`create\` sent, and not the id that \`/${list}\` gave the registration.`,
  because: ({ member, list }) => [
    `\`create\` sends \`${member}\`, and the answer repeats it`,
    `\`/${list}/…\` with it finds nothing: 404`,
    "the platform takes 404 as deleted, and events keep coming",
  ],
  help: () => "Save the id of the registration, such as `.id`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      with: {
        "/data_intake/0/create":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}", "form_id": "${custom_data.form.value}"}}}, {"!jq": "{hook_id: .id, form_hook_id: .form_id}"}, {"!save": {"scope": "workflow"}}]}',
        "/data_intake/0/update": undefined,
      },
      bad: '"/hooks/«${data.workflow.form_hook_id}»"',
      good: '"/hooks/${data.workflow.hook_id}"',
    },
  ],
});

const module: RuleModule = {
  rules: [savedOtherId],
  checks: {
    intake(intake, report, model) {
      const create = intake.type === "webhook" ? intake.commands.get("create") : undefined;
      if (create === undefined || !isReadable(intake, model)) return;
      const told = new Set<string>();
      for (const expansion of partOfUnit(intake, model).expansions) {
        const found = otherIdIn(expansion, create, intake, model);
        if (found === undefined || told.has(found.key)) continue;
        told.add(found.key);
        const { node, syntax } = expansion;
        report(savedOtherId, { node, from: syntax.start, to: syntax.end }, found);
      }
    },
  },
};
export default module;

function otherIdIn(expansion: Expansion, create: Command, intake: IntakeSymbol, model: Model) {
  const { root, rootExact, syntax, node, command, unit, position } = expansion;
  if (unit !== intake || root !== "data" || !rootExact || position !== "path" || command === undefined)
    return undefined;
  if (outermostCommand(command) === create || syntax.problem !== undefined) return undefined;
  const list = /([\w-]+)\/$/.exec(node.value.slice(0, syntax.start))?.[1];
  const key = syntax.path[2]?.text;
  const noun = list === undefined ? undefined : nounOf(list);
  if (list === undefined || noun === undefined || key === undefined) return undefined;
  const trails = expansionTrails(flowOf(model), expansion);
  const [trail, ...others] = trails;
  if (trail?.origin.kind !== "response" || others.length > 0) return undefined;
  const { command: answered, path } = trail.origin;
  for (const asked of allIn(create) ?? []) {
    if (asked.key !== "!http" || asked.argument?.kind !== "object") continue;
    if (!/^post$/i.test(textOf(asked.argument, "method") ?? "")) continue;
    // It is the list that the registration was put into.
    const made = (textOf(asked.argument, "path") ?? "").split("?")[0]?.split("/");
    if (made?.findLast((each) => each !== "") !== list) continue;
    for (const { name, value } of sentIn(asked.argument.get("body"))) {
      const other = nounOfId(name);
      const isUrl = /^\$[{<]webhook\.url[}>]$/.test(value);
      if (isUrl ? mayBeSame("url", noun) : other === undefined || mayBeSame(other, noun)) continue;
      if (answered !== asked || path.at(-1) !== name) continue;
      return isNamedBy(other ?? "url", list, intake, model) ? undefined : { key, member: name, list };
    }
  }
  return undefined;
}

/** Whether a comment says that registrations are named by that: `/hooks/FORM`, `addressed by the form`. */
function isNamedBy(noun: string, list: string, { node }: IntakeSymbol, model: Model): boolean {
  if (!hasComments(model)) return false;
  const own = escapedPattern(noun);
  const form = new RegExp(
    `/${escapedPattern(list)}/[:{<$]{0,2}${own}\\b|\\b(?:addressed|named|known|keyed|found) by (?:its|the|their) ${own}\\b`,
    "i",
  );
  return commentsBelow(node).some(({ value }) => form.test(value));
}

interface SentValue {
  readonly name: string;
  readonly value: string;
}

/** The members of a body that an expansion gives, at any depth. */
function sentIn(node: JsonNode | undefined): readonly SentValue[] {
  if (node?.kind === "array") return node.items.flatMap(sentIn);
  if (node?.kind !== "object") return [];
  return node.members.flatMap(({ name, value }) =>
    value?.kind === "string" && /^\$[{<]/.test(value.value) ? [{ name, value: value.value }] : sentIn(value),
  );
}
