import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { entryOf, finalObject, literalMembers } from "../../../flow/literal-object.ts";
import { outputTrails } from "../../../flow/origin.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { scopesOf } from "../../../flow/saved.ts";
import type { Location } from "../../../parse/document.ts";
import { textOf, toJson } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";

const overwrittenSave = defineRule<{ key: string }>({
  id: "intake/overwritten-save",
  severity: "warning",
  summary: "What one registration answers replaces what was saved of another one",
  why: "An app that registers two webhooks has two ids and often two secrets. Saved under one name, the second replaces the first: the first webhook can't be removed, or all its deliveries are refused.",
  guards: ["webhook.create", "command.!save", "D24", "D32"],
  message: ({ key }) =>
    `\`${key}\` was saved of an earlier registration and isn't read in between, so that value is lost.`,
  because: ({ key }) => [
    `the first registration's \`${key}\` is saved`,
    `the second registration's replaces it: both are taken for one`,
  ],
  help: () => "Save each under a name of its own.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/create/!pipe/4",
      with: {
        "/data_intake/0/create":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}", "event": "submission.created"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}, {"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}", "event": "submission.deleted"}}}, null, {"!save": {"scope": "workflow"}}]}',
        "/data_intake/0/update": undefined,
        "/data_intake/0/delete":
          '{"!pipe": [{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}, {"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.other_hook_id}"}}]}',
      },
      bad: '{"!jq": "{other_hook_id: .id, hook_id: «.id»}"}',
      good: '{"!jq": "{other_hook_id: .id}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [overwrittenSave],
  checks: {
    intake(intake, report, model) {
      const create = intake.type === "webhook" ? intake.commands.get("create") : undefined;
      const saves = create === undefined ? [] : (allIn(create) ?? []).filter(({ key }) => key === "!save");
      if (saves.length < 2) return;
      // They come level by level.
      saves.sort((a, b) => a.node.start - b.node.start);
      const before = new Map<string, Saved>();
      for (const save of saves)
        for (const saved of savedBy(save, model)) {
          const name = `${saved.scope}.${saved.key}`;
          const earlier = before.get(name);
          before.set(name, saved);
          if (earlier === undefined || !areTwo(earlier.request, saved.request)) continue;
          if (!isReadBetween(earlier, saved, intake, model))
            report(overwrittenSave, saved.at, { key: saved.key }, [
              { message: "saved first", at: earlier.at },
            ]);
        }
    },
  },
};
export default module;

interface Saved {
  readonly scope: string;
  readonly key: string;
  /** The registration whose answer it is. */
  readonly request: Command;
  readonly save: Command;
  readonly at: Location;
}

/** What a `!save` of a list of steps keeps of the answer to a registration. */
function savedBy(save: Command, model: Model): readonly Saved[] {
  const [scope, ...scopes] = scopesOf(save);
  const program = stepBefore(save)?.program;
  if (scope === undefined || scopes.length > 0 || isInCase(save)) return [];
  if (program === undefined || program.diagnostics.length > 0) return [];
  const object = finalObject(program);
  const keys = object === undefined ? undefined : literalMembers(object);
  if (object === undefined || keys === undefined) return [];
  return [...keys.keys()].flatMap((key): readonly Saved[] => {
    const [trail, ...others] = outputTrails(flowOf(model), program.command, [key]);
    const request = trail?.origin.kind === "response" ? trail.origin.command : undefined;
    if (request === undefined || others.length > 0 || !registers(request)) return [];
    const value = entryOf(object, key)?.value ?? object;
    return [{ scope, key, request, save, at: { node: program.node, from: value.start, to: value.end } }];
  });
}

const isInCase = ({ parent }: Command): boolean =>
  parent !== undefined && (parent.key === "!switch" || isInCase(parent));

/** Whether a request gives the service the address. */
const registers = ({ argument }: Command): boolean =>
  argument?.kind === "object" &&
  /^post$/i.test(textOf(argument, "method") ?? "") &&
  /webhook\.url/.test(JSON.stringify(toJson(argument)));

/** Whether two requests make a webhook each: the second one isn't about what the first one made. */
const areTwo = (first: Command, second: Command): boolean =>
  first !== second && textOf(first.argument, "path") === textOf(second.argument, "path");

function isReadBetween(first: Saved, second: Saved, intake: IntakeSymbol, model: Model): boolean {
  return partOfUnit(intake, model).expansions.some(
    ({ root, syntax, node }) =>
      root === "data" &&
      syntax.path[1]?.text === first.scope &&
      (syntax.path[2]?.text ?? first.key) === first.key &&
      node.start > first.save.node.start &&
      node.end < second.save.node.end,
  );
}
