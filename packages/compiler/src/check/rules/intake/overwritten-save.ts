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

const oneForTwo = defineRule<{ key: string; other: string; member: string }>({
  id: "intake/one-registration-for-two",
  severity: "warning",
  summary: "Two saved keys get the same value of one registration, and another registration's isn't saved",
  why: "Each registration has an id, and often a secret, of its own. If both keys are read from the first answer, the second webhook can't be removed, or all its deliveries are refused.",
  guards: ["webhook.create", "command.!save", "D24", "D32"],
  message: ({ key, other, member }) =>
    `\`${key}\` gets the same \`${member}\` as \`${other}\`, and that of the other registration isn't saved.`,
  because: ({ key, other }) => [
    `\`${key}\` and \`${other}\` are the same`,
    "two registrations are made: what belongs to the other one is lost",
  ],
  help: ({ member }) => `Read \`${member}\` from the answer to the other registration.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/create/!pipe/2",
      with: {
        "/data_intake/0/create":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}", "event": "submission.created"}}}, {"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}", "event": "submission.deleted"}}}, null, {"!save": {"scope": "workflow"}}]}',
        "/data_intake/0/update": undefined,
        "/data_intake/0/delete":
          '{"!pipe": [{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}, {"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.other_hook_id}"}}]}',
      },
      bad: '{"!jq": "{hook_id: ${piped_content.1.id}, other_hook_id: «${piped_content.1.id}»}"}',
      good: '{"!jq": "{hook_id: ${piped_content.1.id}, other_hook_id: ${piped_content.2.id}}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [overwrittenSave, oneForTwo],
  checks: {
    intake(intake, report, model) {
      const create = intake.type === "webhook" ? intake.commands.get("create") : undefined;
      const all = create === undefined ? [] : (allIn(create) ?? []);
      const made = all.filter(registers);
      if (made.length < 2) return;
      // They come level by level.
      const saves = all.filter(({ key }) => key === "!save").toSorted((a, b) => a.node.start - b.node.start);
      const kept = saves.flatMap((save) => savedBy(save, model));
      const before = new Map<string, Saved>();
      for (const saved of kept) {
        const name = `${saved.scope}.${saved.key}`;
        const earlier = before.get(name);
        before.set(name, saved);
        if (earlier === undefined || !areTwo(earlier.request, saved.request)) continue;
        if (!isReadBetween(earlier, saved, intake, model))
          report(overwrittenSave, saved.at, { key: saved.key }, [{ message: "saved first", at: earlier.at }]);
      }
      for (const [first, second] of sameTwice(kept)) {
        const { key, request, member } = second;
        const isLeft = made.some(
          (other) =>
            areTwo(request, other) && !kept.some((each) => each.request === other && each.member === member),
        );
        if (isLeft)
          report(oneForTwo, second.at, { key, other: first.key, member }, [
            { message: `saved as \`${first.key}\``, at: first.at },
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
  /** Where the answer has it. */
  readonly member: string;
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
    if (trail?.origin.kind !== "response" || others.length > 0) return [];
    const { command: request, path } = trail.origin;
    const member = (path[0] === "body" ? path.slice(1) : path).join(".");
    if (member === "" || !registers(request)) return [];
    const value = entryOf(object, key)?.value ?? object;
    return [
      { scope, key, request, member, save, at: { node: program.node, from: value.start, to: value.end } },
    ];
  });
}

const isInCase = ({ parent }: Command): boolean =>
  parent !== undefined && (parent.key === "!switch" || isInCase(parent));

/** Values of one answer that are saved under two names. */
function sameTwice(kept: readonly Saved[]): readonly (readonly [Saved, Saved])[] {
  const first = new Map<string, Saved>();
  return kept.flatMap((saved) => {
    const value = `${saved.request.node.start} ${saved.member}`;
    const before = first.get(value);
    if (before === undefined) first.set(value, saved);
    return before === undefined || before.key === saved.key ? [] : [[before, saved] as const];
  });
}

/** Whether a request gives the service the address. */
const registers = ({ key, argument }: Command): boolean =>
  key === "!http" &&
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
