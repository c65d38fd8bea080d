import type { ObjectEntry, Suffix } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { givesOn } from "../../../flow/gives-on.ts";
import { bare, nodesIn, partAt, textAt } from "../../../flow/nodes.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { resolved } from "../../../flow/protocol/forms.ts";
import { type ValueReaders, valueReaders, valueReadersOf } from "../../../flow/protocol/value-readers.ts";
import { addedBy, type Made, madeBy } from "../../../flow/step-members.ts";
import { stepsOf } from "../../../flow/value-path.ts";
import type { StringPart } from "../../../parse/document.ts";
import { derivedByPart } from "../../by-part.ts";
import { changeTo } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { formsReadAsWhole, isFormReadingResolved } from "./form-readers.ts";

const unreadMember = defineRule<{ name: string; step: number }>({
  id: "unused/step-member",
  severity: "hint",
  tag: "unnecessary",
  summary: "Nothing reads this member of a step's object",
  why: "A step makes an object for later steps. A member that none of them reads has no effect. Often a different member or step is read by mistake.",
  guards: ["command.!pipe", "command.!jq", "D14"],
  message: ({ name, step }) => `Nothing reads \`${name}\` from the output of step ${step}.`,
  help: ({ name, step }) => `Read it as \`\${piped_content.${step}.${name}}\`, or remove it.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{title: .name, «note: [.name]»}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"title": "${piped_content.1.title}"}}}]}',
      good: '{"!pipe": [{"!jq": "{title: .name, note: [.name]}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"title": "${piped_content.1.title}", "note": "${piped_content.1.note}"}}}]}',
    },
  ],
});

const madeMember = defineRule<{ name: string; step: number; text: string }>({
  id: "unused/made-member",
  severity: "warning",
  summary: "A step works out a member that nothing reads",
  why: "Nobody computes a value, or puts a whole record into a member, for nothing. Where no later step takes it, one of them most likely reads another step or sends a constant: the record goes out without what was made for it.",
  guards: ["command.!pipe", "command.!jq", "D14"],
  message: ({ name, step, text }) =>
    `Step ${step} makes \`${name}\` of \`${text}\`, and nothing reads it from its output.`,
  because: ({ name, step }) => [`step ${step} makes \`${name}\` for later steps`, "no later step takes it"],
  help: ({ name, step }) => `Read it as \`\${piped_content.${step}.${name}}\`, or remove it.`,
  examples: [
    {
      title: "The request sends another step's output",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{list: ${custom_data.list.value}, «person: (. + {tags: []})»}"}, {"!http": {"method": "PUT", "path": "/lists/${piped_content.1.list}/people/${piped_content.0.email}", "body": {"email": "${piped_content.0.email}"}}}]}',
      good: '{"!pipe": [{"!jq": "{list: ${custom_data.list.value}, person: (. + {tags: []})}"}, {"!http": {"method": "PUT", "path": "/lists/${piped_content.1.list}/people/${piped_content.0.email}", "body": "${piped_content.1.person}"}}]}',
    },
  ],
});

const fieldWithoutEffect = defineRule<{ id: string; name: string; step: number }>({
  id: "unused/field-without-effect",
  severity: "warning",
  summary: "What a customer enters goes into a member that nothing reads",
  why: "A customer is asked for something, a step makes a value of it, and nothing takes that value. The answer has no effect, and nobody notices.",
  guards: ["command.!pipe", "select.form_fields", "D14"],
  message: ({ id, name, step }) =>
    `The form field \`${id}\` only goes into \`${name}\`, which nothing reads from the output of step ${step}.`,
  because: ({ id, name }) => [`a customer fills in \`${id}\``, `\`${name}\` is made of it and thrown away`],
  help: ({ name, step }) => `Send it as \`\${piped_content.${step}.${name}}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{person: ., «list: ${custom_data.list.value}», note: ${custom_data.note.value | default}}"}, {"!http": {"method": "POST", "path": "/people", "body": {"person": "${piped_content.1.person}", "note": "${piped_content.1.note}"}}}]}',
      good: '{"!pipe": [{"!jq": "{person: ., list: ${custom_data.list.value}, note: ${custom_data.note.value | default}}"}, {"!http": {"method": "POST", "path": "/people", "body": {"person": "${piped_content.1.person}", "list": "${piped_content.1.list}", "note": "${piped_content.1.note}"}}}]}',
    },
    {
      title: "Added before the object is built anew",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "if ${custom_data.note.value | default} == \\"\\" then . else . + {«note: ${custom_data.note.value | default}»} end"}, {"!jq": "{person: .id, list: ${custom_data.list.value}}"}, {"!http": {"method": "POST", "path": "/entries", "body": "${piped_content.3}"}}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "{person: .id, list: ${custom_data.list.value}}"}, {"!jq": "if ${custom_data.note.value | default} == \\"\\" then . else . + {note: ${custom_data.note.value | default}} end"}, {"!http": {"method": "POST", "path": "/entries", "body": "${piped_content.3}"}}]}',
    },
  ],
});

const otherStep = defineRule<{ name: string; index: number; instead: number }>({
  id: "reference/other-step",
  severity: "warning",
  summary: "An expansion reads a member that only another step's output has",
  why: "`piped_content` counts steps, so a number that is off by one reads a different value. Here an earlier step makes a member of that name, which nothing reads. The response most likely has none, so reading it fails for every record.",
  guards: ["expansion.piped_content", "D14"],
  message: ({ name, index, instead }) =>
    `\`piped_content.${index}\` is a response, but \`piped_content.${instead}\` has a \`${name}\` that nothing reads.`,
  because: ({ name, index, instead }) => [
    `\`piped_content.${instead}.${name}\` is made but never read`,
    `\`piped_content.${index}.${name}\` is read but never made`,
  ],
  help: ({ name, instead }) => `Write \`\${piped_content.${instead}.${name}}\`.`,
  examples: [
    {
      title: "D14",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{title: .name, note: .email}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"title": "${piped_content.1.title}"}}}, {"!http": {"method": "POST", "path": "/notes", "body": {"note": "${piped_content.«2».note}"}}}]}',
      good: '{"!pipe": [{"!jq": "{title: .name, note: .email}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"title": "${piped_content.1.title}"}}}, {"!http": {"method": "POST", "path": "/notes", "body": {"note": "${piped_content.1.note}"}}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{title: .name, note: .email}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"title": "${piped_content.1.title}"}}}, {"!http": {"method": "POST", "path": "/notes", "body": {"note": "${piped_content.1.note}"}}}]}',
    },
  ],
  fixes: ({ at, args: { instead } }, { document }) => [changeTo(document, at, `${instead}`, false)],
});

const chosenMember = defineRule<{ name: string; step: number }>({
  id: "unused/chosen-member",
  severity: "warning",
  summary: "The cases of a `!switch` choose a value that nothing reads",
  why: "Each case gives its own value under a name, and no later step takes it: records get none of it, such as their tags, whichever case ran.",
  guards: ["command.!pipe", "command.!switch", "command.!jq", "D14"],
  message: ({ name, step }) =>
    `Each case of step ${step} has its own \`${name}\`, but nothing reads it from the output.`,
  because: ({ name, step }) => [`step ${step} chooses \`${name}\` by the case`, "no later step takes it"],
  help: ({ name, step }) => `Read it as \`\${piped_content.${step}.${name}}\`, or remove it from the cases.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!switch": {"jq": "if .event == \\"paid\\" then 0 else 1 end", "cases": [{"!jq": "{state: \\"Customer\\", «tags: [\\"Paid\\"]»}"}, {"!jq": "{state: \\"Lead\\", tags: []}"}]}}, {"!jq": "{email: ${piped_content.0.email}, state: .state}"}]}',
      good: '{"!pipe": [{"!switch": {"jq": "if .event == \\"paid\\" then 0 else 1 end", "cases": [{"!jq": "{state: \\"Customer\\", tags: [\\"Paid\\"]}"}, {"!jq": "{state: \\"Lead\\", tags: []}"}]}}, {"!jq": "{email: ${piped_content.0.email}, state: .state, _tags: .tags}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unreadMember, madeMember, fieldWithoutEffect, chosenMember, otherStep],
  checks: {
    document(model, report) {
      const found = findingsIn(model);
      const lost = found.some(({ read }) => read.length > 0) ? fieldsLostIn(found, model) : new Map();
      for (const each of found) {
        const { at, name, step, instead } = each;
        const id = lost.get(each);
        if (instead !== undefined) report(otherStep, at, { name, index: step, instead });
        else if (id !== undefined) report(fieldWithoutEffect, at, { id, name, step });
        else if (each.isChosen === true) report(chosenMember, at, { name, step });
        else if (each.text !== undefined) report(madeMember, at, { name, step, text: each.text });
        else report(unreadMember, at, { name, step });
      }
    },
  },
};
export default module;

/** Whether the number of a step is told to be another one's: then that says all. */
export function isOtherStep({ node, from }: StringPart, model: Model): boolean {
  const others = otherSteps(model);
  return others.size > 0 && others.has(placeOf(node, from));
}

const otherSteps = derived(
  (model): ReadonlySet<string> =>
    new Set(
      findingsIn(model).flatMap(({ at, instead }) =>
        instead === undefined ? [] : [placeOf(at.node, at.from)],
      ),
    ),
);
const placeOf = (node: StringPart["node"], from: number): string => `${node.start} ${from}`;

interface Found {
  readonly at: StringPart;
  readonly name: string;
  /** The index of the step that is read, or of the one that makes what nothing reads. */
  readonly step: number;
  /** The index that is meant. */
  readonly instead: number | undefined;
  /** The cases of a switch choose it. */
  readonly isChosen?: boolean;
  /** Of a value that is worked out, not copied: how it is written. */
  readonly text?: string | undefined;
  /** What the member is made of. */
  readonly read: readonly Expansion[];
}

/** The form fields that are read for members only that nothing reads, by the member that is told. */
function fieldsLostIn(found: readonly Found[], model: Model): ReadonlyMap<Found, string> {
  const lost = new Map<Found, string>();
  if (!isFormReadingResolved(model)) return lost;
  const whole = formsReadAsWhole(model);
  const thrownAway = new Set(found.flatMap(({ instead, read }) => (instead === undefined ? read : [])));
  for (const each of found)
    for (const { root, fields, syntax } of each.read) {
      const [field, ...others] = fields;
      if (root !== "custom_data" || field === undefined || others.length > 0) continue;
      if (whole.has(field.workflow) || lost.has(each)) continue;
      const readers = model.expansions.filter((expansion) => expansion.fields.includes(field));
      if (readers.every((reader) => thrownAway.has(reader))) lost.set(each, syntax.path[1]?.text ?? "");
    }
  return lost;
}

const findingsIn = derivedByPart((part, model): readonly Found[] => {
  const { expansions, commands } = part;
  // Most parts have no step that makes an object for others than the next one.
  if (!commands.some(makesForOthers)) return [];
  const readers = valueReadersOf(part, model);
  let known: ValueReaders | undefined;
  // What a condition asks for isn't taken by that: whether a record was found.
  const takers = (): ValueReaders =>
    (known ??= valueReaders({
      expansions: expansions.filter(({ command }) => command?.key !== "!switch"),
      commands: commands.filter(({ key }) => key !== "!switch"),
    }));
  const told = new Set<string>();
  const found: Found[] = [];
  for (const expansion of expansions) {
    const meant = meantStep(expansion, readers, takers);
    const segment = expansion.syntax.path[1];
    if (meant === undefined || segment === undefined) continue;
    const { name, index, instead, step } = meant;
    told.add(`${step.node.start} ${name}`);
    const at = { node: expansion.node, from: segment.start, to: segment.end };
    found.push({ at, name, step: index, instead, read: [] });
  }
  for (const command of commands) {
    const { stepsRun, node } = command;
    found.push(...unreadAdditions(command, readers));
    const ways = makesForOthers(command) ? madeBy(command) : undefined;
    if (ways === undefined) continue;
    for (const made of unread(command, ways, readers)) {
      const { name, entry, program } = made;
      if (told.has(`${node.start} ${name}`)) continue;
      const isOneOfCases = isChosen(name, ways);
      if (command.key === "!switch" && !isOneOfCases) continue;
      const at = { node: program.node, from: entry.start, to: entry.end };
      const read = nodesIn(entry).flatMap((node) =>
        node.kind === "Hole" ? (program.holes[node.hole] ?? []) : [],
      );
      const text = workedOut(entry, program);
      found.push({ at, name, step: stepsRun + 1, instead: undefined, isChosen: isOneOfCases, text, read });
    }
  }
  return found;
});

/** What a step adds to an object of which a later one takes other members only; it may add it in some case only. */
function unreadAdditions(command: Command, readers: ValueReaders): readonly Found[] {
  const { key, program, stepsRun } = command;
  if (key !== "!jq" || program === undefined || program.diagnostics.length > 0) return [];
  const added = makesForOthers(command) ? (addedBy(program) ?? []) : [];
  if (added.length === 0) return [];
  const { members, whole } = readers.of(command);
  if (whole || members.size === 0) return [];
  const unread = added.filter(({ name }) => !members.has(name));
  // Where none of it is read, the conditions are for nothing, too.
  const isAll = unread.length === added.length;
  return unread.map(({ name, node }) => ({
    at: partAt(program, node),
    name,
    step: stepsRun + 1,
    instead: undefined,
    read: isAll
      ? program.holes
      : nodesIn(node).flatMap((each) => (each.kind === "Hole" ? (program.holes[each.hole] ?? []) : [])),
  }));
}

/**
 * How a value is written that is made, not handed on or fixed: computed of others, or a whole record as it came. `$day` is what it was
 * bound to.
 */
function workedOut({ key, value }: ObjectEntry, program: JqProgram): string | undefined {
  const given = resolved(value ?? (key.kind === "Variable" ? key : undefined), program);
  if (given === undefined) return undefined;
  const node = bare(given);
  const isCopy =
    node.kind === "Hole" ||
    node.kind === "Variable" ||
    node.kind === "Array" ||
    constantOf(node) !== undefined ||
    (node.kind === "Postfix" && !node.suffixes.some(isCut) && stepsOf(node.suffixes) !== undefined) ||
    (node.kind === "Alternative" &&
      node.operands.slice(1).every((each) => constantOf(bare(each)) !== undefined));
  return isCopy ? undefined : excerpt(textAt(node, program));
}

/** `[0:10]`, which gives a part of a text. */
const isCut = ({ kind }: Suffix): boolean => kind === "Slice";

/** What steps of a part make that nothing reads, where something reads others of the same object. */
export function unreadMembers(
  part: Part,
  model: Model,
): readonly { readonly step: Command; readonly made: Made }[] {
  const { commands } = part;
  if (!commands.some(makesForOthers)) return [];
  const readers = valueReadersOf(part, model);
  return commands.flatMap((step) =>
    makesForOthers(step) && (step.key === "!jq" || madeBy(step)?.length === 1)
      ? unread(step, madeBy(step), readers).map((made) => ({ step, made }))
      : [],
  );
}

/** Whether a step makes something behind which others stand; what a last step gives is the pipe's own, and `!save` takes all. */
function makesForOthers({ key, pipe, parent, stepsRun }: Command): boolean {
  if ((key !== "!jq" && key !== "!switch") || pipe === undefined || parent !== pipe) return false;
  const { children } = pipe;
  if (children[stepsRun + 1]?.key === "!save") return false;
  // What steps that give it on stand behind is the pipe's own, too. Looked for from the end: the last one nearly always takes something.
  return children.findLastIndex((step) => step !== undefined && !givesOn(step)) > stepsRun;
}

/** The members of a step's object that nothing reads, where something reads others of it; a step that nobody reads is told as a whole. */
function unread(
  step: Command,
  ways: readonly (readonly Made[])[] | undefined,
  readers: ValueReaders,
): readonly Made[] {
  const { members, whole } = readers.of(step);
  if (ways === undefined || whole || members.size === 0) return [];
  const found = new Map<string, Made>();
  for (const made of ways.flat())
    if (!members.has(made.name) && !found.has(made.name)) found.set(made.name, made);
  return [...found.values()];
}

/** Whether each way has a member of that name, with another value in some: the cases choose it. */
function isChosen(name: string, ways: readonly (readonly Made[])[]): boolean {
  const texts = ways.map((way) => {
    const made = way.find((each) => each.name === name);
    return made === undefined ? undefined : textAt(made.entry, made.program);
  });
  return texts.every((text) => text !== undefined) && new Set(texts).size > 1;
}

/** `.customers[0]`: a record as it was found. */
const picksOne = ({ node }: JqProgram): boolean =>
  /^\s*(?:first\()?\.\w[\w.]*(?:\[0\]|\s*\|\s*(?:first|\.\[0\])|\[\]\))\s*$/.test(node.value);

/** Whether a step gives what an API answered, whichever way was taken. */
function isResponse({ key, children, program }: Command): boolean {
  if (key === "!http") return true;
  if (key === "!jq") return program !== undefined && picksOne(program);
  if (key === "!pipe") {
    const last = children.at(-1);
    return last !== undefined && isResponse(last);
  }
  const ways = children.filter((each) => each?.key !== "!error");
  return key === "!switch" && ways.length > 0 && ways.every((each) => each !== undefined && isResponse(each));
}

/** The step of which an expansion that reads of a response is most likely meant to read. */
function meantStep(
  { root, rootExact, syntax, command }: Expansion,
  readers: ValueReaders,
  takers: () => ValueReaders,
):
  | { readonly name: string; readonly index: number; readonly instead: number; readonly step: Command }
  | undefined {
  const [, indexSegment, member] = syntax.path;
  if (root !== "piped_content" || !rootExact || syntax.problem !== undefined || member === undefined)
    return undefined;
  const pipe = command?.pipe;
  const index = Number(indexSegment?.text);
  if (pipe === undefined || command === undefined || syntax.filters.length > 0) return undefined;
  const stepAt = (each: number): Command | undefined =>
    each === 0 ? stepBefore(pipe) : pipe.children[each - 1];
  const read = stepAt(index);
  if (read === undefined || !isResponse(read)) return undefined;
  const isPart = syntax.path.length > 3;
  for (const instead of nearestTo(index, command.stepsRun)) {
    const step = stepAt(instead);
    if (step?.key !== "!jq") continue;
    // An answer has an `id` of its own; further away only a name that somebody made up says what is meant.
    if (Math.abs(instead - index) > 1 && !isPart && !/[_A-Z]/.test(member.text)) continue;
    const ways = madeBy(step);
    const isUnread = (by: ValueReaders): boolean =>
      unread(step, ways, by).some(({ name }) => name === member.text);
    if (isUnread(readers) || (isPart && isUnread(takers())))
      return { name: member.text, index, instead, step };
  }
  return undefined;
}

/** The indexes of all other steps, the nearest first: most slips are by one. */
function nearestTo(index: number, last: number): readonly number[] {
  const others = Array.from({ length: last + 1 }, (_, at) => at).filter((at) => at !== index);
  return others.sort((a, b) => Math.abs(a - index) - Math.abs(b - index));
}
