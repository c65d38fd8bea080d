import type { Command, IntakeSymbol } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import { usersOf } from "../bind/resolve.ts";
import { type JsonNode, type ObjectNode, objectItems } from "../parse/syntax-tree.ts";
import { parseTemplate } from "../parse/template.ts";
import { staticOptions } from "./chosen.ts";
import { isIdName } from "./id-names.ts";

/** The events that `create` registers. */
export interface Registered {
  /** The member that names them, `topics`. */
  readonly name: string;
  readonly events: readonly string[];
  /** The form field whose options they are, where the customer chooses among them. */
  readonly field: string | undefined;
  readonly command: Command;
  /** Where they stand. */
  readonly at: JsonNode;
}

/** The events that the requests of an intake's command name in a list of texts; undefined where one of them isn't known. */
export function registeredEvents(intake: IntakeSymbol, requests: readonly Command[]): Registered | undefined {
  const lists = requests.flatMap((command) => listsSent(command, intake));
  const named = lists.filter(({ name }) => ofEvents.test(name));
  const [list, ...others] = named.length > 0 ? named : lists;
  // A registration may be made in one of two ways.
  const isSame = (other: Registered): boolean => `${other.events}` === `${list?.events}` && !other.field;
  return others.every(isSame) ? list : undefined;
}

/** Whether a member has the name of the event that came: by the name of what is registered, or as services call it. */
export const isEventName = (member: string | undefined, registeredAs: string): boolean =>
  member !== undefined &&
  (isSingularOf(member, registeredAs) || /^(?:event|topic|trigger)(?:_?(?:type|name))?$/i.test(member));

/** Whether payloads have an event under `topic` where `topics` are registered. */
export const isSingularOf = (member: string | undefined, name: string): boolean =>
  member !== undefined && `${member}s` === name;

/** What stands in an intake, in the workflows that use it, and in their other intakes: whatever may know its events. */
export function textAround(intake: IntakeSymbol, { document: { text } }: Model): string {
  const users = usersOf(intake);
  const intakes = users.flatMap((user) =>
    [user.intake?.target ?? [], user.historicalIntake?.target ?? []].flat(),
  );
  const units = new Set([intake, ...users, ...intakes]);
  return [...units].map(({ node }) => text.slice(node.start, node.end)).join("\n");
}

const ofEvents = /event|topic|trigger|(?:^|_)on$|subscri/i;
const ofKinds = /^(?:kinds|types|actions|changes)$/i;

function listsSent(command: Command, intake: IntakeSymbol): readonly Registered[] {
  const { key, argument } = command;
  const body = key === "!http" && argument?.kind === "object" ? argument.get("body") : undefined;
  return body === undefined ? [] : listsBelow(body, intake, command);
}

/** At the body's root, or in an object in it: JSON:API has `data.attributes.topics`. */
function listsBelow(body: JsonNode, intake: IntakeSymbol, command: Command): readonly Registered[] {
  if (body.kind !== "object") return [];
  const numbered = numberedIn(body, command);
  return body.members.flatMap(({ name, value }): readonly Registered[] => {
    if (value === undefined) return [];
    if (value.kind === "object") return listsBelow(value, intake, command);
    const list = numbered.get(name);
    if (list !== undefined) return list === "other" ? [] : [list];
    const texts = eventTexts(value);
    const isNamed = ofEvents.test(name) && !isIdName(name);
    // What a customer chose is registered under any such name: `kinds: "${custom_data.kinds.value}"`.
    const chosen = isNamed || ofKinds.test(name) ? optionsOf(value, intake) : undefined;
    if (chosen !== undefined) return [{ name, ...chosen, command, at: value }];
    // Whatever the list is called: `kinds: ["order.paid", "order.refunded"]`.
    if (!isNamed && !(texts !== undefined && texts.length > 1 && areAlike(texts))) return [];
    return texts === undefined || texts.length === 0
      ? []
      : [{ name, events: texts, field: undefined, command, at: value }];
  });
}

/** `events[0]` and `events[1]` of a form: the list at its first member, and "other" at those behind. */
function numberedIn({ members }: ObjectNode, command: Command): ReadonlyMap<string, Registered | "other"> {
  const found = new Map<string, Registered | "other">();
  const lists = new Map<string, string[]>();
  for (const { name, value } of members) {
    const base = /^([\w-]*(?:event|topic|trigger|subscri)[\w-]*)\[\d*\]$/i.exec(name)?.[1];
    if (base === undefined || value?.kind !== "string" || value.value.includes("$")) continue;
    const known = lists.get(base);
    if (known !== undefined) known.push(value.value);
    else lists.set(base, [value.value]);
    found.set(
      name,
      known === undefined
        ? { name: base, events: lists.get(base)!, field: undefined, command, at: value }
        : "other",
    );
  }
  return found;
}

/** Whether texts are called alike: `order.sent`, `order.paid` and `order.refunded`. */
export function areAlike(texts: readonly string[]): boolean {
  const kinds = new Set(texts.map((text) => /^(\w+)[._/:-]\w/.exec(text)?.[1]));
  return kinds.size === 1 && !kinds.has(undefined);
}

/** The events that a list names, or a text of a form; undefined where one of them isn't known. */
export function eventTexts(value: JsonNode): readonly string[] | undefined {
  const items = value.kind === "array" ? value.items : [value];
  const texts = items.flatMap((item) =>
    item.kind === "string" && !item.value.includes("$") ? [item.value] : [],
  );
  if (texts.length < items.length) return undefined;
  if (value.kind !== "string") return texts;
  // A form has a list as one text.
  const [text = ""] = texts;
  const parts = text.split(/[\s,;|]+/);
  return parts.every((part) => /^[\w-]+(?:[._/:-][\w*-]+)+$/.test(part)) ? parts : text.split(/\s*,\s*/);
}

/** All that a customer can choose, where a value is what they chose. */
function optionsOf(
  value: JsonNode | undefined,
  intake: IntakeSymbol,
): Pick<Registered, "events" | "field"> | undefined {
  const item = value?.kind === "array" && value.items.length === 1 ? value.items[0] : value;
  const [expansion, ...others] = item?.kind === "string" ? (parseTemplate(item.value)?.expansions ?? []) : [];
  const [root, id, attribute] = expansion?.path.map(({ text }) => text) ?? [];
  if (others.length > 0 || root !== "custom_data" || attribute !== "value" || id === undefined)
    return undefined;
  const users = usersOf(intake);
  const fields = users.flatMap((workflow) => workflow.fields.filter((field) => field.id === id));
  const [field] = fields;
  if (field === undefined || users.length !== 1 || fields.length !== 1) return undefined;
  const options = staticOptions(field);
  const all = objectItems(field.node.get("options")).length;
  if (all < 2 || options.length < all) return undefined;
  // A choice may be of several: `made,paid`.
  return { events: [...new Set(options.flatMap((option) => option.value.split(/\s*,\s*/)))], field: id };
}
