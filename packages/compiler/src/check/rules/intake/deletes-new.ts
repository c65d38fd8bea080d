import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf, savedKeys } from "../../../flow/flow.ts";
import { expansionTrails } from "../../../flow/origin.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import type { SaveScope } from "../../../language/commands/save.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";

const deletesNew = defineRule<{
  key: string;
  /** Where a `!save` has put the new one; undefined where it is read from the answer. */
  scope?: string;
}>({
  id: "intake/deletes-new",
  severity: "warning",
  summary: "`update` deletes the registration that it has just made",
  why: "A `!save` counts from the next step on. Behind the one that keeps the id of a new registration, `data` has the new id, and a `DELETE` removes what was made a moment ago. The old registration stays and keeps sending, and the new one never does.",
  guards: ["webhook.update", "expansion.data", "command.!save", "D24", "D32"],
  message: ({ key, scope }) =>
    scope === undefined
      ? `\`${key}\` is the new one here: a step before has just registered it.`
      : `\`${key}\` is the new one here: the \`!save\` before has replaced the old one.`,
  because: ({ key, scope }) => [
    scope === undefined
      ? `a step before gets the new \`${key}\``
      : `the step before saves the new \`${key}\``,
    "`DELETE` names the new registration; the old one stays",
  ],
  help: () =>
    "Read the old one in a step before the `!save`, and name it by `${piped_content.N}`. Or delete before you save.",
  examples: [
    {
      title: "D24",
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/forms/${custom_data.form.value}/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}, {"!http": {"method": "DELETE", "path": "/hooks/«${data.workflow.hook_id}»"}}]}',
      good: '{"!pipe": [{"!jq": "{old: ${data.workflow.hook_id}}"}, {"!http": {"method": "POST", "path": "/forms/${custom_data.form.value}/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}, {"!http": {"method": "DELETE", "path": "/hooks/${piped_content.1.old}"}}]}',
    },
    {
      title: "Another step's id",
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      bad: '{"!pipe": [{"!jq": "{old: ${data.workflow.hook_id}}"}, {"!http": {"method": "POST", "path": "/forms/${custom_data.form.value}/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}, {"!http": {"method": "DELETE", "path": "/hooks/«${piped_content.2.id}»"}}]}',
      good: '{"!pipe": [{"!jq": "{old: ${data.workflow.hook_id}}"}, {"!http": {"method": "POST", "path": "/forms/${custom_data.form.value}/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}, {"!http": {"method": "DELETE", "path": "/hooks/${piped_content.1.old}"}}]}',
      also: ["unused/step-output"],
    },
  ],
});

const module: RuleModule = {
  rules: [deletesNew],
  checks: {
    intake(intake, report, model) {
      const update = intake.type === "webhook" ? intake.commands.get("update") : undefined;
      const all = update === undefined ? undefined : allIn(update);
      if (all === undefined || !isReadable(intake, model)) return;
      for (const expansion of partOfUnit(intake, model).expansions) {
        const { root, rootExact, syntax, node, command } = expansion;
        const isDeleted =
          rootExact &&
          command?.key === "!http" &&
          all.includes(command) &&
          methodOf(command) === "DELETE" &&
          node.value === textOf(command.argument, "path");
        if (!isDeleted) continue;
        const at = { node, from: syntax.start, to: syntax.end };
        const [, scope = "", key = ""] = syntax.path.map(({ text }) => text);
        const save = root === "data" ? savedBefore(scope, key, command, all, model) : undefined;
        if (save !== undefined)
          report(deletesNew, at, { key, scope }, [{ message: "saved here", at: save.member.key }]);
        const made = root === "piped_content" ? madeBy(expansion, all, model) : undefined;
        if (made !== undefined)
          report(deletesNew, at, { key: syntax.path.at(-1)!.text }, [
            { message: "made here", at: made.member.key },
          ]);
      }
    },
  },
};
export default module;

const methodOf = ({ argument }: Command): string | undefined => textOf(argument, "method")?.toUpperCase();

/** The `!save` that has put a new value in a key's place. */
function savedBefore(
  scope: string,
  key: string,
  command: Command,
  all: readonly Command[],
  model: Model,
): Command | undefined {
  const by =
    savedKeys(model)
      .get(scope as SaveScope)
      ?.keys.get(key) ?? [];
  return all.find((each) => each.key === "!save" && by.includes(each) && runsBefore(each, command));
}

/** The request that registers the webhook and answers with what is read, if nothing else may be read. */
function madeBy(expansion: Expansion, all: readonly Command[], model: Model): Command | undefined {
  const trails = expansionTrails(flowOf(model), expansion);
  const [first] = trails;
  const made = first?.origin.kind === "response" ? first.origin.command : undefined;
  const isOne = trails.every(({ origin }) => origin.kind === "response" && origin.command === made);
  const { expansions } = model;
  const registers = (command: Command): boolean =>
    methodOf(command) === "POST" &&
    expansions.some((each) => each.command === command && each.root === "webhook");
  return made !== undefined && isOne && all.includes(made) && registers(made) ? made : undefined;
}

/** Whether a step of a pipe certainly runs before a command: it is an earlier step of the same pipe, or of one around it. */
function runsBefore(step: Command, command: Command): boolean {
  for (let at: Command | undefined = command; at !== undefined; at = at.parent)
    if (at.pipe !== undefined && at.pipe === step.pipe && step.parent === step.pipe)
      return step.stepsRun < at.stepsRun;
  return false;
}
