import type { Postfix } from "@configc/jq";
import { constantOf, escapedPattern, groupBy, nearest } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { derivedOf } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type DocumentedValue, documentedAt } from "../../../flow/documented-records.ts";
import { commentsAt, hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { expansionTrails, type Origin, type Trail, trailsOf } from "../../../flow/origin.ts";
import { readRecords } from "../../../flow/shown-record.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { payloadOf } from "../reference/not-delivered.ts";

const undocumented = defineRule<{ name: string; members: readonly string[] }>({
  id: "response/undocumented-member",
  // A comment may leave out a member.
  severity: "hint",
  summary: "A member is read that a comment doesn't show, among others that it does",
  why: "Where a comment shows all that a record has, a member that isn't among them is null for every record: a field that stays empty, an id that leads nowhere, a condition that is the same each time.",
  guards: ["command.!jq", "expansion.piped_content", "D3"],
  message: ({ name, members }) =>
    `A comment shows this record with ${allNames(members)}. \`${name}\` is none of them.`,
  because: ({ name, members }) => [
    `by the comment, the record has ${allNames(members)}`,
    `then \`${name}\` of it is null`,
  ],
  help: ({ name, members }) => {
    const other = nearest(name, members);
    return other === undefined
      ? "Read one that it has. If the service sends it too, say so in the comment."
      : `Did you mean \`${other}\`?`;
  },
  examples: [
    {
      title: "Of the answer to a request",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"_comment": "Answers {person: {id, blocked, joined_on}}.", "!http": {"method": "PUT", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "if .person.blocked or .person.joined_on == null then null else {person_id: «.person.number»} end"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": "${piped_content.2}"}}]}',
      good: '{"!pipe": [{"_comment": "Answers {person: {id, blocked, joined_on}}.", "!http": {"method": "PUT", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "if .person.blocked or .person.joined_on == null then null else {person_id: .person.id} end"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": "${piped_content.2}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [undocumented],
  checks: {
    reach: "saved",
    part(part, report, model) {
      if (hasComments(model)) tellIn(part, report, model);
    },
  },
};
export default module;

/** A member that is read of something that came from outside. */
interface MemberRead {
  readonly name: string;
  readonly at: StringPart;
  /** Of what: a record of one origin. */
  readonly key: string;
  readonly record: readonly DocumentedValue[];
}

function tellIn(part: Part, report: Report, model: Model): void {
  for (const reads of groupBy(readsIn(part, model), ({ key }) => key).values()) {
    const { record } = reads[0]!;
    const members = new Set(record.flatMap((each) => each.members!.map(({ name }) => name)));
    const [other, ...more] = reads.filter(({ name }) => !members.has(name));
    if (other === undefined || members.size < 3) continue;
    const { name, at } = other;
    // Who reads several that aren't shown, or one in two places, knows more of the record than the comment.
    if (more.some((each) => each.name !== name || each.at.node !== at.node)) continue;
    const read = new Set(reads.map((each) => each.name));
    if (read.size < 3 || ofFailure.test(name) || isMentioned(name, record)) continue;
    const comment = record[0]!.comment;
    report(undocumented, at, { name, members: [...members] }, [{ message: "the comment", at: comment }]);
  }
}

/** What an answer has besides, where something went wrong. */
const ofFailure = /^(?:errors?|error_?\w+|user_?errors?|messages?|warnings?|code|detail)$/i;

/** Whether the comment says something of such a member outside of the records that it shows. */
const isMentioned = (name: string, record: readonly DocumentedValue[]): boolean =>
  record.some(({ comment }) =>
    new RegExp(`(?<![\\w-])${escapedPattern(name)}(?![\\w-])`).test(withoutRecords(comment.value)),
  );

function withoutRecords(text: string): string {
  const outer = text.replace(/\{[^{}]*\}/g, "");
  return outer === text ? text : withoutRecords(outer);
}

function readsIn({ programs, expansions }: Part, model: Model): readonly MemberRead[] {
  const flow = flowOf(model);
  const keys = new Map<Command, number>();
  const read = (trails: readonly Trail[], reader: Command | undefined, at: StringPart): MemberRead[] => {
    const [trail, ...others] = trails;
    if (trail === undefined || others.length > 0 || reader === undefined) return [];
    const { origin } = trail;
    if (origin.kind !== "response" && origin.kind !== "place") return [];
    const path = origin.path.filter((step, index) => step !== "[]" && !(step === "body" && index === 0));
    const name = path.at(-1);
    const record = name === undefined ? undefined : recordAt(origin, path.slice(0, -1), reader, model);
    if (name === undefined || record === undefined) return [];
    const index = keys.get(origin.command) ?? keys.size;
    keys.set(origin.command, index);
    return [{ name, at, key: [index, ...path.slice(0, -1)].join("."), record }];
  };
  return [
    ...programs.flatMap((program) =>
      program.diagnostics.length > 0
        ? []
        : nodesOfKind(program, "Postfix").flatMap((node) => {
            if (node.suffixes.at(-1)?.kind !== "Field" || isOneOfTwo(node, program)) return [];
            const at = { node: program.node, from: node.start, to: node.end };
            return read(trailsOf(flow, program, node), program.command, at);
          }),
    ),
    ...expansions.flatMap((expansion) => {
      const { root, syntax, node, command } = expansion;
      if (root !== "piped_content" || syntax.filters.length > 0) return [];
      return read(expansionTrails(flow, expansion), command, { node, from: syntax.start, to: syntax.end });
    }),
  ];
}

/** `.code // .number`: the author takes the record with this member and without. */
const isOneOfTwo = (node: Postfix, program: JqProgram): boolean =>
  node.suffixes.some(({ kind }) => kind === "Optional") ||
  nodesOfKind(program, "Alternative").some(
    ({ start, end, operands }) =>
      start <= node.start &&
      node.end <= end &&
      operands.filter((each) => constantOf(each) === undefined).length > 1,
  );

/** What comments show of the record at a path. */
function recordAt(
  origin: Extract<Origin, { kind: "response" | "place" }>,
  path: readonly string[],
  reader: Command,
  model: Model,
): readonly DocumentedValue[] | undefined {
  const name = path.at(-1);
  if (name === undefined) {
    const own =
      origin.kind === "response" ? ownRecord(origin.command, model) : payloadRecord(origin.command, model);
    return own === undefined ? undefined : [own];
  }
  const values = [
    ...(documentedAt(origin.command, model).get(name) ?? []),
    ...(documentedAt(reader, model).get(name) ?? []),
  ].filter(({ members }) => members !== undefined);
  return values.length === 0 || values.some(({ comment }) => isOpen.test(comment.value)) ? undefined : values;
}

const isOpen =
  /…|\.\.\.|\betc\b|\bmore\b|\bothers\b|\be\.g\.|\bsuch as\b|\bsome\b|\bbeside|\bthe same\b|\b(?:takes?|wants?|needs?|expects?|accepts?|body)\b/i;

/** What the comment of a webhook shows of its payloads, where a workflow takes them. */
const payloadRecord = derivedOf(({ place, unit }: Command, _model: Model): DocumentedValue | undefined => {
  if (place.name !== "data_pipeline.source") return undefined;
  const [webhook, ...others] = intakesAround(unit);
  const [comment, ...lines] = webhook === undefined || others.length > 0 ? [] : commentsAt(webhook);
  if (comment === undefined) return undefined;
  const text = [comment, ...lines].map(({ value }) => value).join("\n");
  const shown = isOpen.test(text) ? undefined : payloadOf(text);
  return shown?.members === undefined ? undefined : { ...shown, comment };
});

/** The one record that the comment of a request shows. */
const ownRecord = derivedOf((command: Command, _model: Model): DocumentedValue | undefined => {
  const [comment, ...lines] = commentsAt(command.node);
  if (comment === undefined) return undefined;
  const text = [comment, ...lines].map(({ value }) => value).join("\n");
  if (!text.includes("{") || isOpen.test(text)) return undefined;
  const records = readRecords(text);
  const parts = new Set(records.flatMap(({ members }) => members ?? []));
  const [outer, ...others] = records.filter((each) => !parts.has(each));
  if (outer?.members === undefined || others.length > 0 || outer.name !== "") return undefined;
  return { ...outer, comment };
});
