import type { Command, IntakeSymbol } from "../bind/bound-nodes.ts";
import { usersOf } from "../bind/resolve.ts";
import { type JsonNode, objectItems } from "../parse/syntax-tree.ts";
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
}

/** The events that the requests of an intake's command name in a list of texts; undefined where one of them isn't known. */
export function registeredEvents(intake: IntakeSymbol, requests: readonly Command[]): Registered | undefined {
  const lists = requests.flatMap((command) => listsSent(command, intake));
  return lists.length === 1 ? lists[0] : undefined;
}

function listsSent(command: Command, intake: IntakeSymbol): readonly Registered[] {
  const { key, argument } = command;
  const body = key === "!http" && argument?.kind === "object" ? argument.get("body") : undefined;
  return body === undefined ? [] : listsBelow(body, intake, command);
}

/** At the body's root, or in an object in it: JSON:API has `data.attributes.topics`. */
function listsBelow(body: JsonNode, intake: IntakeSymbol, command: Command): readonly Registered[] {
  if (body.kind !== "object") return [];
  return body.members.flatMap(({ name, value }) => {
    if (value?.kind === "object") return listsBelow(value, intake, command);
    if (!/event|topic|trigger|(?:^|_)on$|subscri/i.test(name) || isIdName(name)) return [];
    const chosen = optionsOf(value, intake);
    if (chosen !== undefined) return [{ name, ...chosen, command }];
    const events = textsIn(value);
    return events === undefined || events.length === 0 ? [] : [{ name, events, field: undefined, command }];
  });
}

function textsIn(value: JsonNode | undefined): readonly string[] | undefined {
  const items = value?.kind === "array" ? value.items : value === undefined ? [] : [value];
  const texts = items.flatMap((item) =>
    item.kind === "string" && !item.value.includes("$") ? [item.value] : [],
  );
  if (texts.length < items.length) return undefined;
  // A form has a list as one text.
  return value?.kind === "string" ? texts.flatMap((text) => text.split(/\s*,\s*/)) : texts;
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
  const events = staticOptions(field).map((option) => option.value);
  const all = objectItems(field.node.get("options")).length;
  return all > 1 && events.length === all ? { events, field: id } : undefined;
}
