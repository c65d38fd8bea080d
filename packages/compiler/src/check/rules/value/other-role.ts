import type { ObjectConstruction } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { objectsSent } from "../../../flow/objects-sent.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { recordOfMember } from "../../../flow/record-kind.ts";
import { saysAround, saysOf } from "../../../flow/said/of-name.ts";
import { type Meaning, meaningOf, meaningOfExpansion, type Role, roleOf } from "../../../flow/value-role.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { ObjectNode } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";

const otherRole = defineRule<{
  member: string;
  wanted: string;
  given: string;
  name: string;
  /** What customers read, where that says it. */
  title?: string | undefined;
}>({
  id: "value/other-role",
  severity: "warning",
  summary: "A member gets a value that is something else by its name",
  why: "The name of a member says what is wanted, and the name of what it is read from says what it gets. An email that is read from an `id` is refused or, worse, kept: contacts are found by it, and none is found again.",
  guards: ["data_pipeline.source", "command.!jq", "command.!http", "D17", "D25"],
  message: ({ member, wanted, given, name }) =>
    `\`${member}\` should be ${wanted}, and \`${name}\`, from which it is read, is ${given}.`,
  because: ({ member, wanted, given, name, title }) => [
    title === undefined
      ? `\`${member}\`: ${wanted}, by its name`
      : `\`${member}\`: ${wanted}, as customers read “${title}”`,
    `\`${name}\`: ${given}, by its name`,
  ],
  help: ({ wanted }) => `Read the member that has ${wanted}.`,
  examples: [
    {
      title: "The key of a contact",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: «.person.id», first_name: .person.first_name}"}',
      good: '{"!jq": "{email: .person.email, first_name: .person.first_name}"}',
    },
    {
      title: "What the title says",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/map/describe_source/options":
          '[{"id": "email", "title": "Email"}, {"id": "coach", "title": "Coach\'s name"}]',
      },
      bad: '{"!jq": "{email: .email, coach: «.coach.email»}"}',
      good: '{"!jq": "{email: .email, coach: .coach.full_name}"}',
    },
    {
      title: "A record's name under the name of its id",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/lists/${custom_data.list.value}"}}, {"!jq": "{list_id: «.list.name», email: ${piped_content.0.email}}"}, {"!http": {"method": "POST", "path": "/subscribers", "body": "${piped_content.2}"}}]}',
      good: '{"!pipe": [{"!http": {"path": "/lists/${custom_data.list.value}"}}, {"!jq": "{list_id: .list.id, email: ${piped_content.0.email}}"}, {"!http": {"method": "POST", "path": "/subscribers", "body": "${piped_content.2}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherRole],
  checks: {
    // A comment may say what is in a member.
    reach: "saved",
    program(program, report, model) {
      for (const object of nodesOfKind(program, "Object"))
        tell(entriesOf(object, program, model), program.command, report, model);
    },
    command: {
      "!http"(command, report, model) {
        const { argument } = command;
        if (argument?.kind !== "object") return;
        for (const node of objectsSent(argument))
          tell(membersOf(node, command, model), command, report, model);
      },
    },
  },
};
export default module;

/** A member, and what it gets. */
interface Entry {
  readonly member: string;
  readonly meaning: Meaning;
  readonly at: StringPart;
  /** What customers read, where only that says what is wanted. */
  readonly title?: string | undefined;
  /** What kind of record it is read from, as far as an answer says it. */
  readonly record?: () => string | undefined;
}

function tell(entries: readonly Entry[], command: Command, report: Report, model: Model): void {
  for (const entry of entries) {
    const { member, meaning, at, title, record } = entry;
    const wanted =
      title === undefined
        ? refused(member, meaning, at.node.value.slice(at.from, at.to), record)
        : refusedByTitle(title, meaning);
    if (wanted === undefined) continue;
    // Two that are exchanged are told as that.
    const isExchanged = entries.some(
      (other) =>
        other.meaning.role === roleOf(member) && meaning.role === roleOf(other.member) && other !== entry,
    );
    if (!isExchanged && !isSaid(meaning.name, roleOf(member), command, model))
      report(otherRole, at, { member, wanted, given: words[meaning.role], name: meaning.name, title });
  }
}

/** Whether a comment says or shows that what is called otherwise is this: `A person's id is their email address`. */
function isSaid(name: string, wanted: Role | undefined, command: Command, model: Model): boolean {
  const what = wanted === undefined ? undefined : saidAs[wanted];
  if (what === undefined) return false;
  const shown = new RegExp(`(?<!\\w)${escapedPattern(name)}"?: ?"(?:${what.shown})`);
  return saysOf(name, what.said, command, model) || saysAround(shown, command, model);
}

const saidAs: Readonly<Partial<Record<Role, { readonly said: RegExp; readonly shown: string }>>> = {
  email: { said: /\be-?mail|@/i, shown: String.raw`[^"@\s]{1,60}@` },
  phone: { said: /\b(?:phone|mobile|number with)\b/i, shown: String.raw`\+\d` },
  time: { said: /\b(?:day|date|time|hour)\b|\d{4}-\d\d/i, shown: String.raw`\d{4}-\d\d` },
};

const words: Readonly<Record<Role, string>> = {
  id: "an id",
  name: "a name",
  email: "an email",
  phone: "a phone number",
  url: "a URL",
  time: "a time",
  flag: "true or false",
  secret: "a secret",
};

/** What a member can't be where it is this. An id may be anything that identifies, an email or a URL too. */
const refusals: Readonly<Partial<Record<Role | "person", readonly Role[]>>> = {
  email: ["id", "name", "phone", "url", "time", "flag"],
  phone: ["id", "name", "email", "url", "time", "flag"],
  person: ["id", "email", "phone", "url", "time", "flag"],
  time: ["id", "name", "email", "phone", "url", "flag"],
  id: ["name", "time", "flag", "secret"],
  secret: ["id", "name", "email", "phone", "time", "flag"],
};

/** What should be there, where a value can't be that. */
function refused(
  member: string,
  { role, name }: Meaning,
  written: string,
  record: Entry["record"],
): string | undefined {
  // Most are what they are called.
  if (role === roleOf(member)) return undefined;
  const isPerson = /^(?:first|last|given|family)_?name$/i.test(member);
  const wanted = isPerson ? "person" : roleOf(member);
  if (wanted === undefined || refusals[wanted]?.includes(role) !== true) return undefined;
  if (wanted === "id" && role !== "secret" && !isNameOfOwn(member, name, written)) {
    // `{member_id: .name}` of what `POST /members` answers.
    const noun = /^\.\w+$/.test(written) ? wordsOf(member).at(-2) : undefined;
    if (noun === undefined || role !== "name" || record?.() !== noun) return undefined;
  }
  return isPerson ? "a name" : words[roleOf(member)!];
}

/** What customers expect under a title that a value can't be: “Coach's name” for an email. */
function refusedByTitle(title: string, { role }: Meaning): string | undefined {
  const wanted = roleOfTitle(title);
  const isRefused = wanted !== undefined && refusals[wanted === "name" ? "person" : wanted]?.includes(role);
  // An id may be what people know a record by.
  return isRefused === true && role !== "id" ? words[wanted!] : undefined;
}

/** What the end of a title says: “Recruiter: name (as shown)”. */
function roleOfTitle(title: string): "name" | "email" | "phone" | undefined {
  const text = title.replace(/\s*\([^)]*\)\s*$/, "");
  if (/(?:^|[\s'’:])name$/i.test(text) && !/\b(?:user|domain|host|file|login|sign-?in) ?name$/i.test(text))
    return "name";
  if (/\be-?mail(?: address)?$/i.test(text)) return "email";
  return /\b(?:phone|telephone)(?: number)?$/i.test(text) ? "phone" : undefined;
}

/** Whether `list_id` is given the name of that very list: `.list.name`, `.list_name`. */
function isNameOfOwn(member: string, name: string, written: string): boolean {
  const noun = wordsOf(member).at(-2);
  const read = wordsOf(written);
  return noun !== undefined && read.at(-1) === wordsOf(name).at(-1) && read.at(-2) === noun;
}

function entriesOf(object: ObjectConstruction, program: JqProgram, model: Model): readonly Entry[] {
  const entries: Entry[] = [];
  for (const { key, value } of object.entries) {
    const member = nameOf(key);
    if (member === undefined || value === undefined) continue;
    const role = roleOf(member);
    const title = role === undefined ? titleOf(member, program, model) : undefined;
    if (role === undefined && title === undefined) continue;
    if (value.kind === "Hole" && program.holes[value.hole]?.root === "custom_data") continue;
    if (role === "time" && isPlace(member, program, model)) continue;
    const meaning = meaningOf(value, program, flowOf(model));
    const at = { node: program.node, from: value.start, to: value.end };
    if (meaning === undefined) continue;
    const record = () => recordOfMember(trailsOf(flowOf(model), program, value));
    entries.push({ member, meaning, at, title, record });
  }
  return entries;
}

/** What customers read of a member of the record that a pipeline gives them to map. */
function titleOf(member: string, { command: { unit, place } }: JqProgram, model: Model): string | undefined {
  if (unit?.kind !== "workflow" || place.name !== "data_pipeline.source") return undefined;
  const title = offeredTitles(unit, model).get(member);
  return title !== undefined && roleOfTitle(title) !== undefined ? title : undefined;
}

/** A title that has none of these names something else: “Dock” for `arrived_at`. */
const ofTime =
  /\b(?:date|day|time|when|at|on|since|until|till|by|from|to|hour|month|year|week\w*|deadline|due|birth\w*|visit|delivery|arrival|departure|start|end|\w+(?:ed|s))\b/i;

/** Whether a title says that customers see a place under a name that may be a time's: `returned_at` for “Station of return”. */
function isPlace(member: string, { command: { unit } }: JqProgram, model: Model): boolean {
  const title = unit?.kind === "workflow" ? offeredTitles(unit, model).get(member) : undefined;
  if (title !== undefined && !ofTime.test(title)) return true;
  return (
    title !== undefined &&
    /\b(?:station|place|location|site|shop|store|branch|office|depot|address|town|city|room|stop|where)\b/i.test(
      title,
    )
  );
}

function membersOf({ members }: ObjectNode, command: Command, model: Model): readonly Entry[] {
  const { unit } = command;
  if (unit?.kind !== "workflow" && unit?.kind !== "intake") return [];
  const roles = members.filter(({ name }) => roleOf(name) !== undefined);
  if (roles.length === 0) return [];
  const { expansions } = partOfUnit(unit, model);
  return roles.flatMap(({ name: member, value: node }): readonly Entry[] => {
    const expansion = expansions.find((each) => each.node === node);
    if (expansion === undefined || expansion.root === "custom_data") return [];
    const { syntax } = expansion;
    if (syntax.start > 0 || syntax.end < expansion.node.value.length) return [];
    const meaning = meaningOfExpansion(expansion, flowOf(model));
    const at = { node: expansion.node, from: 0, to: syntax.end };
    return meaning === undefined ? [] : [{ member, meaning, at }];
  });
}

/** The name of the member of `params` or `body` that is nothing but this expansion. */
export function memberWith({ command, node, position, syntax }: Expansion): string | undefined {
  if ((position !== "parameter" && position !== "value") || command?.key !== "!http") return undefined;
  if (syntax.start > 0 || syntax.end < node.value.length) return undefined;
  return memberIn(command, node);
}

function memberIn({ argument }: Command, node: Expansion["node"]): string | undefined {
  if (argument?.kind !== "object") return undefined;
  const pending = ["params", "body"].flatMap((name) => argument.member(name) ?? []);
  // It grows while it is gone through.
  for (const { name, value } of pending) {
    if (value === node) return name === "params" || name === "body" ? undefined : name;
    if (value?.kind === "object") pending.push(...value.members);
  }
  return undefined;
}
