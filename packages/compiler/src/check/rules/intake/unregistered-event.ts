import type { Expression, Node, Pipeline } from "@configc/jq";
import { constantOf, escapedPattern, nearest } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { derivedFromText } from "../../../bind/derived.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, isExpression, nodesIn, nodesOfKind } from "../../../flow/nodes.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import {
  isEventName,
  isSingularOf,
  type Registered,
  registeredEvents,
  textAround,
} from "../../../flow/registered-events.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";
import { tellsEventOtherwise } from "./said-of-intake.ts";

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
    `No event \`${event}\` is registered, so no payload has it.${suggestion === undefined ? "" : ` Did you mean \`${suggestion}\`?`}`,
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

const module: RuleModule = {
  rules: [unregisteredEvent],
  checks: {
    reach: "linked",
    intake(intake, report, model) {
      if (intake.type !== "webhook" || !isReadable(intake, model)) return;
      const { name, events } = registered(intake) ?? { name: "", events: [] as readonly string[] };
      if (events.length === 0) return;
      const history = usersOf(intake).flatMap(({ historicalIntake }) => historicalIntake?.target ?? []);
      // `*` and `order.*` register more than what they name.
      const isKnown = !events.some((event) => /[*#]|^all$/i.test(event));
      const readers = new Set<unknown>([intake, ...usersOf(intake)]);
      const parts = new Set([intake, ...usersOf(intake)].map((unit) => partOfUnit(unit, model)));
      const compared = [...parts].flatMap(({ programs }) =>
        programs.flatMap((program) =>
          !readers.has(program.command.unit) || !mayCompare(program)
            ? []
            : comparedTexts(program).map(({ hole, member, ...text }) => ({
                ...text,
                member: member ?? memberOfHole(hole, program),
                program,
              })),
        ),
      );
      const own = compared.filter(
        ({ member, event, program }) =>
          (isEventName(member, name) ||
            isAlike(event, events) ||
            (isOfKind(member) && isKinOfOnly(event, events))) &&
          program.command.unit !== intake &&
          !isOwn(event, history),
      );
      const texts = new Set(own.map(({ event }) => event));
      // Payloads may have words of their own, until one of those that are registered is compared with the same member.
      const shared = new Set(own.flatMap(({ member, event }) => (events.includes(event) ? [member] : [])));
      // `CONTACT_CREATED` may be registered and `contact.created` sent, as long as all of them are written like that.
      const isRespelled =
        shared.size === 0 && own.every(({ event }) => events.some((each) => isSameName(each, event)));
      const around = (): string => textAround(intake, model);
      for (const text of compared) {
        const { node, event, member, program } = text;
        if (events.includes(event) || isMadeBy(history, event)) continue;
        if (events.some((each) => isCovered(event, each))) continue;
        if (isRespelled && own.includes(text)) continue;
        // `.cause == "order.split"` says why an event is, and what a comment tells of it is known.
        if (member !== undefined && ofReason.test(member)) continue;
        if (
          hasComments(model) &&
          tellsEventOtherwise(
            event,
            commentsBelow(intake.node).map(({ value }) => value),
          )
        )
          continue;
        // A choice of all of them is no event.
        if (/[._/:-](?:any|all|every|both)$/i.test(event)) continue;
        // `order.all`
        if (events.some((each) => isAllOf(each, event))) continue;
        const others = events.filter((each) => !texts.has(each));
        const suggestion = /^\w+[._/:-]\w/.test(event)
          ? nearest(
              event,
              (own.includes(text) ? others : events).flatMap((each) => namedBy(each, event)),
            )
          : isSingularOf(member, name)
            ? events.find(
                (each) => /[._/:-]/.test(each) && new RegExp(`[._/:-]${escapedPattern(event)}$`).test(each),
              )
            : undefined;
        const meant =
          suggestion ?? (own.includes(text) && isKnown ? onlyLeft(event, events, texts, around) : undefined);
        const isKin = (isEventName(member, name) || isOfKind(member)) && isKinOfOnly(event, events);
        const isTold =
          isKnown && own.includes(text) && (shared.has(member) || isAlike(event, events) || isKin);
        if (meant !== undefined || isTold)
          report(
            unregisteredEvent,
            { node: program.node, from: node.start, to: node.end },
            { event, events, suggestion: meant },
          );
      }
    },
  },
};
export default module;

const ofReason = /^(?:cause|reason|because|caused_?by|triggered_?by|previous|sub_?(?:type|event)|detail)$/i;

/** Whether a registration stands for all events of a kind: `order.all` for `order.paid`. */
const isAllOf = (registration: string, event: string): boolean => {
  const [kind] = /^.+[._/:-](?=(?:all|any)$)/i.exec(registration) ?? [];
  return kind !== undefined && event.startsWith(kind);
};

/** Whether the requests of `create` name more than one event, and not only such ones. */
export const registersSeveral = (intake: IntakeSymbol, isLeftOut: (event: string) => boolean): boolean => {
  const events = registered(intake)?.events ?? [];
  return events.length > 1 && !events.every(isLeftOut);
};

/** The events that the requests of `create` name in a list of texts; undefined where one of them isn't known. */
function registered(intake: IntakeSymbol): Registered | undefined {
  const create = intake.commands.get("create");
  return registeredEvents(intake, create === undefined ? [] : (allIn(create) ?? []));
}

/** What stands before the sign of a registration of a whole kind: `order.` of `order.*` and `order.#`. */
const kindOf = (registration: string): string | undefined =>
  /^([^*#]*)(?:\*{1,2}|#)$/.exec(registration)?.[1];

/** Whether an event is one of those that `order.*`, `order.#` or `*` register; `*.created` is read likewise. */
function isCovered(event: string, registration: string): boolean {
  if (!/[*#]/.test(registration)) return false;
  const [start = "", ...rest] = registration.toLowerCase().split(/[*#]+/);
  const end = rest.pop() ?? "";
  const text = event.toLowerCase();
  // Not as a regular expression: one made of many stars takes time without bound.
  let at = start.length;
  for (const part of rest) {
    const next = text.indexOf(part, at);
    if (next < 0) return false;
    at = next + part.length;
  }
  return text.startsWith(start) && text.endsWith(end) && at + end.length <= text.length;
}

/** What an event may have been meant to be: a registered one, or for `order.*` one of that kind with its own last words. */
function namedBy(registration: string, event: string): readonly string[] {
  if (!/[*#]/.test(registration)) return [registration];
  const kind = kindOf(registration);
  const words = kind === undefined ? 0 : kind.split(/[._/:-]/).length - 1;
  const rest = new RegExp(`^(?:[^._/:-]+[._/:-]){${words}}(.+)$`).exec(event)?.[1];
  return words === 0 || rest === undefined ? [] : [`${kind}${rest}`];
}

/** Whether two names have the same words, in other letters or with other signs between them. */
const isSameName = (a: string, b: string): boolean =>
  a.toLowerCase().replace(/[._/:-]/g, " ") === b.toLowerCase().replace(/[._/:-]/g, " ");

/** Whether a text is called as all that is registered is: `order.sent` beside `order.paid` and `order.refunded`. */
function isAlike(event: string, events: readonly string[]): boolean {
  const [kind, ...rest] = event.split(/[._/:-]/);
  return (
    events.length > 1 &&
    rest.length > 0 &&
    events.every((each) => /^\w+[._/:-]\w/.test(each) && each.split(/[._/:-]/)[0] === kind)
  );
}

/** `.type == "gift.refunded"`, as many services call it. */
const isOfKind = (member: string | undefined): boolean => /^(?:type|kind|action|name)$/.test(member ?? "");

/** Whether a text is called as the only event that is registered, and isn't written like that by another service: `gift.refunded` beside `gift.completed`. */
function isKinOfOnly(event: string, [only, ...others]: readonly string[]): boolean {
  const [kind, sign] = /^([a-z]+)([._/:-])[a-z_]+$/.exec(event)?.slice(1) ?? [];
  return only !== undefined && others.length === 0 && sign !== undefined && only.startsWith(`${kind}${sign}`);
}

/**
 * The registered event that one was meant to be: the only one of its kind, `fitting.finished` for `fitting.completed`, which nothing else
 * names, where the app knows another registered one as payloads have it.
 */
function onlyLeft(
  event: string,
  events: readonly string[],
  compared: ReadonlySet<string>,
  around: () => string,
): string | undefined {
  const kind = /^\w+[._/:-](?=\w)/.exec(event)?.[0];
  if (kind === undefined || events.length < 3) return undefined;
  const [meant, ...others] = events.filter((each) => each.startsWith(kind));
  if (meant === undefined || others.length > 0) return undefined;
  if ([...compared].some((each) => each !== event && each.startsWith(kind))) return undefined;
  const text = around();
  // As an option or in a list it is registered; in a comment or a program it is one that comes.
  const isWritten = (each: string): boolean => text.replaceAll(`"${each}"`, "").includes(each);
  return !isWritten(meant) && events.some((each) => each !== meant && isWritten(each)) ? meant : undefined;
}

/** What services send without being asked, and what the historical poll makes itself. */
const isOwn = (event: string, history: readonly IntakeSymbol[]): boolean =>
  event === "" ||
  /(?:^|[.:/-])(?:\w+_)?(?:ping|test(?:_?event)?|verif\w*|valid\w*|challenge|handshake|hello|(?:un)?install\w*|revok\w*|deauth\w*)$/i.test(
    event,
  ) ||
  isMadeBy(history, event);

/** Whether the historical poll gives its items an event. */
const isMadeBy = (history: readonly IntakeSymbol[], event: string): boolean =>
  history.some(({ commands }) => {
    const request = commands.get("request");
    const programs = request === undefined ? [] : (allIn(request) ?? []);
    return programs.some(({ program }) => program?.node.value.includes(`"${event}"`) === true);
  });

/** `event` of `${piped_content.0.event}`. */
function memberOfHole(hole: number | undefined, { holes }: JqProgram): string | undefined {
  const expansion = hole === undefined ? undefined : holes[hole];
  return expansion?.root === "piped_content" ? expansion.syntax.path.at(-1)?.text : undefined;
}

/** Whether a program compares anything, or looks it up. */
const mayCompare = (program: JqProgram): boolean =>
  nodesOfKind(program, "Comparison").length > 0 ||
  nodesOfKind(program, "Index").length > 0 ||
  nodesOfKind(program, "Call").some(({ name: { text } }) => text === "IN" || text === "index");

/** Constants that something else is compared with, or by which it is looked up. */
const comparedTexts = derivedFromText((tree): readonly ComparedText[] => {
  const found: ComparedText[] = [];
  const bound = boundIn(tree);
  const named = (node: Expression): Pick<ComparedText, "member" | "hole"> => {
    const value = bare(node);
    const source = value.kind === "Variable" ? bound.get(value.name) : value;
    if (source === undefined || typeof source === "string") return { member: source, hole: undefined };
    const read = bare(source);
    return { member: nameOfValue(read), hole: read.kind === "Hole" ? read.hole : undefined };
  };
  for (const node of nodesIn(tree)) {
    if (node.kind === "Postfix") {
      const [head, suffix] = [bare(node.head), node.suffixes[0]];
      // `{…} as $tags | … $tags[.event]`
      const made = head.kind === "Variable" ? bound.get(head.name) : head;
      const table = typeof made === "object" ? bare(made) : undefined;
      if (table?.kind !== "Object" || suffix?.kind !== "Index") continue;
      for (const { key } of table.entries) {
        const event = key.kind === "Variable" ? undefined : nameOf(key);
        if (event !== undefined) found.push({ node: key as Expression, event, ...named(suffix.index) });
      }
    }
    if (node.kind === "Pipeline")
      for (const { list, sought } of soughtIn(node, bound))
        for (const item of list) {
          const event = constantOf(item);
          if (typeof event === "string") found.push({ node: item, event, ...named(sought) });
        }
    if (node.kind !== "Comparison" || (node.operator !== "==" && node.operator !== "!=")) continue;
    for (const [side, other] of [
      [node.left, node.right],
      [node.right, node.left],
    ] as const) {
      const event = constantOf(side);
      if (typeof event === "string") found.push({ node: side, event, ...named(other) });
    }
  }
  return found;
});

/** `["a", "b"] | index(.event)` and `.event | IN("a", "b")`: lists of constants, and what is sought in them. */
function soughtIn(
  { stages }: Pipeline,
  bound: ReadonlyMap<string, Expression | string | undefined>,
): readonly { readonly list: readonly Expression[]; readonly sought: Expression }[] {
  return stages.flatMap((stage, at) => {
    const before = stages[at - 1];
    if (before === undefined || !isExpression(before) || !isExpression(stage)) return [];
    // `index(.event) // 3`
    const next = bare(stage);
    const call = next.kind === "Alternative" ? bare(next.operands[0]!) : next;
    if (call.kind !== "Call") return [];
    if (call.name.text === "IN")
      return call.arguments.length === 1 ? [{ list: itemsOf(call.arguments[0]!), sought: before }] : [];
    const [sought] = call.name.text === "index" ? call.arguments : [];
    const source = before.kind === "Variable" ? bound.get(before.name) : before;
    const list = typeof source === "object" ? bare(source) : undefined;
    const isList = sought !== undefined && list?.kind === "Array" && list.body !== undefined;
    return isList ? [{ list: itemsOf(list.body!), sought }] : [];
  });
}

const itemsOf = (node: Expression): readonly Expression[] => {
  const inner = bare(node);
  return inner.kind === "Comma" ? inner.items : [inner];
};

/** What variables were bound to, or the member that they are: `{$topic}` and `{topic: $kind}` are `topic`. */
function boundIn(tree: Node): ReadonlyMap<string, Expression | string | undefined> {
  const bound = new Map<string, Expression | string | undefined>();
  const bind = (name: string, source: Expression | string): void => {
    bound.set(name, bound.has(name) ? undefined : source);
  };
  for (const node of nodesIn(tree)) {
    if (node.kind === "Binding")
      for (const pattern of node.patterns)
        if (pattern.kind === "VariablePattern") bind(pattern.name, node.source);
    if (node.kind !== "PatternEntry") continue;
    const { key, pattern } = node;
    if (key.kind === "VariablePattern") bind(key.name, key.name);
    else if (key.kind === "Name" && pattern?.kind === "VariablePattern") bind(pattern.name, key.text);
  }
  return bound;
}

interface ComparedText {
  readonly node: Expression;
  readonly event: string;
  /** The member that it is compared with. */
  readonly member: string | undefined;
  /** The expansion that it is compared with. */
  readonly hole: number | undefined;
}
