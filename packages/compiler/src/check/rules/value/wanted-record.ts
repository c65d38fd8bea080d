import type { ObjectConstruction } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { Command, Expansion, FieldSymbol, JqProgram, Unit } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { workflowsOf } from "../../../bind/resolve.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { isPlural, nounOf, nounOfId } from "../../../flow/nouns.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { listBefore } from "../../../flow/path-lists.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { idArguments, kindOfField } from "../../../flow/record-kind.ts";
import { type JsonNode, textOf } from "../../../parse/syntax-tree.ts";
import { memberWith } from "./other-role.ts";

/** What a place asks an id of, by its name. */
export interface Wanted {
  readonly noun: string;
  readonly place: string;
}

/** What the rules know of a place besides its name. */
export interface Around {
  /** Every kind of record that the document names. */
  readonly kinds: ReadonlySet<string>;
  /** The form fields that can be read there. */
  readonly fields: () => readonly FieldSymbol[];
  readonly model: Model;
  /** Whether a step before has such a record at hand, of which no path says a thing. */
  readonly isHeld?: (noun: string) => boolean;
}

/**
 * What an expansion stands for in a path, or as a member of a request. In a path, what a customer chose may be called otherwise than its
 * records: `isOfOtherField` is to be asked, too.
 */
export function wantedOf(expansion: Expansion, around: Around): Wanted | undefined {
  const { root, position, node, syntax } = expansion;
  if (root !== "piped_content" && root !== "data" && root !== "custom_data") return undefined;
  if (position === "path") {
    const before = listBefore(expansion);
    if (before === undefined || !isPlural(before) || !/^(?:[/?]|$)/.test(node.value.slice(syntax.end)))
      return undefined;
    const noun = nounOf(before);
    return noun === undefined ? undefined : { noun, place: `\`/${before}/\`` };
  }
  const inList = node.parent?.kind === "array" && expansion.command !== undefined;
  const member = inList ? memberOfList(expansion) : memberWith(expansion);
  if (member === undefined) return undefined;
  const variable = inList ? undefined : argumentOf(member, node, expansion.command);
  if (variable !== undefined && variable !== member && variable !== "id") return wantedBy(variable, around);
  const asked = inList ? undefined : recordAskedFor(member, node, expansion.command);
  if (asked !== undefined) return asked;
  return wantedBy(member, around) ?? (inList ? undefined : wantedBelow(member, node, around));
}

/** Whether a field has the kind that a path wants, so that what another one has is certainly none of it. */
export const isOfOtherField = (noun: string, around: Around): boolean =>
  around.fields().some((field) => isOf(field, noun, around));

/** `PUT /rehearsals/1/absences/${person}`, `DELETE /courses/1/enrolments/${person}`: what ties two records together is named by the ids of both. */
export function tiesRecords({ node, syntax, command, position }: Expansion): boolean {
  if (position !== "path") return false;
  const [, list] = /\/\$[{<][^/]+\/([\w-]+)\/$/.exec(node.value.slice(0, syntax.start)) ?? [];
  const method = textOf(command?.argument, "method");
  return list !== undefined && (method === "PUT" || (method === "DELETE" && isTie.test(list)));
}

const isTie =
  /(?:enrol(?:l)?ment|membership|subscription|registration|participation|attendance|assignment|absence|favou?rite|follow|like|vote|share|grant|permission|access|sign-?up|rsvp)s?$/i;

/** The record that a query asks for by its id: `application` of `application(id: $id)`. */
function recordAskedFor(member: string, node: JsonNode, command: Expansion["command"]): Wanted | undefined {
  const query = queryWith(node, command);
  if (query === "") return undefined;
  const [first, ...others] = query.matchAll(
    new RegExp(`(\\w+)\\(\\s*id:\\s*\\$${escapedPattern(member)}\\b`, "g"),
  );
  const noun = first === undefined || others.length > 0 ? undefined : nounOf(first[1]!);
  return noun === undefined ? undefined : { noun, place: `\`${first![1]}(id: …)\`` };
}

/** The argument that a query fills with a variable, where it names an id: `taskId` of `addNote(taskId: $task)`. */
function argumentOf(member: string, node: JsonNode, command: Expansion["command"]): string | undefined {
  return idArguments(queryWith(node, command)).find(([, , variable]) => variable === member)?.[1];
}

/** The query of which a value is one of the variables, or an empty text. */
function queryWith(node: JsonNode, command: Expansion["command"]): string {
  const owner = node.parent?.kind === "member" ? node.parent.parent?.parent : undefined;
  if (owner?.kind !== "member" || owner.name !== "variables") return "";
  const body = command?.argument?.kind === "object" ? command.argument.get("body") : undefined;
  return textOf(body, "query") ?? "";
}

/**
 * What a member asks for: `event_id`, or one that is called like a form field.
 * @param isChosen whether it may be called like a field
 */
export function wantedBy(member: string, around: Around, isChosen = true): Wanted | undefined {
  const noun = nounOfId(member, around.kinds);
  if (noun !== undefined)
    return around.kinds.has(noun) || around.isHeld?.(noun) === true
      ? { noun, place: `\`${member}\`` }
      : undefined;
  const own = isChosen ? nounOf(member) : undefined;
  if (own === undefined) return undefined;
  const isField = around.fields().some((field) => field.id === member);
  return isField ? { noun: own, place: `\`${member}\`` } : undefined;
}

/** What customers see as the number of a record, under any name: `deal_id`, titled “Allocation number”. */
export function wantedByTitle(member: string, { command }: JqProgram, around: Around): Wanted | undefined {
  const { unit, place } = command;
  if (unit?.kind !== "workflow" || place.name !== "data_pipeline.source") return undefined;
  const title = offeredTitles(unit, around.model).get(member);
  const words = title === undefined ? [] : wordsOf(title);
  if (words.length !== 2 || !/^(?:number|no|id|reference|nr)$/.test(words[1]!)) return undefined;
  const noun = nounOf(words[0]!);
  return noun === undefined || !around.kinds.has(noun)
    ? undefined
    : { noun, place: `\`${member}\`, titled “${title}”,` };
}

/** `tags: ["${…}"]` and `tag_ids` ask for what `tag` and `tag_id` do. */
function memberOfList({ node, command, syntax }: Expansion): string | undefined {
  const list = node.parent?.parent;
  if (command?.key !== "!http" || list?.kind !== "member") return undefined;
  if (syntax.start > 0 || syntax.end < node.value.length) return undefined;
  return list.name.replace(/(?<=[_a-z\d])(ids|Ids)$/, (ids) => ids.slice(0, -1));
}

/** `ticket` of `{ticket: {id: …}}` and `{ticket: {data: {type: "tickets", id: …}}}`. */
function wantedBelow(member: string, node: JsonNode, { kinds }: Around): Wanted | undefined {
  // `client_id` and `po_id` are ids of something else than the record that they stand in.
  if (!isIdName(member) || wordsOf(member).length > 1 || node.parent?.kind !== "member") return undefined;
  const object = node.parent.parent;
  const named = object?.parent?.kind === "member" ? object.parent : undefined;
  const owner =
    named?.name === "data" && named.parent?.parent?.kind === "member" ? named.parent.parent : named;
  if (owner === undefined || owner.name === "body" || owner.name === "params") return undefined;
  const type = object?.kind === "object" ? textOf(object, "type") : undefined;
  const noun = nounOf(owner.name);
  if (noun === undefined || !kinds.has(noun) || (type !== undefined && nounOf(type) !== noun))
    return undefined;
  return { noun, place: `\`${owner.name}.${member}\`` };
}

/** The same of each object that a program makes: the ids below a name, by the object that has them. */
export function wantedBelowIn(program: JqProgram): ReadonlyMap<ObjectConstruction, string> {
  const found = new Map<ObjectConstruction, string>();
  const objects = nodesOfKind(program, "Object");
  // It takes one in another.
  if (objects.length < 2) return found;
  for (const object of objects)
    for (const { key, value } of object.entries) {
      const inner = value === undefined ? undefined : bare(value);
      const name = inner?.kind === "Object" ? nameOf(key) : undefined;
      if (name === undefined || nounOf(name) === undefined || inner?.kind !== "Object") continue;
      const data =
        inner.entries.length === 1 && nameOf(inner.entries[0]!.key) === "data"
          ? inner.entries[0]?.value
          : undefined;
      const below = data === undefined ? inner : bare(data);
      if (below.kind !== "Object") continue;
      const type = below.entries.find((entry) => nameOf(entry.key) === "type")?.value;
      const said = type === undefined ? undefined : constantOf(bare(type));
      if (type === undefined || (typeof said === "string" && nounOf(said) === nounOf(name)))
        found.set(below, name);
    }
  return found;
}

export function isOf(
  field: FieldSymbol,
  noun: string | undefined,
  { model }: Pick<Around, "model">,
): boolean {
  return noun !== undefined && kindOfField(field, flowOf(model))?.nouns.has(noun) === true;
}

/** The form fields that a command can read: in the options of one those before it (D12). */
export function fieldsInReach(command: Command | undefined, unit: Unit | undefined): readonly FieldSymbol[] {
  const own = command?.field;
  return workflowsOf(unit).flatMap(({ fields }) =>
    own === undefined
      ? fields
      : fields.filter(({ index, workflow }) => workflow !== own.workflow || index < own.index),
  );
}
