import type { Command, Expansion, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { partAt } from "../../../flow/nodes.ts";
import { keepsKey } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { type StateWrite, writesIn } from "../../../flow/protocol/state-writes.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const after = (key: string): string =>
  `{"!pipe": [{"!http": {"method": "DELETE", "path": "/exports/\${polling_state.export}"}}, {"!jq": "{polling_state: {export: ${key}, page: 1}}"}]}`;

const keptDeleted = defineRule<{ key: string; command: string }>({
  id: "polling/kept-deleted",
  severity: "warning",
  summary: "What a command deletes at the service stays in the state",
  why: "An export or a job that was read is deleted, so that the service can forget it. If its id stays in the state, the next cycle takes it for one that is still there: it asks for something that is gone, fails, and orders no other one.",
  guards: ["polling.post_poll", "polling.polling_state", "D33"],
  message: ({ key, command }) =>
    `\`${command}\` deletes what \`${key}\` names, and keeps \`${key}\`. The next cycle asks for it again.`,
  because: ({ key, command }) => [
    `\`${command}\` deletes what \`${key}\` names at the service`,
    `\`${key}\` is still there in the next cycle, whose requests get 404`,
  ],
  help: ({ key }) => `Set \`${key}\` back to what it is at the beginning.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/post_poll",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {export: null, page: 1}}"}',
        "/data_intake/0/pre_poll":
          '{"!switch": {"jq": "if ${polling_state.export} == null then 0 else 1 end", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/exports"}}, {"!jq": "{polling_state: {export: .id, page: 1}}"}]}, {"!jq": "{polling_state: ${polling_state}}"}]}}',
        "/data_intake/0/request/!pipe/0/!http":
          '{"path": "/exports/${polling_state.export}/pages/${polling_state.page}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
      },
      bad: after("«${polling_state.export}»"),
      good: after("null"),
    },
  ],
});

const module: RuleModule = {
  rules: [keptDeleted],
  checks: {
    reach: "linked",
    intake(intake, report, model) {
      if (intake.type !== "polling") return;
      const deleted = deletedIn(intake, model);
      if (deleted.length === 0 || !isReadable(intake, model)) return;
      for (const { key, request } of deleted) {
        const name = nameOf(outermostCommand(request), intake);
        if (name === undefined || isSetAnew(key, intake, model) || !isAskedFor(key, request, intake, model))
          continue;
        for (const write of writesIn(intake, name, model) ?? []) {
          if (!isBehind(write.program.command, request) || !keepsKey(write, key)) continue;
          const at = partAt(write.program, write.keys.get(key) ?? write.node);
          report(keptDeleted, at, { key, command: name }, [
            { message: "deleted here", at: request.member.key },
          ]);
        }
      }
    },
  },
};
export default module;

interface Deleted {
  readonly key: string;
  readonly request: Command;
}

/** What the commands of an intake delete by a key of the state: `DELETE /exports/${polling_state.export}`. */
function deletedIn(intake: IntakeSymbol, model: Model): readonly Deleted[] {
  return partOfUnit(intake, model).expansions.flatMap((expansion): Deleted[] => {
    const { unit, root, rootExact, command, position, syntax, node } = expansion;
    if (unit !== intake || root !== "polling_state" || !rootExact) return [];
    if (position !== "path" && position !== "url") return [];
    const key = keyOf(expansion);
    const isWhole = node.value.charAt(syntax.start - 1) === "/" && syntax.end === node.value.length;
    if (command?.key !== "!http" || key === undefined || !isWhole || command.parent !== command.pipe)
      return [];
    return /^delete$/i.test(textOf(command.argument, "method") ?? "") ? [{ key, request: command }] : [];
  });
}

const keyOf = ({ syntax }: Expansion): string | undefined =>
  syntax.path.length === 2 ? syntax.path[1]?.text : undefined;

const nameOf = (outermost: Command, { commands }: IntakeSymbol): string | undefined =>
  [...commands].find(([, command]) => command === outermost)?.[0];

/** Whether a command runs only behind a step of a pipe: it is a later step of the same pipe, or in one. */
function isBehind(command: Command, step: Command): boolean {
  if (step.pipe === undefined) return false;
  for (let at: Command | undefined = command; at !== undefined; at = at.parent)
    if (at.parent === step.pipe) return at.node.start > step.node.start;
  return false;
}

/** Whether each cycle begins with a new value, whatever was kept. */
function isSetAnew(key: string, intake: IntakeSymbol, model: Model): boolean {
  const writes: readonly StateWrite[] = writesIn(intake, "pre_poll", model) ?? [];
  return writes.length > 0 && writes.every((write) => !keepsKey(write, key));
}

/** Whether a request asks for what another one deletes, `/exports/…`: a lease or a lock goes by the id of what it is on, which stays. */
function isOfSame(
  { node, syntax, command }: Expansion,
  key: string,
  request: Command,
  intake: IntakeSymbol,
  model: Model,
): boolean {
  if (command?.key !== "!http") return true;
  const deleted = partOfUnit(intake, model).expansions.find(
    (each) => each.command === request && keyOf(each) === key,
  );
  const [one, other] = [
    deleted === undefined ? "" : segmentBefore(deleted.node.value, deleted.syntax.start),
    segmentBefore(node.value, syntax.start),
  ];
  return one === "" || other === "" || one === other;
}

/** `exports` of `/exports/${polling_state.export}` */
const segmentBefore = (path: string, at: number): string =>
  /([\w-]+)\/$/.exec(path.slice(0, at))?.[1]?.toLowerCase() ?? "";

/** Whether another request names it, or a `!switch` asks whether it is there. */
const isAskedFor = (key: string, request: Command, intake: IntakeSymbol, model: Model): boolean =>
  partOfUnit(intake, model).expansions.some(
    (expansion) =>
      expansion.unit === intake &&
      expansion.root === "polling_state" &&
      expansion.command !== request &&
      isOfSame(expansion, key, request, intake, model) &&
      (expansion.command?.key === "!http" || expansion.command?.key === "!switch") &&
      keyOf(expansion) === key,
  );
