import type { Expression } from "@configc/jq";
import { constantOf, nearest } from "@configc/jq/internal";
import type { Command, FieldSymbol, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import { derivedFromText } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { nodesIn } from "../../../flow/nodes.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { spanOf } from "../../../parse/document.ts";
import { type JsonNode, objectItems, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";

const unregisteredEvent = defineRule<{
  event: string;
  events: readonly string[];
  suggestion: string | undefined;
}>({
  id: "intake/unregistered-event",
  severity: "warning",
  summary: "A program compares with an event that `create` doesn't register",
  why: "The service sends only the events that `create` registers. A comparison with a misspelled name is never true, so the event isn't handled, or is handled like any other.",
  guards: ["webhook.create", "data_pipeline.source", "D32"],
  message: ({ event, suggestion }) =>
    `No event \`${event}\` is registered, so this is never true.${suggestion === undefined ? "" : ` Did you mean \`${suggestion}\`?`}`,
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
  fixes: ({ at, args: { suggestion } }, { document }) =>
    suggestion === undefined
      ? []
      : [
          {
            title: `Change to \`${suggestion}\``,
            safe: false,
            edits: [
              { ...spanOf(document, at), newText: JSON.stringify(JSON.stringify(suggestion)).slice(1, -1) },
            ],
          },
        ],
});

const unregisteredOption = defineRule<{ event: string; events: readonly string[] }>({
  id: "intake/unregistered-option",
  severity: "warning",
  summary: "Customers can choose an event that `create` doesn't register",
  why: "The service sends only the events that `create` registers. Who chooses another one waits for deliveries that never come.",
  guards: ["webhook.create", "field.options", "D32"],
  message: ({ event }) => `Customers can choose \`${event}\`, and \`create\` doesn't register it.`,
  because: ({ event, events }) => [
    `\`create\` registers ${allNames(events)}`,
    `a customer chooses \`${event}\`: no delivery has it`,
  ],
  help: ({ event }) => `Register \`${event}\`, or don't offer it.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/form_fields/0/options",
      with: {
        "/data_intake/0/create/!pipe/0/!http/body":
          '{"url": "${webhook.url}", "events": ["submission.created", "submission.deleted"]}',
      },
      bad: '[{"display": "New", "value": "submission.created"}, {"display": "Deleted", "value": "submission.deleted"}, {"display": "Changed", "value": «"submission.changed"»}]',
      good: '[{"display": "New", "value": "submission.created"}, {"display": "Deleted", "value": "submission.deleted"}]',
    },
  ],
});

const module: RuleModule = {
  rules: [unregisteredEvent, unregisteredOption],
  checks: {
    looksFar: true,
    intake(intake, report, model) {
      if (intake.type !== "webhook" || !isReadable(intake, model)) return;
      const { name, events } = registered(intake, model) ?? { name: "", events: [] };
      if (events.length === 0) return;
      // Histories may call their records by events of their own.
      const polls = model.programs.filter(
        ({ command: { unit } }) => unit?.kind === "intake" && unit.type === "polling",
      );
      const isOfHistory = (event: string): boolean =>
        polls.some(({ node }) => node.value.includes(JSON.stringify(event)));
      for (const { fields } of usersOf(intake))
        for (const { event, at } of unofferedIn(fields, events))
          report(unregisteredOption, at, { event, events });
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
          if (suggestion !== undefined || (isStranger(event, member, name, events) && !isOfHistory(event)))
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
  (registered(intake, undefined)?.events.length ?? 0) > 1;

interface Registered {
  /** `topics` */
  readonly name: string;
  readonly events: readonly string[];
}

/** The events that the requests of `create` name in a list of texts; undefined where one of them isn't known. */
function registered(intake: IntakeSymbol, model: Model | undefined): Registered | undefined {
  const create = intake.commands.get("create");
  const lists = (create === undefined ? [] : (allIn(create) ?? [])).flatMap((command) =>
    listsSent(command, intake, model),
  );
  return lists.length === 1 ? lists[0] : undefined;
}

function listsSent(
  { key, argument }: Command,
  intake: IntakeSymbol,
  model: Model | undefined,
): readonly Registered[] {
  const body = key === "!http" && argument?.kind === "object" ? argument.get("body") : undefined;
  if (body?.kind !== "object") return [];
  return body.members.flatMap(({ name, value }) => {
    if (!/event|topic|trigger|(?:^|_)on$|subscri/i.test(name)) return [];
    const events = textsIn(value) ?? (model === undefined ? undefined : offeredAs(value, intake, model));
    return events === undefined || events.length === 0 ? [] : [{ name, events }];
  });
}

/** Whether payloads have an event under `topic` where `topics` are registered. */
const isSingularOf = (member: string | undefined, name: string): boolean =>
  member !== undefined && `${member}s` === name;

/** The events that customers choose among, where their choice is what is registered. */
function offeredAs(
  value: JsonNode | undefined,
  intake: IntakeSymbol,
  model: Model,
): readonly string[] | undefined {
  const chosen = partOfUnit(intake, model).expansions.find(({ node }) => node === value);
  const [field, ...others] = chosen?.fields ?? [];
  if (field === undefined || others.length > 0 || chosen?.syntax.path[2]?.text !== "value") return undefined;
  const items = objectItems(field.node.get("options"));
  const values = items.flatMap((option) => textOf(option, "value") ?? []);
  return values.length === items.length && values.every(isEventName) ? values : undefined;
}

const isEventName = (text: string): boolean => /^\w+[._/:-]\w/.test(text);

/** Options of a field with events, most of which are registered, that aren't. */
function unofferedIn(fields: readonly FieldSymbol[], events: readonly string[]) {
  return fields.flatMap(({ node }) => {
    const options = objectItems(node.get("options")).flatMap((option) => {
      const at = option.get("value");
      return at?.kind === "string" ? [{ event: at.value, at }] : [];
    });
    const missing = options.filter(({ event }) => !events.includes(event));
    const isOfEvents =
      missing.length * 2 < options.length && options.every(({ event }) => isEventName(event));
    return isOfEvents ? missing : [];
  });
}

/** Whether a text is compared with events of which none is called so, in whole or in part, and nothing else of the document is. */
function isStranger(
  event: string,
  member: string | undefined,
  name: string,
  events: readonly string[],
): boolean {
  if (events.length < 2 || !events.every(isEventName)) return false;
  if (!isSingularOf(member, name) && !(isEventName(event) && events.some((each) => isOfKind(each, event))))
    return false;
  if (/ping|test|valid|challenge|verif|shake|confirm|subscription/i.test(event)) return false;
  return !events.some((each) => each.split(/[._/:-]/).includes(event) || each.endsWith(event));
}

/** `order.paid` and `order.shipped`. */
const isOfKind = (event: string, other: string): boolean =>
  event.split(/[._/:-]/)[0] === other.split(/[._/:-]/)[0];

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
