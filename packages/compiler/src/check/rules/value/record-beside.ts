import type { Expression, ObjectConstruction } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { mayBeSame, nounOf, nounOfId, singular } from "../../../flow/nouns.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { listBefore } from "../../../flow/path-lists.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { saysOf } from "../../../flow/said/of-name.ts";
import { readRecords } from "../../../flow/shown-record.ts";
import { underlying } from "../../../flow/underlying.ts";
import { sourcesOf } from "../../../flow/value-sources.ts";
import type { StringPart } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { shapeReads } from "../response/shape-reads.ts";
import { kindsNamed } from "./kinds-named.ts";
import { memberWith } from "./other-role.ts";
import { shownWith } from "./own-id.ts";

const recordBeside = defineRule<{ member: string; read: string; instead: string }>({
  id: "value/record-beside",
  severity: "warning",
  summary: "An id is read from another record than the one beside it that is called so",
  why: "A report has an id, and so has its patient. The id of one under the name of the other finds nothing, or another record by chance.",
  guards: ["command.!jq", "command.!http", "D17", "D18"],
  message: ({ member, read, instead }) =>
    `${member} gets \`${read}\`, but \`${instead}\` is the record that is called so.`,
  because: ({ member, read, instead }) => [
    `${member} wants an id of \`${instead}\`, by its name`,
    `\`${read}\` is of another record, or the same for several`,
  ],
  help: ({ instead }) => `Read the id of \`${instead}\`.`,
  examples: [
    {
      title: "The record around it",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .patient.email, patient_id: «.id», report: .title}"}',
      good: '{"!jq": "{email: .patient.email, patient_id: .patient.id, report: .title}"}',
    },
    {
      title: "A record below it",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .owner.email, owner_id: «.owner.practice.id», practice: .owner.practice.name}"}',
      good: '{"!jq": "{email: .owner.email, owner_id: .owner.id, practice: .owner.practice.name}"}',
    },
    {
      title: "What another member gets",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .guest.email, guest_id: «.code», booking_code: .code}"}',
      good: '{"!jq": "{email: .guest.email, guest_id: .guest.id, booking_code: .code}"}',
    },
    {
      title: "The other record of an answer",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/entries", "body": {"email": "${piped_content.0.email}"}}}, {"!print_c": "Made ${piped_content.1.order.id}."}, {"!http": {"method": "PUT", "path": "/orders/${«piped_content.1.member.id»}/thanks", "body": {"text": "Thanks"}}}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/entries", "body": {"email": "${piped_content.0.email}"}}}, {"!print_c": "Made ${piped_content.1.order.id}."}, {"!http": {"method": "PUT", "path": "/orders/${piped_content.1.order.id}/thanks", "body": {"text": "Thanks"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [recordBeside],
  checks: {
    // Another workflow may read what is below a record.
    document(model, report) {
      for (const found of [...inPrograms(model), ...inExpansions(model)]) {
        const { member, read, instead, at, below } = found;
        if (isSaid(found, model) || !hasOwnId(found, model)) continue;
        if (below === undefined || isRecord(below, model))
          report(recordBeside, at, { member, read, instead });
      }
    },
  },
};
export default module;

/** Whether the event is one of the wanted record, or a comment or the title says that this is meant. */
function isSaid({ program, name = "", noun, read }: Found, model: Model): boolean {
  if (program === undefined) return false;
  const { command } = program;
  const { unit } = command;
  if (unit?.kind === "workflow" && command.place.name === "data_pipeline.source") {
    // `{id, patient: {…}}` of `patients`
    const kind = textOf(unit.node, "resource_type");
    if (read === ".id" && noun !== undefined && kind !== undefined && nounOf(kind) === noun) return true;
    const title = wordsOf(offeredTitles(unit, model).get(name) ?? "").map(singular);
    const owner = singular(wordsOf(read.split(".").at(-2) ?? "").at(-1) ?? "");
    if (noun === undefined && owner !== "" && title.includes(owner)) return true;
  }
  const last = read.split(".").at(-1)!;
  const what = noun === undefined ? "both|theirs" : `both|theirs|${escapedPattern(noun)}(?:'s)?`;
  return saysOf(last, new RegExp(`\\b(?:${what})(?!\\w)`, "i"), command, model);
}

/** Whether a comment shows the record with an `id` beside the one that is read. */
function hasOwnId({ otherId: name, program }: Found, model: Model): boolean {
  if (name === undefined || program === undefined) return name === undefined;
  if (!hasComments(model)) return false;
  // The step that has the record may show it, too.
  return (
    shownWith(name, (other) => other === "id", program.command, model) !== undefined ||
    commentsBelow(outermostCommand(program.command).node).some(({ value }) =>
      readRecords(value).some(({ members = [] }) =>
        [name, "id"].every((each) => members.some((member) => member.name === each)),
      ),
    )
  );
}

interface Found {
  readonly member: string;
  readonly read: string;
  readonly instead: string;
  readonly at: StringPart;
  /** What has to be a record, for that to be wrong. */
  readonly below?: string;
  /** An id of the same record that a comment has to show beside its `id`. */
  readonly otherId?: string;
  /** Where a program has it, and for which member. */
  readonly program?: JqProgram;
  readonly name?: string;
  readonly noun?: string | undefined;
}

/** Whether a member is a record of its own: requests ask for such, or something else than its id is read of it. */
function isRecord(name: string, model: Model): boolean {
  if (kindsNamed(model).has(nounOf(name) ?? "")) return true;
  return shapeReads(model).some(
    (read) =>
      read.name === name && read.use === "member" && read.member !== undefined && !isIdName(read.member),
  );
}

const inPrograms = derivedByPart(({ programs }: Part): readonly Found[] =>
  programs.flatMap((program) => {
    if (program.diagnostics.length > 0 || !/_id\b|Id\b|_(?:name|title)\b/.test(program.node.value)) return [];
    // What is saved of a registration is looked at as that.
    if (/^intake\.(?:create|update)$/.test(program.command.place.name)) return [];
    return nodesOfKind(program, "Object").flatMap((object) => foundIn(object, program));
  }),
);

function foundIn(object: ObjectConstruction, program: JqProgram): readonly Found[] {
  const all: Found[] = [];
  for (const { key, value } of object.entries) {
    const member = nameOf(key);
    const noun = member === undefined ? undefined : nounOfId(member);
    const named = member === undefined || noun !== undefined ? undefined : nounOfName(member);
    const isRead = (noun ?? named) !== undefined && value !== undefined;
    const read = isRead ? pathRead(value, program) : undefined;
    const other = noun === undefined || value === undefined ? undefined : otherIdOf(noun, value, program);
    if (member !== undefined && other !== undefined)
      all.push({ member: `\`${member}\``, ...other, program, name: member, noun });
    if (member === undefined || read === undefined || other !== undefined) continue;
    const { names, text, value: inner } = read;
    const at = { node: program.node, from: inner.start, to: inner.end };
    if (noun === undefined) {
      const beside = nameBeside(named!, read, program);
      if (beside !== undefined)
        all.push({ member: `\`${member}\``, read: text, at, instead: beside, program, name: member });
      continue;
    }
    const found =
      recordBelow(noun, names) ??
      recordAround(noun, read, program) ??
      sharedWith(noun, member, text, object, program);
    if (found !== undefined)
      all.push({ member: `\`${member}\``, read: text, at, ...found, program, name: member, noun });
  }
  return all;
}

interface PathRead {
  /** The members on the way, and the variable that it begins with. */
  readonly names: readonly string[];
  readonly text: string;
  readonly value: Expression;
  /** What is written before the last member. */
  readonly before: string;
}

function pathRead(given: Expression, program: JqProgram): PathRead | undefined {
  const value = underlying(given);
  if (value.kind !== "Postfix" || (value.head.kind !== "Identity" && value.head.kind !== "Variable"))
    return undefined;
  const names = value.suffixes.flatMap((suffix) =>
    suffix.kind === "Field" && suffix.key.kind === "Name" ? [suffix.key.text] : [],
  );
  const last = value.suffixes.at(-1);
  if (names.length !== value.suffixes.length || last === undefined) return undefined;
  const head = value.head.kind === "Variable" ? [value.head.name] : [];
  const before = program.node.value.slice(value.start, last.start).trim();
  return { names: [...head, ...names], text: textAt(value, program), value, before };
}

/** `owner_id: .owner.practice.id`: the way goes through the record, to one below it. */
function recordBelow(noun: string, names: readonly string[]) {
  const [last = "", below = ""] = [names.at(-1), names.at(-2)];
  const own = nounOf(below);
  const index = names.slice(0, -2).findLastIndex(
    // `learnerByEmail` is one, too.
    (name) => nounOf(name) === noun || wordsOf(name)[0] === noun,
  );
  if (index < 0 || !isIdName(last) || own === undefined || mayBeSame(own, noun)) return undefined;
  const said = nounOfId(last);
  return said === undefined || said === own ? { instead: names[index]!, below } : undefined;
}

/** `member_id: .member.account_id`: another id of the record that is meant. */
function otherIdOf(noun: string, given: Expression, program: JqProgram) {
  const value = underlying(given);
  const path = sourcePath(value, program);
  const [last = "", owner = ""] = [path.at(-1), path.at(-2)];
  const said = nounOfId(last);
  if (said === undefined || nounOf(owner) !== noun || mayBeSame(said, noun)) return undefined;
  const at = { node: program.node, from: value.start, to: value.end };
  return { read: path.join("."), instead: owner, at, otherId: last };
}

/** The members that an expression reads, one below the other. */
function sourcePath(value: Expression, { holes }: JqProgram): readonly string[] {
  if (value.kind === "Hole") return holes[value.hole]?.syntax.path.slice(2).map(({ text }) => text) ?? [];
  if (value.kind !== "Postfix") return [];
  const head = value.head.kind === "Hole" ? sourcePath(value.head, { holes } as JqProgram) : [];
  return [
    ...head,
    ...value.suffixes.map((suffix) =>
      suffix.kind === "Field" && suffix.key.kind === "Name" ? suffix.key.text : "",
    ),
  ];
}

/** `patient_id: .id`, where the same record has a `patient` that is read. */
function recordAround(noun: string, { names, before, value }: PathRead, program: JqProgram) {
  if (names.at(-1) !== "id") return undefined;
  const beside = recordRead(noun, before, program);
  if (beside === undefined) return undefined;
  const [source, ...others] = sourcesOf(program, value, []);
  if (source === undefined || source.kind === "made" || others.length > 0) return undefined;
  // Behind a pipe, `.` is a part of what came in.
  if (names.length === 1 && source.path.length > 1) return undefined;
  const own = nounOf(source.path.at(-2) ?? "") ?? nounOf(names.at(-2) ?? "");
  return own !== undefined && mayBeSame(own, noun) ? undefined : { instead: beside };
}

/** `course` of `course_title`. */
function nounOfName(member: string): string | undefined {
  const words = wordsOf(member);
  return words.length === 2 && /^(?:name|title)$/.test(words[1]!) ? nounOf(words[0]!) : undefined;
}

/** `course_title: $b.studio.name`, where `$b.course.title` is read, too. */
function nameBeside(noun: string, { names, before }: PathRead, program: JqProgram): string | undefined {
  const [owner, name] = [names.at(-2), names.at(-1)!];
  const own = owner === undefined ? undefined : nounOf(owner);
  const around = /^(.*)\.\w+$/s.exec(before)?.[1];
  if (own === undefined || around === undefined || !/^(?:name|title)$/.test(name)) return undefined;
  if (mayBeSame(own, noun) || wordsOf(owner!).includes(noun)) return undefined;
  const start = around === "" ? String.raw`(?<![\w$)\]}"?.])` : escapedPattern(around);
  const read = new RegExp(String.raw`${start}\.(${escapedPattern(noun)})\.(?:name|title)\b`);
  return read.exec(program.node.value)?.[1];
}

/** The member of a record that is called by a noun, and of which a member is read. */
function recordRead(noun: string, before: string, { node }: JqProgram): string | undefined {
  // Most aren't read at all.
  if (!node.value.toLowerCase().includes(`.${noun}`)) return undefined;
  const start = before === "" || before === "." ? String.raw`(?<![\w$)\]}"?.])` : escapedPattern(before);
  const reads = node.value.matchAll(new RegExp(String.raw`${start}\.([A-Za-z]\w*)\.\w`, "g"));
  for (const [, name] of reads) if (wordsOf(name!).join(" ") === noun) return name;
  return undefined;
}

/** `guest_id: .code` beside `booking_code: .code`, where a `guest` is read. */
function sharedWith(
  noun: string,
  member: string,
  text: string,
  { entries }: ObjectConstruction,
  program: JqProgram,
) {
  const read = wordsOf(text).at(-1) ?? "";
  if (isIdName(read) || read === wordsOf(member).at(-1)) return undefined;
  const other = entries.find(({ key, value }) => {
    const name = nameOf(key);
    if (name === undefined || name === member || value === undefined) return false;
    const words = wordsOf(name);
    const own = nounOf(words.at(-2) ?? "");
    if (words.at(-1) !== read || own === undefined || mayBeSame(own, noun)) return false;
    return textAt(bare(value), program) === text;
  });
  if (other === undefined) return undefined;
  const beside = [...program.node.value.matchAll(/\.([A-Za-z]\w*)\b/g)].find(
    ([, name]) => wordsOf(name!).join(" ") === noun,
  )?.[1];
  return beside === undefined ? undefined : { instead: beside };
}

const inExpansions = derivedByPart(({ expansions }: Part): readonly Found[] =>
  expansions.flatMap((expansion): readonly Found[] => {
    const { path: segments } = expansion.syntax;
    if (segments.length < 4 || segments.at(-1)!.text !== "id") return [];
    const own = nounOf(segments.at(-2)!.text);
    const wanted = own === undefined ? undefined : wantedBy(expansion);
    if (wanted === undefined || own === undefined || mayBeSame(own, wanted.noun)) return [];
    const path = segments.map(({ text }) => text);
    const { command, node, syntax } = expansion;
    // The same answer has the record that is wanted, and its id is read.
    const other = expansions.find((each) => {
      const names = each.syntax.path.map(({ text }) => text);
      return (
        each.command?.pipe === command?.pipe &&
        names.length === path.length &&
        names.at(-1) === "id" &&
        nounOf(names.at(-2)!) === wanted.noun &&
        names.slice(0, -2).join(".") === path.slice(0, -2).join(".")
      );
    });
    if (other === undefined) return [];
    const [first, last] = [syntax.path[0]!, syntax.path.at(-1)!];
    const instead = other.syntax.path
      .slice(0, -1)
      .map(({ text }) => text)
      .join(".");
    return [
      { member: wanted.place, read: path.join("."), instead, at: { node, from: first.start, to: last.end } },
    ];
  }),
);

/** What a path or a member asks an id of. */
function wantedBy(expansion: Expansion): { readonly noun: string; readonly place: string } | undefined {
  const { root, rootExact, position } = expansion;
  if (root !== "piped_content" || !rootExact) return undefined;
  if (position === "path") {
    const before = listBefore(expansion);
    const noun = before === undefined ? undefined : nounOf(before);
    return noun === undefined ? undefined : { noun, place: `\`/${before}/\`` };
  }
  const member = memberWith(expansion);
  const noun = member === undefined ? undefined : nounOfId(member);
  return noun === undefined ? undefined : { noun, place: `\`${member}\`` };
}
