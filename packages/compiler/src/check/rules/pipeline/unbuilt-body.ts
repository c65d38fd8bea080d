import type { Expression } from "@configc/jq";
import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentedBelow, commentsAround } from "../../../flow/documented-words.ts";
import { bare, nodesIn } from "../../../flow/nodes.ts";
import { isPlural, mayBeSame, nounOf } from "../../../flow/nouns.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { stepAt, stepBefore } from "../../../flow/producers.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { readsInput } from "../../../flow/protocol/reads-input.ts";
import { nameOfPath } from "../../../flow/record-kind.ts";
import { resultsOf } from "../../../flow/result.ts";
import type { StringPart } from "../../../parse/document.ts";
import { type JsonNode, textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart, ofPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";
import { allNames } from "../../message-text.ts";
import { type BuiltRecord, memberMade, movedIn, recordsIn } from "./built-records.ts";
import { convertedIn } from "./converted-member.ts";

const unbuiltBody = defineRule<{ sent: string; built: string; moved: string; instead: string }>({
  id: "pipeline/unbuilt-body",
  severity: "warning",
  summary: "One case sends what a step has built, another one what it was built from",
  why: "A service takes a record in one form, whether it is made or changed. What a step puts below other names is in its place only in what that step gives. A request with the values as they came is refused, or changes nothing: the records that are there never get the new values.",
  guards: ["expansion.piped_content", "command.!switch", "D14"],
  message: ({ sent, built, moved }) =>
    `Another case of this \`!switch\` sends \`${built}\`. Here \`${sent}\` is sent, which has \`${moved}\` where the built record has none.`,
  because: ({ built, moved }) => [
    `\`${built}\` has \`${moved}\` in another place, or under another name`,
    "the service finds nothing where it looks",
  ],
  help: ({ instead }) => `Send \`${instead}\`.`,
  fixes: ({ at, args }, { document }) => rewriteTo({ at, args }, document),
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{person: {mail: .email, full_name: .name}}"}, {"!http": {"path": "/people", "params": {"mail": "${piped_content.1.person.mail}"}}}, {"!jq": "{id: .people[0].id}"}, {"!switch": {"jq": "if .id == null then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}, {"!http": {"method": "PATCH", "path": "/people/${piped_content.3.id}", "body": "«${piped_content.0}»"}}]}}]}',
      good: '{"!pipe": [{"!jq": "{person: {mail: .email, full_name: .name}}"}, {"!http": {"path": "/people", "params": {"mail": "${piped_content.1.person.mail}"}}}, {"!jq": "{id: .people[0].id}"}, {"!switch": {"jq": "if .id == null then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}, {"!http": {"method": "PATCH", "path": "/people/${piped_content.3.id}", "body": "${piped_content.1}"}}]}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{person: {mail: .email, full_name: .name}}"}, {"!http": {"path": "/people", "params": {"mail": "${piped_content.1.person.mail}"}}}, {"!jq": "{id: .people[0].id}"}, {"!switch": {"jq": "if .id == null then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}, {"!http": {"method": "PATCH", "path": "/people/${piped_content.3.id}", "body": "${piped_content.1}"}}]}}]}',
    },
  ],
});

const person = (body: string): string =>
  `{"!pipe": [{"!jq": ". + {email: (.email | ascii_downcase)}"}, {"!http": {"path": "/people", "params": {"email": "\${piped_content.1.email}"}}}, {"!switch": {"jq": "if .people == [] then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": "${body}"}}, {"!http": {"method": "PATCH", "path": "/people/\${piped_content.2.people.0.id}", "body": "\${piped_content.1}"}}]}}]}`;

const unconverted = defineRule<{ sent: string; built: string; name: string; instead: string }>({
  id: "pipeline/unconverted-body",
  severity: "warning",
  summary: "One case sends a value in the form that the service takes, another one as it came",
  why: "A step turns a value into the form that the service takes: a date the other way round, an amount in cents. A request that sends the record from before that step is refused, or the service takes the value for another one.",
  guards: ["expansion.piped_content", "command.!switch", "D14"],
  message: ({ sent, built, name }) =>
    `Another case of this \`!switch\` sends \`${built}\`, in which \`${name}\` has another form. Here \`${sent}\` is sent, with \`${name}\` as it came.`,
  because: ({ built, name }) => [
    `the step that gives \`${built}\` converts \`${name}\``,
    "the other case sends that to the same list of records",
    `here \`${name}\` isn't converted`,
  ],
  help: ({ instead }) => `Send \`${instead}\`.`,
  fixes: ({ at, args }, { document }) => rewriteTo({ at, args }, document),
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: person("«${piped_content.0}»"),
      good: person("${piped_content.1}"),
      fixed: person("${piped_content.1}"),
    },
  ],
});

const choice = (
  lead: string,
  changed = "${piped_content.2.lead}",
  added = "list_id: ${custom_data.list.value}",
): string =>
  `{"!pipe": [{"!http": {"path": "/leads", "params": {"email": "\${piped_content.0.email}"}}}, {"!jq": "{id: (.leads[0].id // null), lead: (\${piped_content.0} + {${added}})}"}, {"!switch": {"jq": "if .id == null then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/leads", "body": {"lead": "${lead}"}}}, {"!http": {"method": "PATCH", "path": "/leads/\${piped_content.2.id}", "body": {"lead": "${changed}"}}}]}}]}`;

const worked = "lists: [${custom_data.list.value}]";

const unchosen = defineRule<{
  sent: string;
  built: string;
  fields: readonly string[];
  isNew: true | undefined;
}>({
  id: "pipeline/made-without-choice",
  severity: "warning",
  summary: "One case sends a record with what the customer chose, another one as it came",
  why: "A step adds what the customer chose to the record, for both the request that makes it and the one that changes it. If one of them sends only what came, every new record lacks the choice, or those that are there never get it.",
  guards: ["expansion.piped_content", "command.!switch", "D14"],
  message: ({ sent, built, fields }) =>
    `Another case of this \`!switch\` sends \`${built}\`. Here \`${sent}\` is sent, which lacks what customers choose in ${allNames(fields)}.`,
  because: ({ fields, isNew }) => [
    `a customer chooses something in ${allNames(fields)}`,
    isNew ? "a record that is changed gets it" : "a new record gets it",
    isNew ? "a new one doesn't" : "one that is there doesn't",
  ],
  help: ({ built }) => `Send \`${built}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      title: "A new record lacks it",
      bad: choice("«${piped_content.0}»"),
      good: choice("${piped_content.2.lead}"),
    },
    {
      title: "A record that is there lacks it",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: choice("${piped_content.2.lead}", "«${piped_content.0}»", worked),
      good: choice("${piped_content.2.lead}", undefined, worked),
    },
  ],
});

const module: RuleModule = {
  rules: [unbuiltBody, unconverted, unchosen],
  checks: {
    document(model, report) {
      for (const { at, moved, ...args } of unbuilt(model)) report(unbuiltBody, at, { ...args, moved });
      for (const { at, moved, ...args } of notConverted(model))
        report(unconverted, at, { ...args, name: moved });
      for (const { at, ...args } of withoutChoice(model)) report(unchosen, at, args);
    },
  },
};
export default module;

/** What a request that writes sends as its body, or as one member of it. */
export interface SentBody {
  readonly expansion: Expansion;
  readonly around: Command;
  readonly asked: string;
  /** `body`, or the member that has it. */
  readonly slot: string;
  /** The step that gives it; undefined for the input of the outermost pipe. */
  readonly step: Command | undefined;
  /** Names of the members below what the step gives. */
  readonly below: readonly string[];
  readonly isNew: boolean;
}

/** Those of a part: few have a `!switch` whose cases send something. */
export const sentBodies = (part: Part, model: Model): readonly SentBody[] =>
  ofPart(part, model, sentBodies, () => part.expansions.flatMap(sentBody));

const unbuilt = derivedByPart((part, model) =>
  sentFromBefore(
    sentBodies(part, model),
    movedIn,
    (one, other) => one.asked === other.asked || isForeignAnswer(one),
  ),
);
const notConverted = derivedByPart((part, model) =>
  sentFromBefore(
    sentBodies(part, model),
    (record, from) => (movedIn(record, from) === undefined ? convertedIn(record, from) : undefined),
    (one, other) => one.asked === other.asked,
  ),
);

/**
 * Where a case sends what a step was given, and another one what that step made of it.
 *
 * @param changed a member of what the step was given that is somewhere else, or another, in what it made
 * @param isAlike whether two requests take records in one form
 */
function sentFromBefore(
  sent: readonly SentBody[],
  changed: (record: BuiltRecord, from: Command | undefined) => string | undefined,
  isAlike: (one: SentBody, other: SentBody) => boolean,
) {
  const siblings = bySwitch(sent);
  return sent.flatMap((one) => {
    if (one.below.length > 0) return [];
    for (const other of siblings.get(one.around) ?? []) {
      if (other.expansion.command === one.expansion.command) continue;
      if (other.slot !== one.slot || other.step === one.step || !isAlike(one, other)) continue;
      for (const record of recordsIn(other.step, other.below)) {
        const moved = changed(record, one.step);
        if (moved === undefined) continue;
        const { node, syntax, command } = one.expansion;
        const place = indexOf(record.step, command!);
        const at: StringPart = { node, from: syntax.start, to: syntax.end };
        const built =
          place === undefined
            ? pathText(other.expansion)
            : ["piped_content", place, ...record.below].join(".");
        const [open, close] = [node.value.slice(0, 2), node.value.slice(-1)];
        return [{ at, sent: pathText(one.expansion), built, moved, instead: `${open}${built}${close}` }];
      }
    }
    return [];
  });
}

/**
 * Whether what is sent is all that was answered about a record of another kind: what was built of it has its id, but it is no such record
 * itself, to whichever list it goes.
 */
function isForeignAnswer({ step, below, asked }: SentBody): boolean {
  const given = step === undefined || below.length > 0 ? [] : resultsOf(step);
  const answers = given.filter(({ key }) => key !== "!error");
  return (
    // Behind a record something is done with it: `/riders/1/copy`.
    isPlural(asked) &&
    answers.length > 0 &&
    answers.every(({ key, argument }) => {
      const list = key === "!http" ? nameOfPath(textOf(argument, "path") ?? "") : undefined;
      const noun = list === undefined ? undefined : nounOf(list);
      return noun !== undefined && !mayBeSame(noun, nounOf(asked) ?? noun);
    })
  );
}

const withoutChoice = derivedByPart((part, model) => {
  const { expansions } = part;
  const sent = sentBodies(part, model);
  const siblings = bySwitch(sent);
  return sent.flatMap((one) => {
    const { node, syntax, command } = one.expansion;
    if (!one.isNew && keepsSaid(command!)) return [];
    const read = new Set(expansions.filter((each) => each.command === command).flatMap(fieldRead));
    for (const other of siblings.get(one.around) ?? []) {
      if (other.slot !== one.slot || other.asked !== one.asked || other.step === one.step) continue;
      const isAlike = other.isNew === one.isNew && !isSentByAll(siblings.get(one.around) ?? [], one);
      if (isAlike && !one.isNew) continue;
      const fields = choicesAdded(other, one);
      if (isAlike && !asksOfOthers(one.around, fields)) continue;
      // The list that a record is put into is often named only where it is made; what is worked out is a property.
      if (!one.isNew && !isWorkedOut(other)) continue;
      if (fields.length === 0 || fields.some((field) => read.has(field))) continue;
      const at: StringPart = { node, from: syntax.start, to: syntax.end };
      const isNew = one.isNew ? true : undefined;
      return [{ at, sent: pathText(one.expansion), built: pathText(other.expansion), fields, isNew }];
    }
    return [];
  });
});

/** Whether a `!switch` asks for nothing but other choices than these: then these hold for each of its cases. */
function asksOfOthers({ program }: Command, fields: readonly string[]): boolean {
  if (program === undefined || program.diagnostics.length > 0 || readsInput(program)) return false;
  const asked = program.holes.map((hole) => fieldRead(hole)[0]);
  return asked.length > 0 && asked.every((field) => field !== undefined && !fields.includes(field));
}

/** Whether all other cases, several of them, send the same. */
function isSentByAll(all: readonly SentBody[], one: SentBody): boolean {
  const others = all.filter(({ expansion }) => expansion.command !== one.expansion.command);
  const texts = new Set(others.map(({ expansion }) => pathText(expansion)));
  return others.length > 1 && texts.size === 1 && one.around.children.length === others.length + 1;
}

/** Whether a comment says that a record that is there keeps something: then a change may leave it out on purpose. */
const keepsSaid = ({ node, parent }: Command): boolean =>
  commentsAround(node, [...commentedBelow(parent?.node ?? node)]).some(({ value }) => keeps.test(value));
const keeps =
  /\b(?:keeps?|kept|leaves?|left|stays?|untouched|unchanged|as (?:it|they) (?:is|are|was|were)|not overwritten|only (?:for|when|if|at|on) (?:new|the first|creat))|\b(?:new|existing|known) (?:ones?|\w+s)\b/i;

export function bySwitch(sent: readonly SentBody[]): ReadonlyMap<Command, readonly SentBody[]> {
  const found = new Map<Command, SentBody[]>();
  for (const each of sent) {
    const known = found.get(each.around);
    if (known === undefined) found.set(each.around, [each]);
    else known.push(each);
  }
  return found;
}

const pathText = ({ syntax }: Expansion): string => syntax.path.map(({ text }) => text).join(".");

const fieldRead = ({ root, syntax }: Pick<Expansion, "root" | "syntax">): readonly string[] =>
  root === "custom_data" && syntax.path[1] !== undefined ? [syntax.path[1].text] : [];

/** The form fields whose values a step adds to what another one gives, or to a part of that. */
function choicesAdded({ step, below }: SentBody, { step: from, below: part }: SentBody): readonly string[] {
  const program = step?.key === "!jq" ? step.program : undefined;
  if (step === undefined || program === undefined || program.diagnostics.length > 0) return [];
  let made: Expression | undefined = plainBody(program);
  for (const name of below) made = made === undefined ? undefined : memberMade(made, name);
  if (made === undefined) return [];
  const nodes = nodesIn(made);
  const given = nodes.map((node) => (node.kind === "Variable" ? (boundTo(program, node) ?? node) : node));
  const members = new Set<string>();
  const isOfRecord = (node: (typeof given)[number]): boolean => {
    const hole = node.kind === "Hole" ? program.holes[node.hole] : undefined;
    if (hole === undefined)
      return part.length === 0 && below.length === 0 && node === made && stepBefore(step) === from;
    const [, index, ...names] = hole.syntax.path.map(({ text }) => text);
    if (hole.root !== "piped_content" || !isGivenBy(stepAt(step, Number(index)), from)) return false;
    if (names.join("\n") === part.join("\n")) return true;
    // It is built anew of several of its members.
    const isMember = names.length === part.length + 1 && part.every((name, at) => names[at] === name);
    return isMember && members.add(names.at(-1)!).size > 1;
  };
  const takesInput =
    part.length === 0 &&
    stepBefore(step) === from &&
    nodes.some(
      (node) => node.kind === "Identity" || (node.kind === "Arithmetic" && node.first.kind === "Identity"),
    );
  if (!takesInput && !given.some(isOfRecord)) return [];
  const fields = given.flatMap((node) => {
    const hole = node.kind === "Hole" ? program.holes[node.hole] : undefined;
    return hole === undefined ? [] : fieldRead(hole);
  });
  return [...new Set(fields)];
}

/** Whether something that a customer chose is converted in what a step makes, not just handed on under a name. */
function isWorkedOut({ step, below }: SentBody): boolean {
  const program = step?.key === "!jq" ? step.program : undefined;
  if (program === undefined) return false;
  let made: Expression | undefined = plainBody(program);
  for (const name of below) made = made === undefined ? undefined : memberMade(made, name);
  const nodes = made === undefined ? [] : nodesIn(made);
  const handedOn = new Set(
    nodes.flatMap((node) => (node.kind === "Entry" && node.value !== undefined ? [bare(node.value)] : [])),
  );
  return nodes.some((node) => {
    if ((node.kind !== "Hole" && node.kind !== "Variable") || handedOn.has(node)) return false;
    const source = node.kind === "Variable" ? boundTo(program, node) : node;
    const hole = source?.kind === "Hole" ? program.holes[source.hole] : undefined;
    return hole?.root === "custom_data";
  });
}

/** Whether what a step gives is what another one gave, cleaned at most of what is empty. */
function isGivenBy(step: Command | undefined, from: Command | undefined): boolean {
  if (step === from) return true;
  const body = step?.key === "!jq" && step.program !== undefined ? plainBody(step.program) : undefined;
  const isHandedOn =
    body?.kind === "Identity" || (body?.kind === "Call" && body.name.text === "with_entries");
  return step !== undefined && isHandedOn && stepBefore(step) === from;
}

function sentBody(expansion: Expansion): readonly SentBody[] {
  const { root, rootExact, syntax, node, command } = expansion;
  if (root !== "piped_content" || !rootExact || command?.key !== "!http" || syntax.path.length < 2) return [];
  if (syntax.start !== 0 || syntax.end !== node.value.length || syntax.filters.length > 0) return [];
  const around = caseOf(command);
  const method = textOf(command.argument, "method") ?? "";
  if (around === undefined || !/^(?:POST|PUT|PATCH)$/i.test(method)) return [];
  const asked = nameOfPath(textOf(command.argument, "path") ?? "");
  const slot = slotOf(node, command);
  if (asked === undefined || slot === undefined) return [];
  const index = Number(syntax.path[1]?.text);
  const below = syntax.path.slice(2).map(({ text }) => text);
  const step = stepAt(command, index);
  return index > 0 && command.pipe?.children[index - 1] === undefined
    ? []
    : [{ expansion, around, asked, slot, step, below, isNew: makesNew(command, method) }];
}

/** The `!switch` of which a request, or the pipe around it, is a case. */
function caseOf(command: Command): Command | undefined {
  const { parent } = command;
  if (parent?.key === "!switch") return parent;
  return parent?.key === "!pipe" && parent.parent?.key === "!switch" ? parent.parent : undefined;
}

/** Whether a request makes a record: of a GraphQL mutation its name says it, as all of them are posted. */
function makesNew({ argument }: Command, method: string): boolean {
  const query = textOf(argument?.kind === "object" ? argument.get("body") : undefined, "query");
  // Some services change a record by a POST to it: `POST /customers/12`.
  if (query === undefined) return /^POST$/i.test(method) && !/[}>]$/.test(textOf(argument, "path") ?? "");
  return /^[^{]*\{\s*(?:\w+\s*:\s*)?(?:\w+_)?(?:create|insert|add|new|register)/i.test(query);
}

/** Where in a body a value stands: at its root, or below names. */
function slotOf(node: JsonNode, command: Command): string | undefined {
  const body = command.argument?.kind === "object" ? command.argument.get("body") : undefined;
  const names: string[] = [];
  for (let at: JsonNode | undefined = node; at !== undefined && at !== body; at = at.parent?.parent) {
    if (at.parent?.kind !== "member") return undefined;
    names.unshift(at.parent.name);
    if (names.length > DEEPEST) return undefined;
  }
  return body === undefined ? undefined : ["body", ...names].join(".");
}

const DEEPEST = 4;

/** Where a step's output is, from a command in or below its pipe; undefined where the innermost pipe has it under no number. */
function indexOf(step: Command, { pipe, stepsRun }: Command): number | undefined {
  const at = pipe?.children.indexOf(step) ?? -1;
  if (at >= 0 && at < stepsRun) return at + 1;
  return pipe !== undefined && stepBefore(pipe) === step ? 0 : undefined;
}
