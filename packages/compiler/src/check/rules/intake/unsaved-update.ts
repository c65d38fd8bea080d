import { escapedPattern } from "@configc/jq/internal";
import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf, savedKeys } from "../../../flow/flow.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { finalObject, literalMembers } from "../../../flow/literal-object.ts";
import { outputTrails } from "../../../flow/origin.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { resultsOf } from "../../../flow/result.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { readsOf } from "../state/reads.ts";
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

const staleValue = defineRule<{ key: string; field: string }>({
  id: "intake/stale-value",
  severity: "warning",
  summary: "What `create` saves of a customer's choice isn't saved anew by `update`",
  why: "`update` runs when a customer chooses something else, and the answer tells about the new choice. If a value of that isn't saved, the one of the old choice goes on being used, for every record, and nothing fails.",
  guards: ["webhook.update", "command.!save", "D24", "D32"],
  message: ({ key, field }) =>
    `\`create\` saves \`${key}\` of the chosen \`${field}\`. \`update\` sends the new \`${field}\`, but doesn't save its \`${key}\`.`,
  because: ({ key, field }) => [
    `a customer chooses another \`${field}\`: \`update\` runs`,
    `\`${key}\` is still that of the old one`,
  ],
  help: ({ key }) => `Save \`${key}\` in \`update\`, too.`,
  examples: [
    {
      title: "D24",
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      with: {
        "/data_intake/0/create":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}", "form": "${custom_data.form.value}"}}}, {"!jq": "{hook_id: .hook.id, secret: .hook.secret, max_points: .form.max_points}"}, {"!save": {"scope": "workflow"}}]}',
        "/workflows/0/data_pipeline/source":
          '{"!jq": "{email: .email, share: (.points / ${data.workflow.max_points}), name: \\"${data.workflow.secret}\\"}"}',
      },
      bad: '{"!pipe": [{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}", "form": "${custom_data.form.value}"}}}, {"!jq": "{secret: .hook.secret}"}, {«"!save"»: {"scope": "workflow"}}]}',
      good: '{"!pipe": [{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}", "form": "${custom_data.form.value}"}}}, {"!jq": "{secret: .hook.secret, max_points: .form.max_points}"}, {"!save": {"scope": "workflow"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unsavedUpdate, staleValue],
  checks: {
    // What is saved is looked up over all parts.
    reach: "saved",
    intake(intake, report, model) {
      const [create, update] = ["create", "update"].map((name) => intake.commands.get(name));
      if (intake.type !== "webhook" || create === undefined || update === undefined) return;
      if (!isReadable(intake, model)) return;
      const stale = staleIn(intake, create, update, model);
      if (stale !== undefined) {
        report(staleValue, stale.save.member.key, { key: stale.key, field: stale.field });
        return;
      }
      const saved = savedBy(create, model);
      if (saved.size === 0 || allIn(update)?.every(({ key }) => key !== "!save") !== true) return;
      for (const result of resultsOf(update)) {
        const keys = result.key === "!jq" && result !== update ? takenBy(result, update, model) : undefined;
        if (keys === undefined || !keys.every((key) => saved.has(key))) continue;
        if (isReadLater(result, intake, model)) continue;
        report(unsavedUpdate, result.member.key, { keys });
        return;
      }
      const dropped = droppedIn(update, saved, model);
      if (dropped !== undefined) report(unsavedUpdate, dropped.step.member.key, { keys: dropped.keys });
    },
  },
};
export default module;

/** A step of `update` that picks a secret out of an answer as `create` does, which no later step takes: others may be for what it gives besides. */
function droppedIn(update: Command, saved: { has(key: string): boolean }, model: Model) {
  const { text } = model.document;
  for (const step of update.key === "!pipe" ? update.children : []) {
    const object = step?.key === "!jq" && step.program !== undefined ? finalObject(step.program) : undefined;
    const members = object === undefined ? undefined : literalMembers(object);
    if (step === undefined || members === undefined) continue;
    const behind = text.slice(step.node.end, update.node.end);
    const keys = [...members.keys()].filter((key) => {
      if (!saved.has(key) || !/secret|token|signing_?key/i.test(key)) return false;
      if (new RegExp(`\\b${escapedPattern(key)}\\b`).test(behind)) return false;
      const trails = outputTrails(flowOf(model), step, [key]);
      return (
        trails.length > 0 &&
        trails.every(
          ({ origin }) => origin.kind === "response" && outermostCommand(origin.command) === update,
        )
      );
    });
    // Whoever takes all of it takes that, too.
    if (keys.length > 0 && !/piped_content\.\d+\s*[|}>]/.test(behind)) return { step, keys };
  }
  return undefined;
}

/** Whether a later step of the same pipe reads what a step gives: then that is what it is for. */
const isReadLater = ({ pipe, stepsRun }: Command, intake: IntakeSymbol, model: Model): boolean =>
  partOfUnit(intake, model).expansions.some(
    ({ root, command, syntax }) =>
      root === "piped_content" && command?.pipe === pipe && syntax.path[1]?.text === `${stepsRun + 1}`,
  );

/** A key that `create` saves of what a customer chose, and `update` doesn't, although it sends the choice and saves others. */
function staleIn(intake: IntakeSymbol, create: Command, update: Command, model: Model) {
  const { expansions } = partOfUnit(intake, model);
  const [made, changed] = [create, update].map((command) => allIn(command) ?? []) as [
    readonly Command[],
    readonly Command[],
  ];
  const save = changed.find(({ key }) => key === "!save");
  if (save === undefined) return undefined;
  const chosen = (all: readonly Command[]): ReadonlySet<string> =>
    new Set(
      expansions.flatMap(({ root, rootExact, syntax, command }) =>
        root === "custom_data" && rootExact && command?.key === "!http" && all.includes(command)
          ? [syntax.path[1]?.text ?? ""]
          : [],
      ),
    );
  const [before, now] = [chosen(made), chosen(changed)];
  for (const [scope, { keys, complete }] of savedKeys(model)) {
    if (!complete) continue;
    const isSaved = (saves: readonly Command[], by: readonly Command[]): boolean =>
      saves.some((each) => by.includes(each));
    if (![...keys.values()].some((saves) => isSaved(saves, made) && isSaved(saves, changed))) continue;
    for (const [key, saves] of keys) {
      if (!isSaved(saves, made) || isSaved(saves, changed) || isIdName(key)) continue;
      const [trail, ...others] = saves
        .filter((by) => made.includes(by))
        .flatMap((by) => givenTo(by, key, model));
      const field =
        trail?.origin.kind === "response" && others.length === 0 ? trail.origin.path[0] : undefined;
      if (field === undefined || !before.has(field) || !now.has(field)) continue;
      const isRead = readsOf(model, "data").some(
        ({ path }) => path[0]?.text === scope && path[1]?.text === key,
      );
      if (isRead) return { key, field, save };
    }
  }
  return undefined;
}

/** Where the value comes from that a `!save` is given under a key. */
function givenTo(save: Command, key: string, model: Model) {
  const before = stepBefore(save);
  return before === undefined ? [] : outputTrails(flowOf(model), before, [key]);
}

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
