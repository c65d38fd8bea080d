import type { Expression } from "@configc/jq";
import { constantOf, nearest } from "@configc/jq/internal";
import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import { derivedFromText } from "../../../bind/derived.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { nodesIn } from "../../../flow/nodes.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { spanOf } from "../../../parse/document.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";

const unregisteredEvent = defineRule<{ event: string; events: readonly string[]; suggestion: string }>({
  id: "intake/unregistered-event",
  severity: "warning",
  summary: "A program compares with an event that `create` doesn't register",
  why: "The service sends only the events that `create` registers. A comparison with a misspelled name is never true, so the event isn't handled, or is handled like any other.",
  guards: ["webhook.create", "data_pipeline.source", "D32"],
  message: ({ event, suggestion }) =>
    `No event \`${event}\` is registered, so this is never true. Did you mean \`${suggestion}\`?`,
  because: ({ event, events }) => [`\`create\` registers ${allNames(events)}`, `no payload has \`${event}\``],
  help: ({ events }) => `\`create\` registers ${allNames(events)}.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/create/!pipe/0/!http/body":
          '{"url": "${webhook.url}", "events": ["submission.created", "submission.deleted"]}',
      },
      bad: '{"!jq": "if .event == «\\"submission.create\\"» then {email: .email} else null end"}',
      good: '{"!jq": "if .event == \\"submission.created\\" then {email: .email} else null end"}',
      fixed: '{"!jq": "if .event == \\"submission.created\\" then {email: .email} else null end"}',
    },
  ],
  fixes: ({ at, args: { suggestion } }, { document }) => [
    {
      title: `Change to \`${suggestion}\``,
      safe: false,
      edits: [{ ...spanOf(document, at), newText: JSON.stringify(JSON.stringify(suggestion)).slice(1, -1) }],
    },
  ],
});

const module: RuleModule = {
  rules: [unregisteredEvent],
  checks: {
    looksFar: true,
    intake(intake, report, model) {
      if (intake.type !== "webhook" || !isReadable(intake, model)) return;
      const { name, events } = registered(intake) ?? { name: "", events: [] };
      if (events.length === 0) return;
      const readers = new Set<unknown>([intake, ...usersOf(intake)]);
      const parts = new Set([intake, ...usersOf(intake)].map((unit) => partOfUnit(unit, model)));
      for (const program of [...parts].flatMap(({ programs }) => programs)) {
        if (program.diagnostics.length > 0 || !readers.has(program.command.unit)) continue;
        for (const { node, event, member } of comparedTexts(program)) {
          if (events.includes(event)) continue;
          const suggestion = /^\w+[._/:-]\w/.test(event)
            ? nearest(event, events)
            : isSingularOf(member, name)
              ? events.find((each) => /[._/:-]/.test(each) && new RegExp(`[._/:-]${event}$`).test(each))
              : undefined;
          if (suggestion !== undefined)
            report(
              unregisteredEvent,
              { node: program.node, from: node.start, to: node.end },
              { event, events, suggestion },
            );
        }
      }
    },
  },
};
export default module;

/** Whether the requests of `create` name more than one event. */
export const registersSeveral = (intake: IntakeSymbol): boolean =>
  (registered(intake)?.events.length ?? 0) > 1;

interface Registered {
  /** `topics` */
  readonly name: string;
  readonly events: readonly string[];
}

/** The events that the requests of `create` name in a list of texts; undefined where one of them isn't known. */
function registered(intake: IntakeSymbol): Registered | undefined {
  const create = intake.commands.get("create");
  const lists = (create === undefined ? [] : (allIn(create) ?? [])).flatMap(listsSent);
  return lists.length === 1 ? lists[0] : undefined;
}

function listsSent({ key, argument }: Command): readonly Registered[] {
  const body = key === "!http" && argument?.kind === "object" ? argument.get("body") : undefined;
  if (body?.kind !== "object") return [];
  return body.members.flatMap(({ name, value }) => {
    const events = /event|topic|trigger|(?:^|_)on$|subscri/i.test(name) ? textsIn(value) : undefined;
    return events === undefined || events.length === 0 ? [] : [{ name, events }];
  });
}

/** Whether payloads have an event under `topic` where `topics` are registered. */
const isSingularOf = (member: string | undefined, name: string): boolean =>
  member !== undefined && `${member}s` === name;

function textsIn(value: JsonNode | undefined): readonly string[] | undefined {
  const items = value?.kind === "array" ? value.items : value === undefined ? [] : [value];
  const texts = items.flatMap((item) =>
    item.kind === "string" && !item.value.includes("$") ? [item.value] : [],
  );
  return texts.length === items.length ? texts : undefined;
}

/** Constants that something else is compared with. */
const comparedTexts = derivedFromText((tree): readonly ComparedText[] => {
  const found: ComparedText[] = [];
  for (const node of nodesIn(tree)) {
    if (node.kind !== "Comparison" || (node.operator !== "==" && node.operator !== "!=")) continue;
    for (const [side, other] of [
      [node.left, node.right],
      [node.right, node.left],
    ] as const) {
      const event = constantOf(side);
      if (typeof event === "string") found.push({ node: side, event, member: nameOfValue(other) });
    }
  }
  return found;
});

interface ComparedText {
  readonly node: Expression;
  readonly event: string;
  /** The member that it is compared with. */
  readonly member: string | undefined;
}
