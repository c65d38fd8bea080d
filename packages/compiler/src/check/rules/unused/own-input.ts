import type { Expression } from "@configc/jq";
import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { eventLookups, eventsOf } from "../../../flow/event-lookups.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { inputReads } from "../../../flow/protocol/value-readers.ts";
import type { StringPart } from "../../../parse/document.ts";
import { derivedByPart } from "../../by-part.ts";
import { changeTo } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";

type Args = { readonly name: string; readonly index: number; readonly instead: number };

const payloadMeant = defineRule<Args>({
  id: "reference/response-for-payload",
  severity: "warning",
  summary: "A program reads a member from the response that another step reads from the payload",
  why: "After a request, `.` is the response, and `${piped_content.0}` is the payload. A step number that is off by one reads the response instead, so the value is missing for every record.",
  guards: ["expansion.piped_content", "D14", "D16"],
  message: ({ name, index, instead }) =>
    `\`piped_content.${index}\` is the response, the same as \`.\`. \`${name}\` is a member of \`piped_content.${instead}\`.`,
  because: ({ name, index, instead }) => [
    `\`piped_content.${instead}\`: the payload, which has \`${name}\`, by another read or by a comment`,
    `\`piped_content.${index}\`: the response, from which nothing else reads \`${name}\``,
  ],
  help: ({ name, instead }) => `Write \`\${piped_content.${instead}.${name}}\`.`,
  examples: [
    {
      title: "D14",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!http": {"path": "/people/${piped_content.0.event.person}"}}, {"!jq": "{email: .email, kind: ${piped_content.«1».event}.kind}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/people/${piped_content.0.event.person}"}}, {"!jq": "{email: .email, kind: ${piped_content.0.event}.kind}"}]}',
      fixed:
        '{"!pipe": [{"!http": {"path": "/people/${piped_content.0.event.person}"}}, {"!jq": "{email: .email, kind: ${piped_content.0.event}.kind}"}]}',
    },
  ],
  fixes: ({ at, args: { instead } }, { document }) => [changeTo(document, at, `${instead}`, false)],
});

const ownInput = defineRule<Args>({
  id: "reference/own-input",
  severity: "hint",
  summary: "An expansion reads the program's own input, which `.` reads too",
  why: "`${piped_content.N}` of the previous step is the same value as `.`. If a program reads that value as `.` and once by its number, the number is most likely wrong: the payload or an earlier step was meant.",
  guards: ["expansion.piped_content", "D14", "D16"],
  message: ({ name, index }) =>
    `\`piped_content.${index}\` is the same as \`.\` here, so this is \`.${name}\`. Did you mean another step?`,
  because: ({ name, index, instead }) => [
    `\`piped_content.${index}.${name}\` is \`.${name}\` here`,
    `\`piped_content.${instead}.${name}\` would be another value`,
  ],
  help: ({ name, instead }) =>
    `Write \`\${piped_content.${instead}.${name}}\` for the other step, or \`.${name}\` for this value.`,
  examples: [
    {
      title: "D14",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!http": {"path": "/people/${piped_content.0.id}"}}, {"!jq": "{email: .person.email, kind: ${piped_content.«1».kind}}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/people/${piped_content.0.id}"}}, {"!jq": "{email: .person.email, kind: ${piped_content.0.kind}}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [payloadMeant, ownInput],
  checks: {
    document(model, report) {
      for (const { at, isKnown, command, ...args } of found(model))
        report(
          isKnown || isSaid(args.name, command, model) || isOfEvent(at, command) ? payloadMeant : ownInput,
          at,
          args,
        );
    },
  },
};
export default module;

/** Whether an expansion is told as what reads its program's own input. */
export const isOwnInput = (expansion: Expansion | undefined, model: Model): boolean =>
  expansion !== undefined &&
  found(model).some(({ at }) => at.node === expansion.node && at.from === expansion.syntax.path[1]?.start);

/** Whether a program takes what is read for one of the events that the intake registers. */
function isOfEvent({ node, from }: StringPart, { program, place, unit }: Command): boolean {
  if (place.name !== "data_pipeline.source" || unit?.kind !== "workflow" || program === undefined)
    return false;
  const intake = unit.intake?.target;
  const registered = intake?.type === "webhook" ? eventsOf(intake) : undefined;
  return (
    registered !== undefined &&
    eventLookups(program, registered).some(({ value }) => {
      const hole = value.kind === "Hole" ? program.holes[value.hole] : undefined;
      return hole?.node === node && hole.syntax.path[1]?.start === from;
    })
  );
}

interface Found extends Args {
  readonly at: StringPart;
  readonly isKnown: boolean;
  readonly command: Command;
}

/** Whether a comment of the intake names a member among those of what it delivers: “Payload: {event, case_id}”. */
function isSaid(name: string, { node, place, unit }: Command, model: Model): boolean {
  if (place.name !== "data_pipeline.source" || unit?.kind !== "workflow" || !hasComments(model)) return false;
  const intake = unit.intake?.target;
  if (intake?.type !== "webhook") return false;
  const comments = commentsAround(node, [intake.node]).map(({ value }) => value);
  return comments.some((text) => names(text, delivered, name)) && !isSaidOfAnswer(name, comments);
}

const names = (text: string, form: RegExp, name: string): boolean =>
  [...text.matchAll(form)].some(([, members]) => membersOf(members!).includes(name));

/** Whether something else than what is delivered is said to have a member of that name: it may be an answer. */
export const isSaidOfAnswer = (name: string, comments: readonly string[]): boolean =>
  comments.some((text) => names(text.replaceAll(delivered, ""), anyMembers, name));

const delivered =
  /\b(?:payloads?|deliver(?:y|ies)|delivers|callbacks?|notifications?|(?:hook|webhook|event)s? (?:sends?|posts?|brings?|carr(?:y|ies)))\b[^{}.]{0,40}\{([^{}]{0,200})\}/gi;
const anyMembers = /\{([^{}]{0,200})\}/g;

/** `event, case_id`, `event: "case.shipped", case_id` */
const membersOf = (text: string): readonly string[] =>
  text.split(",").map((each) => each.split(":")[0]!.replaceAll(/["'`?\s]/g, ""));

const found = derivedByPart(({ expansions }): readonly Found[] =>
  expansions.flatMap((expansion): Found[] => {
    const { root, rootExact, syntax, command, node } = expansion;
    const [, indexSegment, member] = syntax.path;
    if (root !== "piped_content" || !rootExact || syntax.problem !== undefined) return [];
    const pipe = command?.pipe;
    const index = Number(indexSegment?.text);
    if (command?.key !== "!jq" || pipe === undefined || index < 1 || index !== command.stepsRun) return [];
    const { program } = command;
    if (stepBefore(command)?.key !== "!http" || program === undefined || program.diagnostics.length > 0)
      return [];
    // The other reads of the same value by `.`, of other members: this one was to be something else.
    const { members, whole } = inputReads(program);
    if (whole || members.size === 0) return [];
    const at = { node, from: indexSegment!.start, to: indexSegment!.end };
    const isPayloads = (name: string): boolean => expansions.some((other) => isOf(other, pipe, "0", name));
    if (member === undefined) {
      // `${piped_content.1} as $change`: which members the variable has.
      const names = readOfVariable(expansion, program);
      const name = names.some((each) => members.has(each)) ? undefined : names.find(isPayloads);
      return name === undefined ? [] : [{ at, name, index, instead: 0, isKnown: true, command }];
    }
    if (members.has(member.text)) return [];
    const isKnown = isPayloads(member.text);
    return [{ at, name: member.text, index, instead: 0, isKnown, command }];
  }),
);

/** The members that are read of a variable that holds an expansion's value, and nothing else; none where it is read as a whole, too. */
function readOfVariable(expansion: Expansion, program: JqProgram): readonly string[] {
  const { holes } = program;
  const isIt = (node: Expression | undefined): boolean =>
    node?.kind === "Hole" && holes[node.hole]?.syntax.start === expansion.syntax.start;
  const reads = nodesOfKind(program, "Variable").filter((each) => isIt(boundTo(program, each)));
  const fields = nodesOfKind(program, "Postfix").flatMap(({ head, suffixes: [suffix] }) =>
    head.kind === "Variable" && reads.includes(head) && suffix?.kind === "Field" && suffix.key.kind === "Name"
      ? [suffix.key.text]
      : [],
  );
  return fields.length === reads.length ? fields : [];
}

function isOf(
  { root, rootExact, syntax, command }: Expansion,
  pipe: Command,
  index: string,
  name: string,
): boolean {
  const [, segment, member] = syntax.path;
  return (
    root === "piped_content" &&
    rootExact &&
    command?.pipe === pipe &&
    segment?.text === index &&
    member?.text === name
  );
}
