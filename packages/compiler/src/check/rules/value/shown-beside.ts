import type { Expression } from "@configc/jq";
import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { documentedAt } from "../../../flow/documented-records.ts";
import { commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { bare, textAt } from "../../../flow/nodes.ts";
import { mayBeSame, nounOf, nounOfId } from "../../../flow/nouns.ts";
import { stageBefore } from "../../../flow/protocol/stage-before.ts";
import { nameOfPath } from "../../../flow/record-kind.ts";
import type { ShownValue } from "../../../flow/shown-record.ts";
import { textOf } from "../../../parse/syntax-tree.ts";

/** The id of the wanted kind that a comment shows with the one that is read, so that it certainly could be read instead. */
export function shownBeside(
  { root, syntax }: Expansion,
  noun: string,
  command: Command,
  model: Model,
): string | undefined {
  const names = syntax.path.map(({ text }) => text);
  const [, index, ...path] = names;
  const name = path.at(-1);
  if (root !== "piped_content" || name === undefined || !isIdName(name)) return undefined;
  const records = [...shownAt(command, model), ...shownOfItems(index, command, model)];
  const before = names.slice(0, -1);
  const read = (...others: readonly string[]): string => others.join(".");
  for (const { members = [] } of records) {
    // `{jobId, applicationId}`
    const isHere = members.some((member) => member.name === name);
    const beside = isHere ? onlyOne(members.filter((member) => nounOfId(member.name) === noun)) : undefined;
    if (beside !== undefined) return read(...before, beside.name);
    // `{office: {id}, contact: {id}}`
    const isOwner = path.length > 1 && members.some((member) => member.name === path.at(-2));
    const other = isOwner
      ? onlyOne(members.filter((member) => nounOf(member.name) === noun && hasId(member)))
      : undefined;
    if (other !== undefined && other.name !== path.at(-2))
      return read(...before.slice(0, -1), other.name, "id");
  }
  const owner = path.at(-2) ?? "";
  // `{viewing: {id, home: {id}}}`
  for (const { name: own, members = [] } of records) {
    if (owner === "" || own !== owner || !members.some((member) => member.name === name)) continue;
    const below = onlyOne(members.filter((member) => nounOf(member.name) === noun && hasId(member)));
    if (below !== undefined) return read(...before, below.name, "id");
  }
  if (nounOf(owner) === noun && records.some((each) => each.name === owner && hasId(each)))
    return read(...before, "id");
  if (isOwnOf(noun, Number(index), path, records, command)) return read("piped_content", index!, "id");
  // `The answer has pupil and payer`
  const told = path.length === 2 && path[1] === "id" ? memberTold(noun, owner, command, model) : undefined;
  return told === undefined ? undefined : read(...before.slice(0, -1), told, "id");
}

/** What the request of an intake shows of the items that are handed on, for what is given to a pipeline. */
function shownOfItems(index: string | undefined, command: Command, model: Model): readonly ShownValue[] {
  const { unit, place } = command;
  if (index !== "0" || unit?.kind !== "workflow" || place.name !== "data_pipeline.source") return [];
  const intakes = [unit.intake?.target, unit.historicalIntake?.target];
  return intakes.flatMap((intake) => {
    const request = intake?.commands.get("request")?.children.at(-1);
    return request === undefined ? [] : shownAt(request, model);
  });
}

/** The member that an answer has beside another, as a comment tells. */
function memberTold(noun: string, other: string, command: Command, model: Model): string | undefined {
  for (const { value } of hasComments(model) ? commentsAround(command.node, []) : [])
    for (const [, first, second] of value.matchAll(
      /\b(?:has|have|gives?|with|contains?|holds?) (?:both )?(?:an? |the )?([a-z]\w*) and (?:an? |the )?([a-z]\w*)\b/g,
    ))
      if (nounOf(first!) === noun && second === other) return first;
      else if (nounOf(second!) === noun && first === other) return second;
  return undefined;
}

/** The same in a program, of a record that is called as what is wanted: `.hook.id` for `.hook.owner_id`. */
export function shownInOwner(
  value: Expression,
  noun: string,
  program: JqProgram,
  model: Model,
): string | undefined {
  const read = bare(value);
  const last = read.kind === "Postfix" ? read.suffixes.at(-1) : undefined;
  if (read.kind !== "Postfix" || last?.kind !== "Field" || last.key.kind !== "Name") return undefined;
  const names = [...namesBefore(read.head, program), ...namesOf(read)];
  const owner = names.at(-2);
  if (owner === undefined || !isIdName(last.key.text) || last.key.text === "id" || nounOf(owner) !== noun)
    return undefined;
  const shown = (documentedAt(program.command, model).get(owner) ?? []).some(
    (each) => hasId(each) && each.members?.some(({ name }) => name === names.at(-1)),
  );
  return shown ? `${textAt(read, program).slice(0, -last.key.text.length)}id` : undefined;
}

/** `["endpoint"]` of the `.` behind `.endpoint |`. */
function namesBefore(head: Expression, program: JqProgram): readonly string[] {
  const stage = head.kind === "Identity" ? stageBefore(program).get(head) : undefined;
  return stage?.kind === "Postfix" ? namesOf(stage) : [];
}

const namesOf = ({ suffixes }: Extract<Expression, { kind: "Postfix" }>): readonly string[] =>
  suffixes.flatMap((suffix) =>
    suffix.kind === "Field" && suffix.key.kind === "Name" ? [suffix.key.text] : [],
  );

/** Whether a step asks for a record of that kind, or makes one, and its answer is shown with an id of its own beside what is read. */
function isOwnOf(
  noun: string,
  step: number,
  path: readonly string[],
  records: readonly ShownValue[],
  { pipe }: Command,
): boolean {
  const request = Number.isInteger(step) && step > 0 ? pipe?.children[step - 1] : undefined;
  if (request === undefined || path.length > 2 || (path.length === 1 && path[0] === "id")) return false;
  const asked = kindsAsked(request);
  // An employee is asked for among people, and has an employer.
  const isOfPeople = asked.has("person") && path.length === 1 && mayBeSame(noun, "person");
  return (
    asked.size === 1 &&
    (asked.has(noun) || (isOfPeople && !mayBeSame(nounOfId(path[0]!) ?? noun, "person"))) &&
    records.some(
      (each) => each.name === "" && hasId(each) && each.members!.some(({ name }) => name === path[0]),
    )
  );
}

/** What a step asks for or makes, whichever way it goes; an empty text for what isn't known. */
function kindsAsked({ key, argument, children }: Command): ReadonlySet<string> {
  if (key === "!http") return new Set([nounOf(nameOfPath(textOf(argument, "path") ?? "") ?? "") ?? ""]);
  const ways = key === "!switch" ? children : key === "!pipe" ? children.slice(-1) : [];
  const asked = ways.flatMap((way) =>
    way === undefined || way.key === "!error" ? [] : [...kindsAsked(way)],
  );
  return new Set(asked.length > 0 ? asked : [""]);
}

const shownAt = (command: Command, model: Model): readonly ShownValue[] =>
  [...documentedAt(command, model).values()].flat();

const hasId = ({ members }: ShownValue): boolean => members?.some(({ name }) => name === "id") === true;

function onlyOne(members: readonly ShownValue[]): ShownValue | undefined {
  return members.length === 1 ? members[0] : undefined;
}
