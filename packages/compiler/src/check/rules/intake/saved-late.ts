import type { Command, Expansion, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { savedKeys } from "../../../flow/flow.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import type { Report, RuleModule } from "../../checks.ts";

const savedLate = defineRule<{ key: string; command: string }>({
  id: "intake/saved-late",
  severity: "warning",
  summary: "A value is read that only `update` saves",
  why: "`update` runs only when a customer changes the setup. Until then nothing has saved the value: deliveries can't be checked, and the registration can't be changed or removed.",
  guards: ["webhook.create", "webhook.update", "command.!save", "D24", "D32"],
  message: ({ key, command }) =>
    `\`${command}\` reads \`${key}\`, but only \`update\` saves it. After \`create\` it isn't there.`,
  because: ({ key, command }) => [
    `\`create\` runs and doesn't save \`${key}\``,
    `\`${command}\` reads \`${key}\` and fails`,
  ],
  help: ({ key }) => `Save \`${key}\` at the end of \`create\`, too.`,
  examples: [
    {
      title: "D24",
      in: "inbound-webhook",
      at: "/data_intake/0/create",
      with: {
        "/data_intake/0/update":
          '{"!pipe": [{"!http": {"method": "PUT", "path": "/hooks/current", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}]}',
        "/data_intake/0/delete": '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
      },
      bad: '{«"!http"»: {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}]}',
    },
  ],
});

const savedAfterCycle = defineRule<{ key: string; command: string }>({
  id: "polling/saved-after-cycle",
  severity: "warning",
  summary: "A value is read in a cycle that only `post_poll` saves",
  why: "`post_poll` runs when all requests of a cycle are done and their records went through the pipeline. In the first cycle nothing has saved the value: each record fails, and the state has moved past them.",
  guards: ["polling.post_poll", "command.!save", "D24"],
  message: ({ key, command }) =>
    `\`${command}\` reads \`${key}\`, but only \`post_poll\` saves it, when the first cycle is over.`,
  because: ({ key, command }) => [
    `the first cycle begins, and nothing has saved \`${key}\``,
    `\`${command}\` reads \`${key}\` and fails`,
  ],
  help: ({ key }) => `Save \`${key}\` in \`initial_setup\` or in \`pre_poll\`.`,
  examples: [
    {
      title: "D24",
      in: "inbound-polling",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/post_poll":
          '{"!pipe": [{"!http": {"path": "/shop"}}, {"!jq": "{shop: .name}"}, {"!save": {"scope": "workflow"}}, {"!jq": "{polling_state: ${polling_state}}"}]}',
      },
      bad: '{"!jq": "{email: .email, name: .name, city: .city, shop: «${data.workflow.shop}»}"}',
      good: '{"!jq": "{email: .email, name: .name, city: .city, shop: ${data.workflow.shop | default}}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [savedLate, savedAfterCycle],
  checks: {
    // Other intakes may save the same key.
    reach: "saved",
    intake(intake, report, model) {
      tellAfterCycle(intake, report, model);
      const [create, update] = ["create", "update"].map((name) => intake.commands.get(name));
      if (intake.type !== "webhook" || create === undefined || update === undefined) return;
      if (!isReadable(intake, model)) return;
      for (const { root, rootExact, syntax, node, command, unit } of partOfUnit(intake, model).expansions) {
        const [, scope, key] = syntax.path.map(({ text }) => text);
        if (unit !== intake || root !== "data" || !rootExact || command === undefined || key === undefined)
          continue;
        if (syntax.problem !== undefined) continue;
        const reader = outermostCommand(command);
        // A default is for what isn't there yet, such as a secret that came before; it is no secret itself.
        if (syntax.filters.length > 0 && !isOnlySecret(key, reader, intake, model)) continue;
        const name = [...intake.commands].find(([, each]) => each === reader)?.[0];
        const known = savedKeys(model).get(scope as "workflow");
        const saves = known?.complete === true ? (known.keys.get(key) ?? []) : [];
        if (name === undefined || saves.length === 0) continue;
        if (!saves.every((save) => outermostCommand(save) === update)) continue;
        report(savedLate, create.member.key, { key, command: name }, [
          { message: "read here", at: { node, from: syntax.start, to: syntax.end } },
        ]);
        return;
      }
    },
  },
};
export default module;

/** What a cycle reads without a default, and nothing saves before it is over. */
function tellAfterCycle(intake: IntakeSymbol, report: Report, model: Model): void {
  const after = intake.commands.get("post_poll");
  if (intake.type !== "polling" || after === undefined || !isReadable(intake, model)) return;
  const told = new Set<Command>();
  for (const [scope, { keys, complete }] of savedKeys(model))
    for (const [key, saves] of keys) {
      const [save] = saves;
      if (!complete || save === undefined || told.has(save)) continue;
      if (!saves.every((each) => outermostCommand(each) === after)) continue;
      const read = readInCycle(scope, key, intake, model);
      if (read === undefined) continue;
      told.add(save);
      const { node, syntax, command } = read;
      const reader = outermostCommand(command!);
      const name = [...intake.commands].find(([, each]) => each === reader)?.[0] ?? reader.place.name;
      const at = { node, from: syntax.start, to: syntax.end };
      report(savedAfterCycle, at, { key, command: name.replace("data_pipeline.", "") }, [
        { message: "saved here", at: save.member.key },
      ]);
    }
}

function readInCycle(scope: string, key: string, intake: IntakeSymbol, model: Model): Expansion | undefined {
  const after = intake.commands.get("post_poll");
  for (const user of [intake, ...usersOf(intake)])
    for (const expansion of partOfUnit(user, model).expansions) {
      const { root, rootExact, syntax, command, unit } = expansion;
      if (unit !== user || root !== "data" || !rootExact || command === undefined) continue;
      if (syntax.path[1]?.text !== scope || syntax.path[2]?.text !== key) continue;
      if (syntax.problem !== undefined || syntax.filters.length > 0) continue;
      const reader = outermostCommand(command);
      const isOfCycle =
        user === intake ? reader !== after : /^data_pipeline\.(?:source|target)$/.test(reader.place.name);
      if (isOfCycle) return expansion;
    }
  return undefined;
}

/** Whether a verification reads nothing else that is saved. */
function isOnlySecret(key: string, reader: Command, intake: IntakeSymbol, model: Model): boolean {
  return (
    reader === intake.commands.get("verification") &&
    partOfUnit(intake, model).expansions.every(
      ({ root, command, syntax }) =>
        root !== "data" ||
        command === undefined ||
        outermostCommand(command) !== reader ||
        syntax.path[2]?.text === key,
    )
  );
}
