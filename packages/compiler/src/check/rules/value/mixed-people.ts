import type { Expression, ObjectConstruction } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { Command, JqProgram, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsOver } from "../../../flow/counted.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, isExpression, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { isPlural, singular } from "../../../flow/nouns.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { customers, roles } from "../../../flow/people.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { roleOf } from "../../../flow/value-role.ts";
import type { Report, RuleModule } from "../../checks.ts";

const mixedPeople = defineRule<{ member: string; read: string; other: string; reason: string }>({
  id: "value/mixed-people",
  severity: "warning",
  summary: "A member of a person comes from another person's record",
  why: "Records name several people: a buyer and an agent, a donor and a relative. A contact is one of them. With the email or phone of another one, the wrong contact is written, the same for every record of an agent, and letters go to somebody who isn't meant.",
  guards: ["data_pipeline.source", "command.!jq", "D25"],
  message: ({ member, read, other, reason }) =>
    `\`${member}\` is read from \`${read}\`, but ${reason} \`${other}\`.`,
  because: ({ member, read, other }) => [
    `\`${other}\` is the person that the record is about`,
    `\`${member}\` is that of \`${read}\``,
  ],
  help: ({ other }) => `Read it from \`${other}\`.`,
  examples: [
    {
      title: "The email of another person than the one that is asked for",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "if (.buyer.email // \\"\\") == \\"\\" then null else {email: «.agent.email», first_name: .buyer.first_name} end"}',
      good: '{"!jq": "if (.buyer.email // \\"\\") == \\"\\" then null else {email: .buyer.email, first_name: .buyer.first_name} end"}',
    },
    {
      title: "One of two people, where the program has chosen",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "(.parent // .child) as $reader | {email: $reader.email, first_name: $reader.first_name, phone: «.child.phone»}"}',
      good: '{"!jq": "(.parent // .child) as $reader | {email: $reader.email, first_name: $reader.first_name, phone: $reader.phone}"}',
    },
    {
      title: "The email of somebody else than its title says",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/map/describe_source/options":
          '[{"id": "email", "title": "Buyer\'s email"}, {"id": "first_name", "title": "Buyer\'s first name"}, {"id": "last_name", "title": "Buyer\'s last name"}]',
      },
      bad: '{"!jq": "{email: «.accounts.email», first_name: .buyer.first, last_name: .buyer.last}"}',
      good: '{"!jq": "{email: .buyer.email, first_name: .buyer.first, last_name: .buyer.last}"}',
    },
    {
      title: "The email of somebody else than all the rest",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: «.doctor.email», first_name: .patient.first_name, last_name: .patient.last_name, phone: .patient.phone}"}',
      good: '{"!jq": "{email: .patient.email, first_name: .patient.first_name, last_name: .patient.last_name, phone: .patient.phone}"}',
    },
    {
      title: "Another email is asked for than the contact gets",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "if «(.parcel.email // \\"\\")» == \\"\\" then null else .parcel as $p | {email: $p.recipient.email, first_name: $p.recipient.first_name} end"}',
      good: '{"!jq": "if (.parcel.recipient.email // \\"\\") == \\"\\" then null else .parcel as $p | {email: $p.recipient.email, first_name: $p.recipient.first_name} end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [mixedPeople],
  checks: {
    reach: "saved",
    program(program, report, model) {
      const { node, diagnostics } = program;
      if (diagnostics.length > 0 || !/\bemail\b/i.test(node.value)) return;
      for (const object of nodesOfKind(program, "Object")) {
        const all = personIn(object, program);
        // What is read of the record itself may be anybody's.
        const read = all.filter(({ record }) => record !== ".");
        const found =
          otherThanAsked(read, object, program) ??
          otherThanChosen(read, program) ??
          otherThanBeside(all, program, model) ??
          otherThanNamed(object, program);
        if (found === undefined) tellAskedAbove(all, object, program, report);
        if (found === undefined) continue;
        const { value, member, record } = found.member;
        const at = { node, from: value.start, to: value.end };
        report(mixedPeople, at, { member, read: record, other: found.other, reason: found.reason });
      }
    },
  },
};
export default module;

/** A member of a contact, and the record that it is read from as it is written: `.buyer` of `.buyer.email`. */
interface PersonMember {
  readonly member: string;
  readonly value: Expression;
  readonly record: string;
  /** What is read of the record. */
  readonly name: string;
}

interface Found {
  readonly member: PersonMember;
  readonly other: string;
  readonly reason: string;
}

const ofPerson = /^(?:e ?mail(?: address)?|(?:first|last|given|family|full) name|name|phone|mobile)$/;

/** The members of a contact that a program reads from a record. */
function personIn({ entries }: ObjectConstruction, program: JqProgram): readonly PersonMember[] {
  return entries.flatMap(({ key, value }): readonly PersonMember[] => {
    const member = nameOf(key);
    if (member === undefined || value === undefined || !ofPerson.test(wordsOf(member).join(" "))) return [];
    const read = recordRead(value, program);
    return read === undefined ? [] : [{ member, value, ...read }];
  });
}

/** `.buyer` and `email` of `.buyer.email` and `(.buyer.email // "")`. */
function recordRead(
  given: Expression,
  program: JqProgram,
): { readonly record: string; readonly name: string } | undefined {
  let value = bare(given);
  if (value.kind === "Alternative" && value.operands.slice(1).every((each) => constantOf(each) !== undefined))
    value = bare(value.operands[0]!);
  // `.buyer.name | split(" ") | .[0]` is of the same person.
  if (value.kind === "Pipeline" && !readsBelow(value)) value = firstStage(value);
  if (value.kind !== "Postfix" || value.suffixes.some(({ kind }) => kind !== "Field")) return undefined;
  const last = value.suffixes.at(-1);
  if (last?.kind !== "Field" || last.key.kind !== "Name") return undefined;
  const record = program.node.value.slice(value.start, last.start).trim();
  return { record: record === "" ? "." : record, name: last.key.text };
}

/** Whether a stage reads a member of what comes: then the first one is not what is given. */
const readsBelow = ({ stages }: Expression & { kind: "Pipeline" }): boolean =>
  stages
    .slice(1)
    .some(
      (stage) =>
        !isExpression(stage) ||
        nodesIn(stage).some(({ kind }) => kind === "Field" || kind === "Hole" || kind === "Variable"),
    );

/** The contact's email, where the program asks whether another record has one. */
function otherThanAsked(
  read: readonly PersonMember[],
  object: ObjectConstruction,
  program: JqProgram,
): Found | undefined {
  const [email, ...more] = read.filter(({ member }) => roleOf(member) === "email");
  if (email === undefined || more.length > 0) return undefined;
  const asked = askedForText(program).filter(({ name }) => name === email.name);
  const [other] = asked;
  if (other === undefined || asked.some(({ record }) => record !== other.record)) return undefined;
  if (other.record === email.record || isWithoutOther(object, other, program)) return undefined;
  // The record stands for the same one, or the email of both is wanted.
  const written = textAt(object, program);
  if (isVariableOf(other.record, email.record, program) || isVariableOf(email.record, other.record, program))
    return undefined;
  if (written.includes(`${other.record}.${other.name}`) || !written.includes(`${other.record}.`))
    return undefined;
  return { member: email, other: other.record, reason: "the program asks whether there is one in" };
}

/** Where the email that is asked for stands above the one that the contact gets: `.parcel.email` of `.parcel.recipient.email`. */
function tellAskedAbove(
  read: readonly PersonMember[],
  object: ObjectConstruction,
  program: JqProgram,
  report: Report,
): void {
  const [email, ...more] = read.filter(({ member }) => roleOf(member) === "email");
  if (email === undefined || more.length > 0) return;
  const own = writtenOut(email.record, program);
  if (!own.startsWith(".")) return;
  for (const asking of [program, ...choosing(program)]) {
    const asked = askedIn(asking).filter(({ name }) => name === email.name);
    const [{ record, value } = {}, ...others] = asked;
    if (record === undefined || value === undefined || others.length > 0) continue;
    const above = record === "." ? "" : writtenOut(record, asking);
    if (!/^(?:\.|$)/.test(above) || !own.startsWith(`${above}.`)) continue;
    if (isWithoutOther(object, { record }, program) || isReadIn(`${above}.${email.name}`, asking, program))
      continue;
    const reason = "the contact gets it from";
    report(mixedPeople, partAt(asking, value), { member: email.member, read: record, other: own, reason });
    return;
  }
}

/** The program of the `!switch` that has a program as one of its cases, or at the start of one. */
function choosing({ command }: JqProgram): readonly JqProgram[] {
  const pipe = command.parent?.key === "!pipe" && command.stepsRun === 0 ? command.parent : command;
  const { program, key } = pipe.parent ?? {};
  return key === "!switch" && program !== undefined ? [program] : [];
}

/** Whether a path is read a second time, in what asks for it or in what is chosen then. */
function isReadIn(path: string, asking: JqProgram, program: JqProgram): boolean {
  const programs = asking === program ? [program] : [asking, ...programsBelow(asking.command)];
  const read = programs.flatMap((each) =>
    nodesOfKind(each, "Postfix").filter((node) => {
      const given = recordRead(node, each);
      return (
        given !== undefined && `${writtenOut(given.record, each).replace(/^\.$/, "")}.${given.name}` === path
      );
    }),
  );
  return read.length > 1;
}

const programsBelow = ({ children }: Command): readonly JqProgram[] =>
  children.flatMap((child) =>
    child === undefined
      ? []
      : [...(child.program === undefined ? [] : [child.program]), ...programsBelow(child)],
  );

/** Whether a comment says that this person is written to for the other one: `Letters go to the guardian`, `at their doctor's address`. */
function isWrittenTo(record: string, { command }: JqProgram, model: Model): boolean {
  const noun = escapedPattern(singular(wordsOf(record).at(-1) ?? ""));
  const named = new RegExp(
    `\\b(?:to|at|via|through|by way of) (?:the |their |its |his |her |an? )?${noun}\\b|\\b${noun}'s? (?:e-?mail|address)`,
    "i",
  );
  return commentsOver(command, model).some(({ value }) =>
    value
      .split(/[.;:,]\s/)
      .some(
        (part) =>
          named.test(part) &&
          /\b(?:mail|letters?|writ|sen[dt]|address|goe?s?\b)/i.test(part) &&
          !denied.test(part),
      ),
  );
}

const denied = /\b(?:not|never|no)\b|n't\b/i;

/** Whether the contact is made where the other one has nothing: `if .buyer.email == "" then {email: .agent.email} else …`. */
const isWithoutOther = (
  object: ObjectConstruction,
  other: { readonly record: string },
  program: JqProgram,
): boolean =>
  nodesOfKind(program, "If").some(({ branches }) =>
    branches.some(({ condition, body }) => {
      const test = bare(condition);
      return (
        test.kind === "Comparison" &&
        test.operator === "==" &&
        body.start <= object.start &&
        object.end <= body.end &&
        recordRead(test.left, program)?.record === other.record
      );
    }),
  );

/** What a program asks for an empty text or null, but of the record itself. */
const askedForText = (program: JqProgram) => askedIn(program).filter(({ record }) => record !== ".");

function askedIn(
  program: JqProgram,
): readonly { readonly record: string; readonly name: string; readonly value: Expression }[] {
  return nodesOfKind(program, "Comparison").flatMap(({ operator, left, right }) => {
    if (operator !== "==" && operator !== "!=") return [];
    const constant = constantOf(right);
    const asked = constant === null || constant === "" ? recordRead(left, program) : undefined;
    return asked === undefined ? [] : [{ ...asked, value: left }];
  });
}

/** One member of one of two people, where all others are read from the one that was chosen: `(.parent // .child) as $reader`. */
function otherThanChosen(read: readonly PersonMember[], program: JqProgram): Found | undefined {
  if (!/\/\/|\bif\b/.test(program.node.value)) return undefined;
  for (const member of read) {
    const others = read.filter((each) => each !== member);
    const [first] = others;
    if (first === undefined || others.length < 2) continue;
    const { record } = first;
    if (others.some((each) => each.record !== record) || member.record === record) continue;
    if (choicesOf(record, program).includes(writtenOut(member.record, program)))
      return { member, other: record, reason: "the others are read from" };
  }
  return undefined;
}

/** The email or phone of somebody by another role, where the names and all else are read from one person. */
function otherThanBeside(read: readonly PersonMember[], program: JqProgram, model: Model): Found | undefined {
  const { unit, place } = program.command;
  if (unit?.kind !== "workflow" || place.name !== "data_pipeline.source") return undefined;
  for (const member of read) {
    const others = read.filter((each) => each !== member);
    const [first] = others;
    if (first === undefined || others.length < 2 || others.some(({ record }) => record !== first.record))
      continue;
    const [role, other] = [roleIn(member.record), roleIn(first.record) ?? roleOfItem(first.record, program)];
    const isOther = role !== undefined && other !== undefined && role !== other && !customers.has(role);
    const isTold = isOther || isActor(member.record);
    if (!isTold && !belongsToOther(member, first.record, unit, model)) continue;
    if (first.record !== "." && areNested(member.record, first.record)) continue;
    const title = offeredTitles(unit, model).get(member.member);
    const words = wordsOf(member.record).map(singular);
    if (
      title !== undefined &&
      wordsOf(title)
        .map(singular)
        .some((word) => words.includes(word))
    )
      continue;
    if (isWrittenTo(member.record, program, model)) continue;
    return { member, other: first.record, reason: "the others are read from" };
  }
  return undefined;
}

/** Whether the title of a field names the record that the others are read from: “Buyer's email” beside `.buyer.first`. */
function belongsToOther(
  { member, record }: PersonMember,
  other: string,
  workflow: WorkflowSymbol,
  model: Model,
): boolean {
  const words = wordsOf(
    offeredTitles(workflow, model)
      .get(member)
      ?.replace(/['’]s?\b/g, "") ?? "",
  ).map(singular);
  const [own, wanted] = [record, other].map((each) => singular(wordsOf(each).at(-1) ?? ""));
  return own !== wanted && own !== "" && wanted !== "" && words.includes(wanted!) && !words.includes(own!);
}

/** `.patient.guardian.email` is what the patient goes by. */
const areNested = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a);

/** `guest_email: .attendant.email`, where a `guest` is read beside it. */
function otherThanNamed({ entries }: ObjectConstruction, program: JqProgram): Found | undefined {
  for (const { key, value } of entries) {
    const member = nameOf(key);
    const words = member === undefined ? [] : wordsOf(member);
    const [who, ...what] = words;
    const given = value === undefined ? undefined : firstStage(value);
    if (member === undefined || who === undefined || given === undefined || !ofPerson.test(what.join(" ")))
      continue;
    const read = recordRead(given, program);
    const whose = read === undefined ? [] : wordsOf(read.record).map(singular);
    if (read === undefined || read.record === "." || whose.includes(who)) continue;
    const role = roleIn(read.record);
    const beside = program.node.value.match(new RegExp(`\\.${escapedPattern(who)}(?=\\.)`, "i"))?.[0];
    if (role === undefined || beside === undefined || (customers.has(role) && customers.has(who))) continue;
    const other = read.record.startsWith("$") ? beside : read.record.replace(/\.\w+$/, beside);
    return { member: { member, value: given, ...read }, other, reason: "its name says" };
  }
  return undefined;
}

const firstStage = (value: Expression): Expression => {
  const node = bare(value);
  return node.kind === "Pipeline" ? bare(node.stages[0] as Expression) : node;
};

/** Who did something with the record is somebody else than it is about: `.invited_by`, `.ReportedBy`. */
const isActor = (record: string): boolean => {
  const words = wordsOf(record);
  return words.at(-1) === "by" && words.length > 1;
};

/** The role of a person by the name of the record: `doctor` of `.order.doctor`. */
function roleIn(record: string): string | undefined {
  const noun = singular(wordsOf(record).at(-1) ?? "");
  return customers.has(noun) || roles.has(noun) ? noun : undefined;
}

/** The role of one of a list of people that a variable stands for: `guardian` of `[.guardians[] | select(.main)] | first`. */
function roleOfItem(record: string, program: JqProgram): string | undefined {
  const source = sourceOf(record, program);
  if (source === undefined) return undefined;
  const text = textAt(source, program);
  const lists = [...text.matchAll(/\.([A-Za-z]\w*)(?=\[|\s*\|)/g)].map(([, name]) => name!);
  const [role, ...others] = new Set(lists.flatMap((name) => (isPlural(name) ? (roleIn(name) ?? []) : [])));
  return others.length === 0 ? role : undefined;
}

/** The records that a variable is one of. */
function choicesOf(record: string, program: JqProgram): readonly string[] {
  const source = sourceOf(record, program);
  const ways = source === undefined ? [] : waysOf(source);
  return ways.length < 2 ? [] : ways.map((way) => writtenOut(textAt(way, program), program));
}

/** What an expression is one of: both sides of `//`, the branches of an `if`. */
function waysOf(given: Expression): readonly Expression[] {
  const node = bare(given);
  if (node.kind === "Alternative") return node.operands.flatMap(waysOf);
  if (node.kind === "If" && node.otherwise !== undefined)
    return [...node.branches.map(({ body }) => body), node.otherwise].flatMap(waysOf);
  return [node];
}

/** The path of a record from what came: `.rider` of `$c.rider`, where `$c` is all of it. */
function writtenOut(record: string, program: JqProgram): string {
  const [, name, path = ""] = /^(\$\w+)((?:\.\w+)+)$/.exec(record) ?? [];
  const source = name === undefined ? undefined : sourceOf(name, program);
  const value = source === undefined ? undefined : bare(source);
  if (value?.kind === "Identity") return path;
  const isPath = value?.kind === "Postfix" && value.suffixes.every(({ kind }) => kind === "Field");
  return isPath ? `${textAt(value, program)}${path}` : record;
}

const isVariableOf = (variable: string, record: string, program: JqProgram): boolean => {
  const source = sourceOf(variable, program);
  return source !== undefined && textAt(source, program).includes(record);
};

function sourceOf(record: string, program: JqProgram): Expression | undefined {
  const name = /^\$\w+$/.test(record) ? record.slice(1) : undefined;
  const variable = nodesOfKind(program, "Variable").find((each) => each.name === name);
  return variable === undefined ? undefined : boundTo(program, variable);
}
