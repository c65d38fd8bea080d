import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command } from "../../../bind/bound-nodes.ts";
import { bare } from "../../../flow/nodes.ts";
import { stepAt } from "../../../flow/producers.ts";
import { memberMade } from "../../../flow/protocol/definition-site.ts";
import { areAlike, eventTexts } from "../../../flow/registered-events.ts";
import type { JsonNode, ObjectNode } from "../../../parse/syntax-tree.ts";
import { allIn } from "../workflow/commands.ts";

/** The events that a registration names in one list of constants. */
export interface EventList {
  readonly member: string;
  /** Each event, with where it stands. */
  readonly events: ReadonlyMap<string, JsonNode>;
  /** The list that they stand in, or the program's expansion that makes it. */
  readonly list: JsonNode;
}

/** Whether two lists have the same events, in any order. */
export const isSameList = (a: EventList, b: EventList): boolean =>
  a.events.size === b.events.size && [...a.events.keys()].every((text) => b.events.has(text));

/**
 * The lists of events of a command that registers, one for each way that differs; undefined where one isn't known, or where two requests
 * that both run register events: then each registration has some of them.
 */
export function eventLists(command: Command): readonly EventList[] | undefined {
  const requests = allIn(command)?.filter(({ key }) => key === "!http");
  const found = requests?.map((request) => ({ request, lists: listsOf(request) }));
  if (found === undefined || found.some(({ lists }) => lists === undefined)) return undefined;
  const registering = found.filter(({ lists }) => lists!.length > 0);
  const isOneOf = registering.every((one, at) =>
    registering.slice(at + 1).every((other) => areAlternatives(one.request, other.request)),
  );
  if (!isOneOf) return undefined;
  const all = registering.flatMap(({ lists }) => lists!);
  return all.filter((list, at) => !all.slice(0, at).some((before) => isSameList(before, list)));
}

/** Whether two commands stand in two cases of one `!switch`, so that one of them runs. */
export function areAlternatives(one: Command, other: Command): boolean {
  const around = new Set<Command>();
  for (let at: Command | undefined = one; at !== undefined; at = at.parent) around.add(at);
  for (let at: Command | undefined = other; at !== undefined; at = at.parent)
    if (around.has(at)) return at.key === "!switch";
  return false;
}

/** The lists of one request: several where a program chooses among them, none where it names no events. */
function listsOf(request: Command): readonly EventList[] | undefined {
  const body = request.argument?.kind === "object" ? request.argument.get("body") : undefined;
  if (body === undefined) return [];
  return body.kind === "object" ? listsOfBody(body, request) : undefined;
}

/** Those at the body's root, or in the one object in it that has some: `{hook: {events: [...]}}`, `{query, variables: {topics: [...]}}`. */
function listsOfBody(body: ObjectNode, request: Command): readonly EventList[] | undefined {
  const found = body.members.flatMap(({ name, value }) => {
    const isNamed = listNames.test(name);
    const lists = value === undefined ? [] : listsIn(name, value, isNamed, request);
    return lists.length === 0 ? [] : [{ isNamed, lists }];
  });
  const named = found.filter(({ isNamed }) => isNamed);
  const [one, ...others] = named.length > 0 ? named : found;
  if (others.length > 0 || (one === undefined && mayNameEvents(body))) return undefined;
  if (one !== undefined) return one.lists;
  const below = body.members.flatMap(({ value }) =>
    value?.kind === "object" ? [listsOfBody(value, request)] : [],
  );
  const [inner, ...more] = below.filter((lists) => lists === undefined || lists.length > 0);
  return more.length > 0
    ? undefined
    : below.length === 0
      ? []
      : inner === undefined && below.includes(undefined)
        ? undefined
        : (inner ?? []);
}

/** What a registration calls its events: `events`, `topics`, and as a whole `changes`. */
const listNames = /event|topic|trigger|^(?:changes|kinds|actions|notifications|notify_?(?:on|about)|on)$/i;

/** Whether something of a body may name events, in a form that isn't read. */
const mayNameEvents = ({ members }: ObjectNode): boolean =>
  members.some(({ name }) => /event|topic|trigger/i.test(name));

function listsIn(name: string, value: JsonNode, isNamed: boolean, request: Command): readonly EventList[] {
  if (value.kind !== "array" && value.kind !== "string") return [];
  if (isNamed && value.kind === "array" && value.items.length === 0)
    return [{ member: name, events: new Map(), list: value }];
  const made = value.kind === "string" && isNamed ? listsMade(value.value, request) : undefined;
  if (made !== undefined)
    return made.map((texts) => ({
      member: name,
      events: new Map(texts.map((text) => [text, value])),
      list: value,
    }));
  const texts = eventTexts(value) ?? [];
  if (texts.length === 0 || (value.kind === "string" && texts.length === 1)) return [];
  if (!isNamed && !areAlike(texts) && !(ofKinds.test(name) && texts.length > 1 && texts.every(isDotted)))
    return [];
  const at = (index: number): JsonNode => (value.kind === "array" ? value.items[index]! : value);
  return [{ member: name, events: new Map(texts.map((text, index) => [text, at(index)])), list: value }];
}

const ofKinds = /^(?:kinds|types|actions)$/;
const isDotted = (text: string): boolean => /^[a-z_]+\.[a-z_]+$/.test(text);

/** The constant lists of which an earlier step makes one: `{topics: (if … then ["a.b"] else ["a.b", "a.c"] end)}`. */
function listsMade(value: string, request: Command): readonly (readonly string[])[] | undefined {
  const [, index, member] = /^\$[{<]\s*piped_content\.(\d{1,4})\.(\w+)\s*[}>]$/.exec(value) ?? [];
  if (member === undefined) return undefined;
  const made = memberMade(stepAt(request, Number(index)), member);
  const node = made === undefined ? undefined : bare(made.node);
  if (node?.kind !== "If" || node.otherwise === undefined) return undefined;
  const ways = [...node.branches.map(({ body }) => body), node.otherwise].map(textsOf);
  return ways.every((each) => each !== undefined) ? ways : undefined;
}

function textsOf(way: Expression): readonly string[] | undefined {
  const value = constantOf(bare(way));
  return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;
}
