import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf, savedKeys } from "../../../flow/flow.ts";
import { entryOf, finalObject } from "../../../flow/literal-object.ts";
import { outputTrails, pathText } from "../../../flow/origin.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { nameOfPath } from "../../../flow/record-kind.ts";
import type { Location } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";
import { isSaid } from "./said-of-intake.ts";

const movedAnswer = defineRule<{ key: string; read: string; other: string; command: string; beside: string }>(
  {
    id: "intake/moved-answer",
    severity: "warning",
    summary: "`create` and `update` read the same value from different places of the service's answer",
    why: "A service answers with a registration in one form, whether it is made or changed. What is read from another place is null. Saved, it replaces the id or the secret that was good: deliveries are refused then, and the registration can't be removed.",
    guards: ["webhook.create", "webhook.update", "command.!save", "D24", "D32"],
    message: ({ key, read, other, command, beside }) =>
      `\`${command}\` takes \`${key}\` from \`${read}\`, but \`${beside}\` takes it from \`${other}\` of the same kind of answer. One of them saves null.`,
    because: ({ key, other, read, command }) => [
      `the service answers with \`${other}\``,
      `\`${read}\` isn't there, so \`${command}\` saves null as \`${key}\``,
    ],
    help: ({ other }) => `Read \`${other}\` in both, if the answers are alike.`,
    examples: [
      {
        title: "D24",
        in: "inbound-webhook",
        at: "/data_intake/0/update",
        with: {
          "/data_intake/0/create":
            '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .hook.id}"}, {"!save": {"scope": "workflow"}}]}',
        },
        bad: '{"!pipe": [{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: «.id»}"}, {"!save": {"scope": "workflow"}}]}',
        good: '{"!pipe": [{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .hook.id}"}, {"!save": {"scope": "workflow"}}]}',
      },
    ],
  },
);

const module: RuleModule = {
  rules: [movedAnswer],
  checks: {
    // Other parts save, too.
    reach: "saved",
    intake(intake, report, model) {
      if (intake.type !== "webhook" || !isReadable(intake, model)) return;
      const reads = readsSaved(intake, model);
      for (const one of reads) {
        const other = reads.find((each) => each.command !== one.command && differ(one, each));
        // The one that stands alone with its place, else the one that is less deep.
        if (other === undefined || !isOdd(one, other, reads) || isSaid(answersApart, intake, model)) continue;
        report(
          movedAnswer,
          one.at,
          {
            key: one.key,
            read: pathText(one.path),
            other: pathText(other.path),
            command: one.command,
            beside: other.command,
          },
          [{ message: "read here", at: other.at }],
        );
      }
    },
  },
};
export default module;

/** `PUT answers {id} alone`: how the answer to a change looks is known. */
const answersApart =
  /\b(?:PUT|PATCH)\b[^.;]{0,40}\b(?:answers?|gives?|returns?|responds)\b[^.;]{0,60}(?:\balone\b|\bonly\b|\bwithout\b|\bnot\b|\bflat\b)/i;

/** A value that is saved as it is read from an answer. */
interface SavedRead {
  readonly command: string;
  readonly key: string;
  readonly path: readonly string[];
  /** What the request is about, `hooks`. */
  readonly asked: string;
  readonly request: Command;
  readonly at: Location;
}

function readsSaved(intake: IntakeSymbol, model: Model): readonly SavedRead[] {
  const [create, update] = ["create", "update"].map((name) => intake.commands.get(name));
  const saves = update === undefined || create === undefined ? [] : savesIn(update);
  if (saves.length === 0 || create === undefined) return [];
  const flow = flowOf(model);
  return [
    ...savesIn(create).map((save) => ["create", save] as const),
    ...saves.map((save) => ["update", save] as const),
  ].flatMap(([command, save]) =>
    [...savedKeys(model).values()].flatMap(({ keys }) =>
      [...keys].flatMap(([key, by]): readonly SavedRead[] => {
        const [trail, ...others] = by.includes(save) ? outputTrails(flow, save, [key]) : [];
        if (trail?.origin.kind !== "response" || others.length > 0) return [];
        const { command: request, path } = trail.origin;
        const asked = nameOfPath(textOf(request.argument, "path") ?? textOf(request.argument, "url") ?? "");
        const own = path[0] === "body" ? path.slice(1) : path;
        if (asked === undefined || own.length === 0 || own.includes("[]")) return [];
        return [{ command, key, path: own, asked, request, at: placeOf(save, key) }];
      }),
    ),
  );
}

const savesIn = (command: Command): readonly Command[] =>
  (allIn(command) ?? []).filter(({ key }) => key === "!save");

function placeOf(save: Command, key: string): Location {
  const program = stepBefore(save)?.program;
  const object = program === undefined ? undefined : finalObject(program);
  const value = object === undefined ? undefined : entryOf(object, key)?.value;
  return program === undefined || value === undefined
    ? save.member.key
    : { node: program.node, from: value.start, to: value.end };
}

const above = ({ path }: SavedRead): string => path.slice(0, -1).join("\n");

/** Whether two commands read what has one name from different places of one kind of answer. */
const differ = (one: SavedRead, other: SavedRead): boolean =>
  one.key === other.key &&
  one.asked === other.asked &&
  !namesAnotherDeed(one.request, other.request) &&
  one.path.at(-1) === other.path.at(-1) &&
  above(one) !== above(other);

/** Whether two requests go to one address and say in their bodies what to do, as in GraphQL and JSON-RPC: each has an answer of its own. */
function namesAnotherDeed(one: Command, other: Command): boolean {
  const address = ({ argument }: Command): string =>
    ["method", "path", "url"].map((name) => textOf(argument, name) ?? "").join(" ");
  if (address(one) !== address(other)) return false;
  const [body, beside] = [one, other].map(({ argument }) =>
    argument?.kind === "object" ? argument.get("body") : undefined,
  );
  if (body?.kind !== "object" || beside?.kind !== "object") return false;
  return deedNames.some((name) => textOf(body, name) !== textOf(beside, name));
}

/** Members that say what a request is to do. */
const deedNames: readonly string[] = [
  "query",
  "operationName",
  "method",
  "action",
  "command",
  "cmd",
  "op",
  "operation",
  "type",
];

function isOdd(one: SavedRead, other: SavedRead, reads: readonly SavedRead[]): boolean {
  const like = (read: SavedRead): number =>
    reads.filter((each) => each.asked === read.asked && above(each) === above(read)).length;
  // In JSON:API an id is beside `attributes`, and nearly all else is in it.
  const isResource = [one, other].map(({ path }) => path.at(-2) === "attributes");
  if (isResource[0] !== isResource[1]) return isResource[1] === (one.path.at(-1) !== "id");
  const [own, others] = [like(one), like(other)];
  return own === others
    ? one.path.length < other.path.length ||
        (one.path.length === other.path.length && one.command === "update")
    : own < others;
}
