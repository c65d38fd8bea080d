import type { Command } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf, savedKeys } from "../../../flow/flow.ts";
import { finalObject, literalMembers } from "../../../flow/literal-object.ts";
import { outputTrails } from "../../../flow/origin.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { resultsOf } from "../../../flow/result.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";

const unsavedUpdate = defineRule<{ keys: readonly string[] }>({
  id: "intake/unsaved-update",
  severity: "warning",
  summary: "`update` makes what `create` saves, and doesn't save it",
  why: "The answer to a change may have new values, such as a new secret. Nothing reads the output of `update`, so without a `!save` the old values stay: deliveries are refused, or the registration can't be removed.",
  guards: ["webhook.update", "command.!save", "D24", "D32"],
  message: ({ keys }) =>
    `\`update\` takes ${allNames(keys)} from the answer, as \`create\` does before its \`!save\`, but saves nothing.`,
  because: ({ keys }) => [
    "nothing reads the output of `update`",
    `later, \`${keys[0]}\` is still the one that \`create\` saved`,
  ],
  help: () => "Put a `!save` behind it, as in `create`, or remove the step.",
  examples: [
    {
      title: "D24",
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      bad: '{"!pipe": [{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}, {«"!jq"»: "{hook_id: .id}"}]}',
      good: '{"!pipe": [{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}]}',
      also: ["unused/last-step"],
    },
  ],
});

const module: RuleModule = {
  rules: [unsavedUpdate],
  checks: {
    // What is saved is looked up over all parts.
    reach: "saved",
    intake(intake, report, model) {
      const [create, update] = ["create", "update"].map((name) => intake.commands.get(name));
      if (intake.type !== "webhook" || create === undefined || update === undefined) return;
      if (!isReadable(intake, model)) return;
      const saved = savedBy(create, model);
      if (saved.size === 0 || allIn(update)?.every(({ key }) => key !== "!save") !== true) return;
      for (const result of resultsOf(update)) {
        const keys = result.key === "!jq" && result !== update ? takenBy(result, update, model) : undefined;
        if (keys === undefined || !keys.every((key) => saved.has(key))) continue;
        report(unsavedUpdate, result.member.key, { keys });
      }
    },
  },
};
export default module;

/** The keys that `create` saves. */
const savedBy = (create: Command, model: Model): ReadonlySet<string> =>
  new Set(
    [...savedKeys(model).values()].flatMap(({ keys }) =>
      [...keys].flatMap(([key, saves]) =>
        saves.some((save) => outermostCommand(save) === create) ? [key] : [],
      ),
    ),
  );

/** The members of the object that a step of `update` makes, where each is taken from the answer to a request of its own. */
function takenBy(step: Command, update: Command, model: Model): readonly string[] | undefined {
  const { program } = step;
  if (program === undefined || program.diagnostics.length > 0) return undefined;
  const object = finalObject(program);
  const members = object === undefined ? undefined : literalMembers(object);
  if (members === undefined || members.size === 0) return undefined;
  const keys = [...members.keys()];
  const isTaken = keys.every((key) => {
    const [trail, ...others] = outputTrails(flowOf(model), step, [key]);
    if (trail?.origin.kind !== "response" || others.length > 0) return false;
    return outermostCommand(trail.origin.command) === update;
  });
  return isTaken ? keys : undefined;
}
