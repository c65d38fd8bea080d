import type { Expression, Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { emptinessBy } from "../../../flow/emptiness.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { finalObject, literalMembers } from "../../../flow/literal-object.ts";
import { bare, nodesIn } from "../../../flow/nodes.ts";
import { nounOf, nounOfId } from "../../../flow/nouns.ts";
import { expansionTrails } from "../../../flow/origin.ts";
import { listBefore } from "../../../flow/path-lists.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { resolved } from "../../../flow/protocol/forms.ts";
import { type ValueReaders, valueReaders } from "../../../flow/protocol/value-readers.ts";
import type { RuleModule } from "../../checks.ts";
import { memberWith } from "../value/other-role.ts";

const unchosenRecord = defineRule<{
  read: string;
  list: string;
  instead: string;
  step: number;
  isSent: boolean;
}>({
  id: "pipeline/unchosen-record",
  severity: "warning",
  summary: "A request takes a record of the whole list, although a step has chosen one that nothing takes",
  why: "A step looks for the right record: the newest, the open one. A request that goes back to the list takes whichever stands first, and changes or removes another record.",
  guards: ["expansion.piped_content", "command.!pipe", "command.!jq", "D14"],
  message: ({ read, instead, step, isSent }) =>
    isSent
      ? `Step ${step} chooses a record, and another request sends its id, \`${instead}\`. \`${read}\` is the record at that place of the whole list.`
      : `Step ${step} chooses \`${instead}\`, which nothing takes. \`${read}\` is the record at that place of the whole list.`,
  because: ({ list, instead, read, isSent }) => [
    `\`${instead}\` is ${isSent ? "of one that is " : ""}chosen among \`${list}\``,
    `\`${read}\` may be another of them`,
  ],
  help: ({ instead }) => `Read it of \`${instead}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/bookings", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{chosen: ([.bookings[] | select(.state == \\"open\\")] | sort_by(.created_at) | first)}"}, {"!switch": {"jq": "if .chosen == null then 0 else 1 end", "cases": [{"!error": "There is no open booking."}, {"!http": {"method": "DELETE", "path": "/bookings/${«piped_content.1.bookings[0]».id}"}}]}}]}',
      good: '{"!pipe": [{"!http": {"path": "/bookings", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{chosen: ([.bookings[] | select(.state == \\"open\\")] | sort_by(.created_at) | first)}"}, {"!switch": {"jq": "if .chosen == null then 0 else 1 end", "cases": [{"!error": "There is no open booking."}, {"!http": {"method": "DELETE", "path": "/bookings/${piped_content.2.chosen.id}"}}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unchosenRecord],
  checks: {
    part(part, report, model) {
      let takers: ValueReaders | undefined;
      for (const expansion of part.expansions) {
        const found = firstRead(expansion);
        if (found === undefined || !runsWhereFound(expansion.command!)) continue;
        const { list, member, index, end } = found;
        const step = expansion.command!.pipe?.children[index];
        const narrowed = step === undefined ? undefined : narrowedIn(step, list, member);
        if (step === undefined || narrowed === undefined) continue;
        takers ??= takersIn(part);
        const { members, whole } = takers.of(step);
        if (whole || members.has(narrowed)) continue;
        const { node, syntax } = expansion;
        const from = syntax.path[0]!.start;
        const read = node.value.slice(from, end);
        const instead = `piped_content.${index + 1}.${narrowed}[0]`;
        const args = { read, list, instead, step: index + 1, isSent: false };
        report(unchosenRecord, { node, from, to: end }, args);
      }
      for (const expansion of part.expansions) {
        const found = listRead(expansion);
        if (found === undefined) continue;
        const { list, index, end } = found;
        if (!runsWhereFound(expansion.command!)) continue;
        const step = expansion.command?.pipe?.children[index];
        const chosen = step === undefined ? undefined : choiceOf(step, list);
        if (step === undefined || chosen === undefined || expansion.command!.stepsRun <= index) continue;
        takers ??= takersIn(part);
        const { members, whole } = takers.of(step);
        const isTaken = whole || (chosen === "" ? members.size > 0 : members.has(chosen));
        const sent = isTaken ? chosenSentBeside(expansion, list, part, model) : undefined;
        if (isTaken && sent === undefined) continue;
        const { node, syntax } = expansion;
        const from = syntax.path[0]!.start;
        const instead = sent ?? `piped_content.${index + 1}${chosen === "" ? "" : `.${chosen}`}`;
        report(
          unchosenRecord,
          { node, from, to: end },
          { read: node.value.slice(from, end), list, instead, step: index + 1, isSent: sent !== undefined },
        );
      }
    },
  },
};
export default module;

/** `${piped_content.2.reservations[0].id}` in a request: which list of which step, and where its place ends. */
function listRead({ root, rootExact, syntax, command }: Expansion) {
  const [, segment, name, place, member, ...below] = syntax.path;
  if (root !== "piped_content" || !rootExact || syntax.problem !== undefined || command?.key !== "!http")
    return undefined;
  const index = Number(segment?.text);
  // Of what all records of the list have in common, any may be taken.
  if (below.length > 0 || (member !== undefined && !/^(?:id|uuid|uid|guid)$/i.test(member.text)))
    return undefined;
  if (name === undefined || place === undefined || !/^-?\d+$/.test(place.text) || !(index > 0))
    return undefined;
  return { list: name.text, index, end: place.end };
}

/** `${piped_content.1.customers[0].share_number}`: of which list of which step, and which member. */
function firstRead({ root, rootExact, syntax, command }: Expansion) {
  const [, segment, name, place, member, ...below] = syntax.path;
  if (root !== "piped_content" || !rootExact || syntax.problem !== undefined || below.length > 0)
    return undefined;
  const index = Number(segment?.text);
  if (command === undefined || name === undefined || member === undefined || !(index > 0)) return undefined;
  if (!/^-?\d+$/.test(place?.text ?? "") || command.stepsRun <= index) return undefined;
  return { list: name.text, member: member.text, index, end: place!.end };
}

/**
 * The member under which a step gives those of a list that have another member, or another value of it: `{holders: [.customers[] |
 * select(.share_number != null)]}`. Of what has nothing to do with that, any record of the list may be taken.
 */
function narrowedIn({ key, program }: Command, list: string, member: string): string | undefined {
  if (key !== "!jq" || program === undefined || program.diagnostics.length > 0) return undefined;
  if (!program.node.value.includes(list) || !/\bselect\b/.test(program.node.value)) return undefined;
  const object = finalObject(program);
  for (const [name, given] of (object === undefined ? undefined : literalMembers(object)) ?? []) {
    const value = resolved(given, program);
    const nodes = value === undefined ? [] : nodesIn(value);
    const ofList = nodes.filter((each) => isMember(each, list));
    const asked = nodes.flatMap((each) =>
      each.kind === "Call" && each.name.text === "select" ? each.arguments.flatMap(nodesIn) : [],
    );
    const isList = value !== undefined && isListOf(bare(value));
    if (isList && ofList.length === 1 && asked.some((each) => isMember(each, member) || isIdName(member)))
      return name;
  }
  return undefined;
}

/** `[.rows[] | select(…)]`, `.rows | map(select(…))` */
function isListOf(value: Expression): boolean {
  if (value.kind === "Array") {
    const body = value.body === undefined ? undefined : bare(value.body);
    const last = body?.kind === "Pipeline" ? bare(stagesOf(body).at(-1)!) : undefined;
    return last?.kind === "Call" && last.name.text === "select";
  }
  const last = value.kind === "Pipeline" ? bare(stagesOf(value).at(-1)!) : undefined;
  const [inner] = last?.kind === "Call" && last.name.text === "map" ? last.arguments : [];
  const call = inner === undefined ? undefined : bare(inner);
  return call?.kind === "Call" && call.name.text === "select";
}

/** `.rows` of the input. */
function isMember(node: Node, name: string): boolean {
  const [suffix] = node.kind === "Postfix" && node.head.kind === "Identity" ? node.suffixes : [];
  return suffix?.kind === "Field" && suffix.key.kind === "Name" && suffix.key.text === name;
}

/**
 * The id of one of the same list, read by name, that another request of the pipe sends as the record that this path names by its place:
 * `slot_id` beside `/slots/${piped_content.1.slots[0].id}`.
 */
function chosenSentBeside(
  read: Expansion,
  list: string,
  { expansions }: Part,
  model: Model,
): string | undefined {
  const { pipe } = read.command!;
  const before = read.position === "path" ? listBefore(read) : undefined;
  const step = pipe?.children[Number(read.syntax.path[1]?.text) - 1];
  if (before === undefined || step === undefined || nounOf(before) !== nounOf(list)) return undefined;
  const other = expansions.find((each) => {
    const { command, root, syntax, position } = each;
    if (root !== "piped_content" || command?.key !== "!http" || command === read.command) return false;
    if (command.pipe !== pipe || syntax.path.some(({ text }, at) => at > 1 && /^-?\d+$/.test(text)))
      return false;
    const noun = position === "path" ? nounOf(listBefore(each) ?? "") : nounOfId(memberWith(each) ?? "");
    if (noun === undefined || noun !== nounOf(list)) return false;
    const trails = expansionTrails(flowOf(model), each);
    return (
      trails.length > 0 &&
      trails.every(
        ({ origin }) =>
          origin.kind === "response" && origin.command === step && origin.path.join(".") === `${list}.[].id`,
      )
    );
  });
  return other?.syntax.path.map(({ text }) => text).join(".");
}

/** Whether a command isn't in a case of a `!switch`, or in the one for a record that was found. */
function runsWhereFound(command: Command): boolean {
  for (let at = command; at.parent !== undefined && at.parent !== command.pipe; at = at.parent)
    if (at.parent.key === "!switch" && at.parent.children.indexOf(at) !== caseWhereFound(at.parent))
      return false;
  return true;
}

/** The case of `if .chosen == null then 0 else 1 end` that runs where there is one. */
function caseWhereFound({ program }: Command): unknown {
  const node = program === undefined ? undefined : plainBody(program);
  const [branch, ...others] = node?.kind === "If" ? node.branches : [];
  if (node?.kind !== "If" || branch === undefined || others.length > 0 || node.otherwise === undefined)
    return undefined;
  const condition = bare(branch.condition);
  const [empty, ...more] = emptinessBy(condition, true, program!);
  if (condition.kind !== "Postfix" && empty !== undefined && more.length === 0)
    return constantOf(empty.isEmpty ? node.otherwise : branch.body);
  if (condition.kind === "Postfix") return constantOf(branch.body);
  if (condition.kind !== "Comparison" || constantOf(condition.right) !== null) return undefined;
  if (condition.operator === "==") return constantOf(node.otherwise);
  return condition.operator === "!=" ? constantOf(branch.body) : undefined;
}

/** What takes a value: what only a condition asks for isn't taken by that. */
const takersIn = ({ expansions, commands }: Part): ValueReaders =>
  valueReaders({
    expansions: expansions.filter(({ command }) => command?.key !== "!switch"),
    commands: commands.filter(({ key }) => key !== "!switch"),
  });

/** The member under which a step gives the record that it chooses of a list of its input, empty if it gives that alone. */
function choiceOf({ key, program }: Command, list: string): string | undefined {
  if (key !== "!jq" || program === undefined || program.diagnostics.length > 0) return undefined;
  if (!program.node.value.includes(list)) return undefined;
  const object = finalObject(program);
  if (object === undefined) return chooses(program.tree.body, list) ? "" : undefined;
  for (const [name, given] of literalMembers(object) ?? []) {
    const value = resolved(given, program);
    if (value !== undefined && chooses(value, list)) return name;
  }
  return undefined;
}

/** `[.rows[] | select(…)] | first`, `.rows | max_by(.created_at)` */
function chooses(value: Expression, list: string): boolean {
  const node = bare(value);
  const stages = node.kind === "Pipeline" ? stagesOf(node) : [node];
  const last = bare(stages.at(-1) ?? node);
  const isOne =
    last.kind === "Call"
      ? /^(?:first|last|max_by|min_by)$/.test(last.name.text)
      : last.kind === "Postfix" && last.suffixes.at(-1)?.kind === "Index";
  if (!isOne) return false;
  const parts = nodesIn(node);
  return (
    parts.some((each) => each.kind === "Call" && /^(?:select|sort_by|max_by|min_by)$/.test(each.name.text)) &&
    parts.some((each) => {
      const [suffix] = each.kind === "Postfix" && each.head.kind === "Identity" ? each.suffixes : [];
      return suffix?.kind === "Field" && suffix.key.kind === "Name" && suffix.key.text === list;
    })
  );
}
