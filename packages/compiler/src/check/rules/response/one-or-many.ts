import { escapedPattern } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { isPlural, singular } from "../../../flow/nouns.ts";
import type { ShapeRead, ShapeSubject } from "../../../flow/shape-reads.ts";
import { subjectsOf } from "../../../flow/shape-subjects.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { programsTold } from "../setup/list-as-option.ts";
import { shapeReadsOf } from "./shape-reads.ts";

const listOfOne = defineRule<{ name: string; one: string; of: string; why: string }>({
  id: "response/list-of-one",
  severity: "warning",
  summary: "The first of a list is read from the answer of a request that makes, changes or gets one record",
  why: "Who makes or changes one record is answered with this record, not with a list. What is read of a list is missing, which fails for every record.",
  guards: ["command.!http", "D9", "D20"],
  message: ({ name, one, of }) =>
    `${of} is about one record: its answer has \`${one}\`, not the list \`${name}\`.`,
  because: ({ why, name }) => [why, `\`${name}\` isn't there: to read its first item fails`],
  help: ({ one }) => `Read \`${one}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/members", "body": {"member": {"email": "${piped_content.0.email}"}}}}, {"!http": {"method": "PUT", "path": "/lists/${custom_data.list.value}/members/${piped_content.1.«members».0.id}"}}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/members", "body": {"member": {"email": "${piped_content.0.email}"}}}}, {"!http": {"method": "PUT", "path": "/lists/${custom_data.list.value}/members/${piped_content.1.member.id}"}}]}',
    },
  ],
});

const oneOfList = defineRule<{ name: string; member: string; of: string; other: string }>({
  id: "response/one-of-list",
  severity: "warning",
  summary: "A member is read of a list that a search answers with, instead of its first record",
  why: "A search answers with a list. A list has no members by name: what is read so is missing, and the step fails for every record.",
  guards: ["command.!http", "D9", "D20"],
  message: ({ name, member, of }) =>
    `${of} answers with the list \`${name}\`, but this reads \`${member}\` of it as of one record.`,
  because: ({ name, member, other }) => [
    `\`${other}\`: there, a search answers with a list`,
    `a list has no \`${member}\`: \`${name}.${member}\` fails, or is null`,
  ],
  help: ({ name, member }) => `Read \`${name}.0.${member}\`, or the one that you look for.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/teams", "params": {"name": "North"}}}, {"!http": {"path": "/members", "params": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PUT", "path": "/lists/${custom_data.list.value}/members/${piped_content.2.«members».ref}", "body": {"team": "${piped_content.1.teams.0.ref}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/teams", "params": {"name": "North"}}}, {"!http": {"path": "/members", "params": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PUT", "path": "/lists/${custom_data.list.value}/members/${piped_content.2.members.0.ref}", "body": {"team": "${piped_content.1.teams.0.ref}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [listOfOne, oneOfList],
  checks: {
    document(model, report) {
      for (const { read, subject } of listsOfOne(model)) {
        const { text } = subject;
        const one = singularOf(read.name);
        const why = isShownAsList(read.name, subject) ? undefined : reasonForOne(one, subject, model);
        if (why !== undefined) report(listOfOne, read.at, { name: read.name, one, of: capital(text), why });
      }
      for (const { read, subject } of membersOfLists(model)) {
        const member = read.member ?? "";
        const other = listRead(member, pluralReads(model), model);
        if (other === undefined || programsTold(model).has(read.at.node)) continue;
        const args = { name: read.name, member, of: capital(subject.text), other };
        report(oneOfList, read.at, args);
      }
      for (const { read, subject, made } of membersOfGiven(model)) {
        const args = { name: subject.path[0]!, member: read.member ?? "", of: capital(subject.text) };
        report(oneOfList, read.at, { ...args, other: made });
      }
    },
  },
};
export default module;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Of names in the plural, what is read of one item or as of one record. */
const pluralReads = derivedByPart(
  (part, model) =>
    shapeReadsOf(part, model).filter(
      ({ name, use }) => (use === "listed" || use === "member") && isPlural(name),
    ),
  "linked",
);

interface Placed {
  readonly read: ShapeRead;
  readonly subject: ShapeSubject;
}

const placed = (read: ShapeRead, model: Model): readonly Placed[] =>
  subjectsOf(read, model).map((subject) => ({ read, subject }));

const pluralsIn = (part: Part, model: Model, use: ShapeRead["use"]): readonly ShapeRead[] =>
  shapeReadsOf(part, model).filter((read) => read.use === use && isPlural(read.name));

/** What is read as a list of a request's answer that is about one record. */
const listsOfOne = derivedByPart(
  (part, model) =>
    pluralsIn(part, model, "listed")
      .flatMap((read) => placed(read, model))
      .filter(
        ({ read, subject: { request, path } }) =>
          request !== undefined && path.length === 1 && isAboutOne(request, read.name),
      ),
  "linked",
);

/** What is read as of one record of a list that a search answers with. */
const membersOfLists = derivedByPart(
  (part, model) =>
    pluralsIn(part, model, "member")
      .filter(({ member }) => isOfRecord(member ?? ""))
      .flatMap((read) => placed(read, model))
      .filter(({ read, subject }) => isSearch(subject, read.name)),
  "linked",
);

/** What is read of one record that a step before makes of a whole list: `{person: .people}`. */
const membersOfGiven = derivedByPart((part, model) => {
  const made = new Map(part.programs.flatMap(listsGiven));
  if (made.size === 0) return [];
  return shapeReadsOf(part, model)
    .filter(({ name, use, member }) => use === "member" && made.has(name) && isOfRecord(member ?? ""))
    .flatMap((read) => placed(read, model))
    .filter(({ subject }) => isPlural(subject.path[0] ?? "") && isSearch(subject, subject.path[0] ?? ""))
    .map((each) => ({ ...each, made: made.get(each.read.name) ?? "" }));
}, "linked");

/** Members that are called like one record and get a list by its name. */
function listsGiven(program: JqProgram): readonly (readonly [string, string])[] {
  return nodesOfKind(program, "Entry").flatMap(({ key, value, start, end }) => {
    const read = value === undefined ? undefined : bare(value);
    const last = read?.kind === "Postfix" ? read.suffixes.at(-1) : undefined;
    const list = last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
    const name = list === undefined || !isPlural(list) ? undefined : nameOf(key);
    return name === undefined || isPlural(name) ? [] : [[name, textAt({ start, end }, program)]];
  });
}

/** `billing_contact` of `billing_contacts`. */
const singularOf = (name: string): string => {
  const at = name.search(/[A-Z]?[a-z]+$/);
  const word = name.slice(at);
  return name.slice(0, at) + word.charAt(0) + singular(word.toLowerCase()).slice(1);
};

const segmentsOf = (request: Command): readonly string[] =>
  (textOf(request.argument, "path") ?? "").replace(/\?.*$/, "").split("/").filter(Boolean);

const isHole = (segment: string | undefined): boolean => segment !== undefined && /^\$[{<]/.test(segment);

/** Whether a request makes, changes or gets one of what is called so. */
function isAboutOne(request: Command, name: string): boolean {
  const method = (textOf(request.argument, "method") ?? "GET").toUpperCase();
  const segments = segmentsOf(request);
  if (method === "POST" && segments.at(-1) === name) return true;
  return /^(?:GET|PUT|PATCH|POST)$/.test(method) && isHole(segments.at(-1)) && segments.at(-2) === name;
}

/** What says that the answer has one record: what is sent is wrapped so, or a comment shows it. */
function reasonForOne(one: string, { request, text }: ShapeSubject, model: Model): string | undefined {
  const argument = request?.argument;
  const body = argument?.kind === "object" ? argument.get("body") : undefined;
  // Several are sent at once.
  if (
    body?.kind === "object" &&
    body.members.some(({ name, value }) => isPlural(name) && value?.kind === "array")
  )
    return undefined;
  if (body?.kind === "object" && body.get(one) !== undefined && body.members.length === 1)
    return `${text} sends \`{"${one}": …}\``;
  const shows = new RegExp(`\\{\\s*"?${escapedPattern(one)}"?\\s*[:}]`);
  const around = request === undefined ? [] : documentedClauses(request.node);
  if (around.some((clause) => shows.test(clause.text))) return `a comment says \`{${one}: …}\``;
  // Where another answer is read so, it is how this service answers.
  const read = model.expansions.some(
    ({ root, syntax: { path } }) => root === "piped_content" && path[2]?.text === one && path.length > 3,
  );
  return read ? `elsewhere, \`${one}\` is read of an answer` : undefined;
}

/** Whether a request without an id asks for a list of what is called so. */
function isSearch({ request, path }: ShapeSubject, name: string): boolean {
  if (request === undefined || path.length !== 1) return false;
  const method = (textOf(request.argument, "method") ?? "GET").toUpperCase();
  return method === "GET" && segmentsOf(request).at(-1) === name;
}

/** Members of a page, and those of the answer around a list, aren't a record's. */
const isOfRecord = (member: string): boolean =>
  !/^(?:nodes|edges|list|items|data|results?|records?|entries|rows|elements|values|total|count|page|pages|next|prev|previous|has_?more|cursor|meta|links|paging|pagination|size|length|first|last)$/i.test(
    member,
  ) && !isPlural(member);

/** Where the same member is read of a record in the list that another search answers with. */
function listRead(member: string, reads: readonly ShapeRead[], model: Model): string | undefined {
  for (const read of reads) {
    if (read.use !== "member" || read.member !== member) continue;
    const isItem = "program" in read.from ? read.from.path.at(-1) === "[]" : false;
    if (isItem && subjectsOf(read, model).some(({ path }) => path.length === 2))
      return `${read.name}[].${member}`;
  }
  for (const { syntax, root } of model.expansions) {
    const names = syntax.path.map(({ text }) => text);
    if (
      root === "piped_content" &&
      names.length === 5 &&
      /^\d+$/.test(names[3]!) &&
      names[4] === member &&
      isPlural(names[2]!)
    )
      return names.slice(2).join(".");
  }
  return undefined;
}

/** `Answers with a list of one: {members: [{id}]}.` */
const isShownAsList = (name: string, { request }: ShapeSubject): boolean =>
  request !== undefined &&
  documentedClauses(request.node).some(({ text }) =>
    new RegExp(`(?<![\\w-])${escapedPattern(name)}"?\\s*:\\s*\\[`).test(text),
  );
