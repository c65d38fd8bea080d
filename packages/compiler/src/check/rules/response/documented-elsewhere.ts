import type { Command } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentedBelow, hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { expansionTrails, type Trail, trailsOf } from "../../../flow/origin.ts";
import { readRecords } from "../../../flow/shown-record.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { ObjectNode, StringNode } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";

const documentedElsewhere = defineRule<{ names: readonly string[]; members: readonly string[] }>({
  id: "response/documented-elsewhere",
  severity: "warning",
  summary: "Members are read of an answer that a comment shows without them, and another record has them",
  why: "`piped_content` counts steps, and `.` is the last one. With a number that is off by one, or a variable for another step, a program reads the members of one record in another. All of them are null, for every record.",
  guards: ["expansion.piped_content", "command.!jq", "D3", "D14"],
  message: ({ names, members }) =>
    `A comment shows this answer with ${allNames(members)}. ${allNames(names)} ${names.length === 1 ? "stands" : "stand"} in another record.`,
  because: ({ names, members }) => [
    `the answer has ${allNames(members)}`,
    `${allNames(names)} read of it ${names.length === 1 ? "is" : "are"} null`,
  ],
  help: () => "Read them from the step that has them.",
  examples: [
    {
      title: "A variable for another step",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"_comment": "Payload: {id, email, given, family}", "!pipe": [{"_comment": "{avoid: [\\"nuts\\"]}", "!http": {"path": "/people/${piped_content.0.id}/diet"}}, {"!jq": ". as $diet | ${piped_content.1} as $m | {email: «$m.email», name: $m.given, avoids: ($diet.avoid | join(\\", \\"))}"}]}',
      good: '{"_comment": "Payload: {id, email, given, family}", "!pipe": [{"_comment": "{avoid: [\\"nuts\\"]}", "!http": {"path": "/people/${piped_content.0.id}/diet"}}, {"!jq": ". as $diet | ${piped_content.0} as $m | {email: $m.email, name: $m.given, avoids: ($diet.avoid | join(\\", \\"))}"}]}',
    },
    {
      title: "Another step in a path",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"_comment": "{id, status, customer_id, depot_id}", "!http": {"path": "/visits/${piped_content.0.visit_id}"}}, {"_comment": "{id, email, given, family}", "!http": {"path": "/customers/${piped_content.1.customer_id}"}}, {"_comment": "{id, city}", "!http": {"path": "/depots/${piped_content.2.«depot_id»}"}}, {"!jq": "{email: ${piped_content.2.email}, city: .city}"}]}',
      good: '{"!pipe": [{"_comment": "{id, status, customer_id, depot_id}", "!http": {"path": "/visits/${piped_content.0.visit_id}"}}, {"_comment": "{id, email, given, family}", "!http": {"path": "/customers/${piped_content.1.customer_id}"}}, {"_comment": "{id, city}", "!http": {"path": "/depots/${piped_content.1.depot_id}"}}, {"!jq": "{email: ${piped_content.2.email}, city: .city}"}]}',
    },
    {
      title: "A member of the record in the answer",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"_comment": "Finds or adds by email: {person: {id, blocked}}.", "!http": {"method": "PUT", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if «.blocked» then 0 else 1 end", "cases": [{"!error": "Blocked."}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people/${piped_content.1.person.id}", "body": {"note": "${custom_data.note.value | default}"}}}]}}]}',
      good: '{"!pipe": [{"_comment": "Finds or adds by email: {person: {id, blocked}}.", "!http": {"method": "PUT", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if .person.blocked then 0 else 1 end", "cases": [{"!error": "Blocked."}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people/${piped_content.1.person.id}", "body": {"note": "${custom_data.note.value | default}"}}}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [documentedElsewhere],
  checks: {
    reach: "saved",
    part(part, report, model) {
      if (hasComments(model)) tellIn(part, report, model);
    },
  },
};
export default module;

/** What a comment shows on a request: all of its answer. */
interface Answer {
  readonly members: ReadonlySet<string>;
  readonly comment: StringNode;
}

function tellIn(part: Part, report: Report, model: Model): void {
  const answers = new Map<Command, Answer>();
  for (const command of part.commands) {
    if (command.key !== "!http" || command.parent?.key !== "!pipe") continue;
    const answer = answerOf(command);
    if (answer !== undefined) answers.set(command, answer);
  }
  tellInside(part, report, model);
  if (answers.size === 0) return;
  const [{ unit }] = [...answers.keys()] as [Command];
  const around = [...(part.item === undefined ? [] : [part.item.node]), ...intakesAround(unit)];
  const records = around.flatMap((node) =>
    [...commentedBelow(node)].flatMap((object) => recordsOf(object).map(({ members }) => members)),
  );
  const isShown = (name: string): boolean => [...answers.values()].every(({ members }) => members.has(name));
  const unknown = new Map<Command, { name: string; at: StringPart }[]>();
  for (const { command, name, at } of readsOf(part, isShown, model)) {
    const answer = answers.get(command);
    if (answer === undefined || answer.members.has(name)) continue;
    unknown.set(command, [...(unknown.get(command) ?? []), { name, at }]);
  }
  for (const [command, reads] of unknown) {
    const { members, comment } = answers.get(command)!;
    const names = [...new Set(reads.map(({ name }) => name))];
    // One member that isn't shown may just have been left out.
    if (names.length < 2 && members.size < 3) continue;
    const isElsewhere = records.some(
      (record) => names.every((name) => record.has(name)) && [...members].some((name) => !record.has(name)),
    );
    if (!isElsewhere) continue;
    report(documentedElsewhere, reads[0]!.at, { names, members: [...members] }, [
      { message: "the comment", at: comment },
    ]);
  }
}

/** Members of the one record in an answer that are read beside it: `.blocked` of `{person: {id, blocked}}`. */
function tellInside(part: Part, report: Report, model: Model): void {
  const answers = new Map<Command, Answer & { readonly inside: ReadonlySet<string> }>();
  for (const command of part.commands) {
    const answer = command.key === "!http" ? wrappedAnswer(command) : undefined;
    if (answer !== undefined) answers.set(command, answer);
  }
  if (answers.size === 0) return;
  const isShown = (name: string): boolean =>
    [...answers.values()].every(({ members, inside }) => members.has(name) || !inside.has(name));
  for (const { command, name, at } of readsOf(part, isShown, model)) {
    const { members, inside, comment } = answers.get(command) ?? {};
    if (members === undefined || comment === undefined) continue;
    if (members.has(name) || inside?.has(name) !== true) continue;
    report(documentedElsewhere, at, { names: [name], members: [...members] }, [
      { message: "the comment", at: comment },
    ]);
  }
}

/** The answer that a comment shows as one record in another: `Finds or adds by email: {person: {id, blocked}}`. */
function wrappedAnswer({ node }: Command) {
  const comment = node.get("_comment");
  if (comment?.kind !== "string" || !comment.value.includes("{") || goesOn.test(comment.value))
    return undefined;
  const records = readRecords(comment.value);
  const parts = new Set(records.flatMap(({ members }) => members ?? []));
  const [outer, ...others] = records.filter((each) => !parts.has(each));
  const [inner, ...beside] = outer?.members ?? [];
  if (others.length > 0 || inner?.kind !== "object" || beside.length > 0) return undefined;
  const inside = new Set(inner.members?.map(({ name }) => name));
  return { members: new Set([inner.name]), inside, comment };
}

/** What goes on, and what is sent. */
const goesOn =
  /\b(?:takes?|wants?|needs?|sends?|expects?|accepts?|body)\b|\.\.\.|…|\betc\b|\bmore\b|\bbeside|\bthe same\b/i;

/** The one record that the comment of a step shows, where it shows it to its end. */
function answerOf({ node }: Command): Answer | undefined {
  const comment = node.get("_comment");
  if (comment?.kind !== "string" || isOpen.test(comment.value)) return undefined;
  const [record, ...others] = recordsOf(node).filter(({ name }) => name === "");
  return record === undefined || others.length > 0 ? undefined : { members: record.members, comment };
}

/** What goes on, several answers, and what is sent. */
const isOpen =
  /\b(?:takes?|wants?|needs?|sends?|expects?|accepts?|body)\b|\.\.\.|…|\betc\b|\bmore\b|\bor\b|\bboth\b|\bbeside|\bthe same\b|\bas (?:above|before|in)\b/i;

/** The records that a comment shows by themselves, `{id, email}` and `Item: {id, email}`. */
function recordsOf(
  object: ObjectNode,
): readonly { readonly name: string; readonly members: ReadonlySet<string> }[] {
  const comment = object.get("_comment");
  const lines = comment?.kind === "array" ? comment.items : [comment];
  const text = lines.flatMap((line) => (line?.kind === "string" ? [line.value] : [])).join("\n");
  if (!text.includes("{")) return [];
  return readRecords(text).flatMap(({ name, kind, members }) =>
    kind === "object" && members !== undefined
      ? [{ name, members: new Set(members.map((each) => each.name)) }]
      : [],
  );
}

interface MemberRead {
  readonly command: Command;
  readonly name: string;
  readonly at: StringPart;
}

/** The members that are read of answers, one step down; none that all answers have. */
function readsOf(
  { programs, expansions }: Part,
  isShown: (name: string) => boolean,
  model: Model,
): readonly MemberRead[] {
  const flow = flowOf(model);
  const read = (trails: readonly Trail[], at: StringPart): readonly MemberRead[] => {
    const [trail, ...others] = trails;
    if (trail?.origin.kind !== "response" || others.length > 0) return [];
    const [name] = trail.origin.path;
    return name === undefined || name === "body" || name === "[]"
      ? []
      : [{ command: trail.origin.command, name, at }];
  };
  return [
    ...expansions.flatMap((expansion): readonly MemberRead[] => {
      const { root, syntax, node } = expansion;
      const member = syntax.path[2];
      if (root !== "piped_content" || member === undefined || syntax.filters.length > 0) return [];
      return read(expansionTrails(flow, expansion, 3), { node, from: member.start, to: member.end });
    }),
    ...programs.flatMap((program) =>
      program.diagnostics.length > 0
        ? []
        : nodesOfKind(program, "Postfix").flatMap((node): readonly MemberRead[] => {
            const [first] = node.suffixes;
            const name = first?.kind === "Field" && first.key.kind === "Name" ? first.key.text : undefined;
            if (first === undefined || name === undefined || isShown(name)) return [];
            return read(trailsOf(flow, program, node), {
              node: program.node,
              from: node.start,
              to: first.end,
            });
          }),
    ),
  ];
}
