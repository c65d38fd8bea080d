import type { Command } from "../../../bind/bound-nodes.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { savedKeys } from "../../../flow/flow.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import type { SaveScope } from "../../../language/commands/save.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";

const deletesNew = defineRule<{ key: string; scope: string }>({
  id: "intake/deletes-new",
  severity: "warning",
  summary: "`update` deletes the registration that it has just made",
  why: "A `!save` counts from the next step on. Behind the one that keeps the id of a new registration, `data` has the new id, and a `DELETE` removes what was made a moment ago. The old registration stays and keeps sending, and the new one never does.",
  guards: ["webhook.update", "expansion.data", "command.!save", "D24", "D32"],
  message: ({ key }) => `\`${key}\` is the new one here: the \`!save\` before has replaced the old one.`,
  because: ({ key }) => [
    `the step before saves the new \`${key}\``,
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
  ],
});

const module: RuleModule = {
  rules: [deletesNew],
  checks: {
    intake(intake, report, model) {
      const update = intake.type === "webhook" ? intake.commands.get("update") : undefined;
      const all = update === undefined ? undefined : allIn(update);
      if (all === undefined || !isReadable(intake, model)) return;
      const saves = all.filter(({ key }) => key === "!save");
      if (saves.length === 0) return;
      for (const { root, rootExact, syntax, node, command } of partOfUnit(intake, model).expansions) {
        const isDeleted =
          root === "data" &&
          rootExact &&
          command?.key === "!http" &&
          all.includes(command) &&
          textOf(command.argument, "method")?.toUpperCase() === "DELETE" &&
          node.value === textOf(command.argument, "path");
        const [, scope, key] = syntax.path.map(({ text }) => text);
        if (!isDeleted || scope === undefined || key === undefined) continue;
        const by =
          savedKeys(model)
            .get(scope as SaveScope)
            ?.keys.get(key) ?? [];
        const save = saves.find((each) => by.includes(each) && runsBefore(each, command));
        if (save !== undefined)
          report(deletesNew, { node, from: syntax.start, to: syntax.end }, { key, scope }, [
            { message: "saved here", at: save.member.key },
          ]);
      }
    },
  },
};
export default module;

/** Whether a step of a pipe certainly runs before a command: it is an earlier step of the same pipe, or of one around it. */
function runsBefore(step: Command, command: Command): boolean {
  for (let at: Command | undefined = command; at !== undefined; at = at.parent)
    if (at.pipe !== undefined && at.pipe === step.pipe && step.parent === step.pipe)
      return step.stepsRun < at.stepsRun;
  return false;
}
