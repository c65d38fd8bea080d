import { escapedPattern } from "@configc/jq/internal";
import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsOver, isAsItCame } from "../../../flow/counted.ts";
import { type DocumentedValue, documentedAt } from "../../../flow/documented-records.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, isShownName } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { isPlural, nounOf, nounOfId, ofCredentials, singular } from "../../../flow/nouns.ts";
import { expansionTrails, type Trail, trailsOf } from "../../../flow/origin.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { kindsNamedIn, nameOfPath } from "../../../flow/record-kind.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";
import { memberWith } from "./other-role.ts";

const memberForId = defineRule<{
  place: string;
  read: string;
  id: string;
  instead: string;
  by?: "request";
}>({
  id: "value/member-for-id",
  severity: "warning",
  summary:
    "A number or a name goes where an id is wanted, though a comment or another request shows that the record has one",
  why: "People call a record by its number, its name or its year; requests take its id. With another member in the place of the id, a request finds nothing, or another record that has it as its id.",
  guards: ["command.!http", "command.!jq", "D3", "D18"],
  message: ({ place, read, id, by }) =>
    `${place} gets \`${read}\`, but ${by === undefined ? "a comment shows that this record has" : "another request takes this record's"} \`${id}\`.`,
  because: ({ place, read, id }) => [`a record has \`${id}\` beside \`${read}\``, `${place} wants the id`],
  help: ({ instead }) => `Take \`${instead}\`.`,
  fixes: ({ at, args }, { document }) => rewriteTo({ at, args }, document),
  examples: [
    {
      title: "D3: the number in a path",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"_comment": "Answers {job: {id, number}}.", "!http": {"method": "POST", "path": "/jobs", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/jobs/«${piped_content.1.job.number}»/release", "body": {"list": "${custom_data.list.value}", "note": "${custom_data.note.value | default}"}}}]}',
      good: '{"!pipe": [{"_comment": "Answers {job: {id, number}}.", "!http": {"method": "POST", "path": "/jobs", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/jobs/${piped_content.1.job.id}/release", "body": {"list": "${custom_data.list.value}", "note": "${custom_data.note.value | default}"}}}]}',
      fixed:
        '{"!pipe": [{"_comment": "Answers {job: {id, number}}.", "!http": {"method": "POST", "path": "/jobs", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/jobs/${piped_content.1.job.id}/release", "body": {"list": "${custom_data.list.value}", "note": "${custom_data.note.value | default}"}}}]}',
    },
    {
      title: "D3: another member under the name of an id",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"_comment": "{field: {id, season: {id, year}}}", "!http": {"path": "/fields/${custom_data.list.value}"}}, {"!jq": "{season_id: «.field.season.year», note: ${custom_data.note.value | default}}"}, {"!http": {"method": "POST", "path": "/jobs", "body": "${piped_content.2}"}}]}',
      good: '{"!pipe": [{"_comment": "{field: {id, season: {id, year}}}", "!http": {"path": "/fields/${custom_data.list.value}"}}, {"!jq": "{season_id: .field.season.id, note: ${custom_data.note.value | default}}"}, {"!http": {"method": "POST", "path": "/jobs", "body": "${piped_content.2}"}}]}',
      fixed:
        '{"!pipe": [{"_comment": "{field: {id, season: {id, year}}}", "!http": {"path": "/fields/${custom_data.list.value}"}}, {"!jq": "{season_id: .field.season.id, note: ${custom_data.note.value | default}}"}, {"!http": {"method": "POST", "path": "/jobs", "body": "${piped_content.2}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [memberForId],
  checks: {
    reach: "saved",
    expansion(expansion, report, model) {
      const { root, rootExact, position, syntax, command } = expansion;
      if (root !== "piped_content" || !rootExact || command === undefined) return;
      if (syntax.path.length < 3 || syntax.filters.length > 0) return;
      if (position !== "path") return tellSent(expansion, command, report, model);
      if (!hasComments(model)) return;
      const found = idForPath(expansion, model);
      if (found !== undefined) tellExpansion(expansion, `\`/${found.list}/\``, found.names, found.id, report);
    },
    program(program, report, model) {
      if (!hasComments(model) || !/id"?\s*:/i.test(program.node.value)) return;
      for (const { key, value } of nodesOfKind(program, "Entry")) {
        const name = nameOf(key) ?? "";
        if (value === undefined || !isIdName(name)) continue;
        const read = pathRead(value, program);
        const noun = read === undefined ? undefined : nounWanted(name, read.names, program.command, model);
        if (noun === undefined || read === undefined) continue;
        const id = idBeside(read.names, noun, program.command, model);
        if (id === undefined || saysSo(nameOf(key)!, read.names.at(-1)!, program.command, model)) continue;
        if (!isMember(trailsOf(flowOf(model), program, value), read.names.at(-1)!)) continue;
        const text = textAt(bare(value), program);
        const instead = text.replace(/[\w"]+$/, id.name);
        report(
          memberForId,
          partAt(program, bare(value)),
          { place: `\`${nameOf(key)}\``, read: text, id: id.name, instead },
          id.comment ? [{ message: "the comment", at: id.comment }] : [],
        );
      }
    },
  },
};
export default module;

/** The id of the record of which a path has another member: `/jobs/${…job.number}/release`, `Quotes(${…QuoteNumber})`. */
export function idForPath({ node, syntax, command, ...expansion }: Expansion, model: Model) {
  const names = syntax.path.slice(2).map(({ text }) => text);
  const name = names.at(-1);
  const [, list] = /\/([\w-]+)[/(]'?$/.exec(node.value.slice(0, syntax.start)) ?? [];
  const noun = list === undefined ? undefined : nounOf(singular(list));
  if (list === undefined || noun === undefined || name === undefined || command === undefined)
    return undefined;
  const isTested = !isOfPeople(name) && isTestedById({ syntax, command, ...expansion });
  if (!isOfPeople(name) && !isTested) return undefined;
  const id = idBeside(names, noun, command, model, isTested ? list : undefined);
  if (id === undefined || saysSo(list, name, command, model)) return undefined;
  const trails = expansionTrails(flowOf(model), { node, syntax, command, ...expansion });
  if (isTested ? !trails.some((each) => isOfList(each, list, name)) : !isMember(trails, name))
    return undefined;
  if (isTested) return { list, names, id };
  const isOwn = names.length > 1 || trails.some(({ origin }) => asksFor(origin, list));
  return isOwn || nounOf(wordsOf(id.name).slice(0, -1).join(" ")) === noun ? { list, names, id } : undefined;
}

/** Whether the `!switch` around asks for the `id` of the record of which a path has another member: `if .id == null then 1 else 0 end`. */
function isTestedById({ syntax, command }: Pick<Expansion, "syntax" | "command">): boolean {
  const around = command?.parent;
  const [, index, , ...below] = syntax.path;
  if (around?.key !== "!switch" || below.length > 0 || Number(index?.text) !== around.stepsRun) return false;
  return /(?<![\w$)\]}"?.])\.id\s*[!=]=\s*null\b/.test(around.program?.node.value ?? "");
}

/** What a member wants an id of: `season_id`, and `id` that is given the name of a record. */
function nounWanted(
  member: string,
  names: readonly string[],
  command: Command,
  model: Model,
): string | undefined {
  const { unit, place } = command;
  if (member === "id") {
    const owner =
      place.name.startsWith("data_pipeline.") && isShownName(names.at(-1)!) ? names.at(-2) : undefined;
    return owner === undefined || isPlural(owner) ? undefined : nounOf(owner);
  }
  // A tenant whom a request asks for is no app's.
  return (
    nounOfId(member) ??
    (unit?.kind === "workflow" && nounOfId(member, ofCredentials) !== undefined
      ? nounOfId(member, new Set(kindsNamedIn(partOfUnit(unit, model))))
      : undefined)
  );
}

/** `"season_id": "${…season.year}"` */
function tellSent(expansion: Expansion, command: Command, report: Report, model: Model): void {
  const { syntax } = expansion;
  const member = memberWith(expansion);
  const noun = member === undefined ? undefined : nounOfId(member);
  const names = syntax.path.slice(2).map(({ text }) => text);
  if (member === undefined || noun === undefined) return;
  const shown = hasComments(model) ? idBeside(names, noun, command, model) : undefined;
  const id = shown ?? idElsewhere(expansion, member, noun, model);
  if (id === undefined || saysSo(member, names.at(-1)!, command, model)) return;
  if (!isMember(expansionTrails(flowOf(model), expansion), names.at(-1)!)) return;
  tellExpansion(expansion, `\`${member}\``, names, id, report);
}

function tellExpansion(
  { node, syntax }: Expansion,
  place: string,
  names: readonly string[],
  id: ShownId,
  report: Report,
): void {
  const text = node.value.slice(syntax.start, syntax.end);
  const instead = `${text.slice(0, syntax.path.at(-1)!.start - syntax.start)}${id.name}${text.at(-1)}`;
  report(
    memberForId,
    { node, from: syntax.start, to: syntax.end },
    { place, read: names.join("."), id: id.name, instead, ...(id.comment ? {} : { by: "request" }) },
    id.comment ? [{ message: "the comment", at: id.comment }] : [],
  );
}

/** The id of the same record, of which another request of the pipeline takes it: under the same name, or in a path to such records. */
function idElsewhere(expansion: Expansion, member: string, noun: string, model: Model): ShownId | undefined {
  const { syntax, command } = expansion;
  const path = syntax.path.map(({ text }) => text);
  const unit = command?.unit;
  if ((unit?.kind !== "workflow" && unit?.kind !== "intake") || path.length < 4 || !isOfPeople(path.at(-1)!))
    return undefined;
  const before = path.slice(0, -1).join(".");
  const flow = flowOf(model);
  const own = recordOf(expansionTrails(flow, expansion));
  const other = partOfUnit(unit, model).expansions.find((each) => {
    const [last] = each.syntax.path.slice(-1);
    if (each.syntax.path.length !== path.length || last?.text !== "id" || each.command?.key !== "!http")
      return false;
    if (
      before !==
      each.syntax.path
        .slice(0, -1)
        .map(({ text }) => text)
        .join(".")
    )
      return false;
    if (own === undefined || recordOf(expansionTrails(flow, each)) !== own) return false;
    if (each.position !== "path") return memberWith(each) === member;
    const [, list] = /\/([\w-]+)\/$/.exec(each.node.value.slice(0, each.syntax.start)) ?? [];
    return list !== undefined && nounOf(singular(list)) === noun;
  });
  return other === undefined ? undefined : { name: "id" };
}

/** The command whose answer a value is of, if it is of one alone. */
function recordOf(trails: readonly Trail[]): Command | undefined {
  const [trail, ...others] = trails;
  return others.length === 0 && trail?.origin.kind === "response" ? trail.origin.command : undefined;
}

/** The id of a record that a comment shows, or a request. */
interface ShownId {
  readonly name: string;
  /** None where another request takes it. */
  readonly comment?: DocumentedValue["comment"];
}

/** What people call a record by, and no request: a code or a slug may be both. */
const isOfPeople = (name: string): boolean =>
  isShownName(name) || /^(?:number|no|nr|serial|reference)$/.test(wordsOf(name).at(-1) ?? "");

/** The id that a comment shows in the record of which a path reads another member; the record is of the kind that is wanted. */
function idBeside(
  names: readonly string[],
  noun: string,
  command: Command,
  model: Model,
  list?: string,
): ShownId | undefined {
  const [owner, name] = [names.at(-2), names.at(-1)!];
  if (isIdName(name) || /^\d+$/.test(name)) return undefined;
  // Below an item of a list, the list says what it is: `.jobs[0].number`.
  const of =
    owner === undefined || /^\d+$/.test(owner)
      ? names.findLast((each) => !/^\d+$/.test(each) && each !== name)
      : owner;
  if (of !== undefined && nounOf(singular(of)) !== noun) return undefined;
  for (const record of documentedAt(command, model).get(of ?? list ?? "") ?? []) {
    const members = record.members ?? [];
    if (!members.some((member) => member.name === name)) continue;
    const own = members.find(
      (member) => member.name === "id" || (isIdName(member.name) && areAlike(member.name, name)),
    );
    if (own !== undefined) return { name: own.name, comment: record.comment };
  }
  return undefined;
}

/** `QuoteId` and `QuoteNumber` */
function areAlike(id: string, name: string): boolean {
  const [own, other] = [id, name].map((each) => wordsOf(each).slice(0, -1).join(" "));
  return own !== "" && own === other;
}

/** Whether a comment says that requests take just this: `/jobs/NUMBER`, `jobs are asked for by their number`. */
function saysSo(place: string, name: string, command: Command, model: Model): boolean {
  const [own, other] = [place, name].map(escapedPattern);
  const said = new RegExp(
    `\\b${other}s? (?:goes|go|stands?|is used|are used|identif)|\\bAPI (?:has|takes|wants|knows|uses)(?: \\w+){0,2} ${other}\\b|\\bid\\b[^.;]{0,40}\\b(?:internal|for the database)\\b|\\b${own}\\b[/({<= ]+\\W{0,2}${other}\\b|\\b(?:by|takes?|wants?|uses?|is|means?|with) (?:(?:the|its|their|a|that) )?[\`"]?${other}\\b`,
    "i",
  );
  return commentsOver(command, model).some(({ value }) => said.test(value));
}

/** Whether what a request asks for, or makes, is of a list. */
const asksFor = (origin: Trail["origin"], list: string): boolean =>
  origin.kind === "response" && nameOfPath(textOf(origin.command.argument, "path") ?? "") === list;

/** Whether a value is that member of an item of a list that is called so. */
const isOfList = ({ origin }: Trail, list: string, name: string): boolean =>
  origin.kind === "response" && origin.path.slice(-3).join() === [list, "[]", name].join();

/** Whether a value is the member of that name as the service sent it. */
const isMember = (trails: readonly Trail[], name: string): boolean =>
  isAsItCame(trails) && trails.every(({ origin }) => "path" in origin && origin.path.at(-1) === name);

/** `$field.season.year`, also as text. */
function pathRead(given: Parameters<typeof bare>[0], program: JqProgram) {
  const value = bare(given);
  if (value.kind !== "Postfix") return undefined;
  const names = value.suffixes.flatMap((suffix) =>
    suffix.kind === "Field" && suffix.key.kind === "Name" ? [suffix.key.text] : [],
  );
  const hole = value.head.kind === "Hole" ? program.holes[value.head.hole] : undefined;
  const before = hole?.syntax.path.slice(2).map(({ text }) => text) ?? [];
  return names.length === value.suffixes.length && names.length > 0
    ? { names: [...before, ...names] }
    : undefined;
}
