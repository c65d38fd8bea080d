import type {
  Command,
  Expansion,
  IntakeSymbol,
  JqProgram,
  WorkflowSymbol,
} from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import type { Part } from "../../../bind/part.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, isSecretName } from "../../../flow/id-names.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { expansionTrails, type Trail, trailsOf } from "../../../flow/origin.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { valueReadersOf } from "../../../flow/protocol/value-readers.ts";
import { nameOfPath } from "../../../flow/record-kind.ts";
import { resultsOf } from "../../../flow/result.ts";
import type { StringPart } from "../../../parse/document.ts";
import { type StringNode, textOf } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { requestText } from "../pipeline/courses.ts";

const otherAnswer = defineRule<{
  member: string;
  envelope: string;
  asked: string;
  other: string | undefined;
}>({
  id: "value/other-answer",
  severity: "warning",
  summary: "A member is read where the answer most likely doesn't have it",
  why: 'Many services wrap what they answer: `{"person": {"id": 1}}`. If one place reads an answer by its wrapper and another one beside it, or reads the wrapper of another request\'s answer, one of the two gets null: an id that is never saved, or a record that isn\'t found.',
  guards: ["command.!http", "expansion.piped_content", "D14"],
  message: ({ member, envelope, asked, other }) =>
    other === undefined
      ? `Elsewhere, \`.${envelope}\` is read from the answer to \`${asked}\`. \`.${member}\` is most likely inside it, not beside it.`
      : `Elsewhere, \`.${envelope}\` is read from the answer to \`${asked}\`. \`.${member}\` is in the answer to \`${other}\`.`,
  because: ({ member, envelope, asked, other }) => [
    `\`${asked}\` answers \`{"${envelope}": …}\``,
    other === undefined
      ? `so \`.${member}\` is null, and \`.${envelope}.${member}\` isn't`
      : `\`${other}\` answers \`{"${member}": …}\``,
  ],
  help: ({ member, envelope, other }) =>
    other === undefined ? `Read \`.${envelope}.${member}\`.` : `Read the step that sends \`${other}\`.`,
  examples: [
    {
      title: "Beside the wrapper",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!http": {"path": "/people/${piped_content.0.person_id}"}}, {"!jq": "{email: .person.email, customer_number: «.id»}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/people/${piped_content.0.person_id}"}}, {"!jq": "{email: .person.email, customer_number: .person.id}"}]}',
    },
    {
      title: "Beside the resource of a JSON:API document",
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection",
      bad: '{"!pipe": [{"!http": {"path": "/users/current"}}, {"!jq": "{account_id: «.id», description: .data.attributes.name}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/users/current"}}, {"!jq": "{account_id: .data.id, description: .data.attributes.name}"}]}',
    },
    {
      title: "The answer of another step",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!http": {"path": "/orders/${piped_content.0.order_id}"}}, {"!http": {"path": "/clients/${piped_content.1.order.client_id}"}}, {"!jq": "{email: .client.email, total: ${piped_content.2.«order».total}}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/orders/${piped_content.0.order_id}"}}, {"!http": {"path": "/clients/${piped_content.1.order.client_id}"}}, {"!jq": "{email: .client.email, total: ${piped_content.1.order.total}}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherAnswer],
  checks: {
    intake: (intake, report, model) => checkAnswers(intake, report, model),
    workflow: (workflow, report, model) => checkAnswers(workflow, report, model),
  },
};
export default module;

/** What a record has as its own, and no answer beside it. */
const isOwnId = /^(?:id|uid|uuid|no|ref)$/;

/** A request, and the member in which its answer has the record or the list that it is about. */
interface Wrapped {
  readonly request: Command;
  readonly envelope: string;
  readonly members: ReadonlySet<string>;
}

function checkAnswers(unit: IntakeSymbol | WorkflowSymbol, report: Report, model: Model): void {
  const part = partOfUnit(unit, model);
  const wrapped = wrappedIn(part, model);
  // A `!switch` has the answers of several requests.
  const told = new Set<string>();
  for (const { at, ...args } of [...ofUnreadAnswers(part, model), ...ofUnreadSecrets(part, model)]) {
    told.add(`${at.node.start} ${at.from}`);
    report(otherAnswer, at, args);
  }
  for (const { request, envelope, members } of wrapped)
    for (const member of members) {
      if (member === envelope) continue;
      const other = wrapped.find((each) => each.request !== request && each.envelope === member);
      if (other === undefined ? !isOwnId.test(member) : !comesBefore(other.request, request)) continue;
      // A record of its own list may have such a member.
      if (other?.members.has(envelope) === true) continue;
      if (isReadBothWays(member, envelope, request, part, model)) continue;
      const args = {
        member,
        envelope,
        asked: requestText(request),
        other: other && requestText(other.request),
      };
      for (const at of readsOf(member, request, part, model)) {
        const place = `${at.node.start} ${at.from}`;
        if (!told.has(place)) report(otherAnswer, at, args);
        told.add(place);
      }
    }
}

/**
 * Ids that are read of one answer, where nothing reads the answer to the request that is called like them: `piped_content.1.licence.key`, where
 * step 1 gives a learner and step 2 posts to `/licences`.
 */
function ofUnreadAnswers(part: Part, model: Model) {
  const readers = valueReadersOf(part, model);
  return part.expansions.flatMap(({ root, rootExact, syntax, node, command }) => {
    const [, index, member, tail, ...others] = syntax.path;
    const pipe = command?.pipe;
    if (root !== "piped_content" || !rootExact || tail === undefined || others.length > 0) return [];
    if (pipe === undefined || command?.key !== "!http" || !isOfRecord(tail.text)) return [];
    // What was there before is removed once there is a new one.
    if (isOfBefore(command, node)) return [];
    const read = pipe.children[Number(index?.text) - 1];
    const word = lastWord(member!.text);
    const answered = read === undefined ? [] : resultsOf(read).filter(({ key }) => key !== "!error");
    const [asked] = answered;
    if (read === undefined || asked === undefined) return [];
    if (answered.some((each) => each.key !== "!http" || nounsOf(each).includes(word))) return [];
    // What else is read of it says what it gives.
    const envelope = [...readers.of(read).members].find((name) => name !== member!.text);
    if (envelope === undefined) return [];
    const other = pipe.children.slice(0, command.stepsRun).find((step) => {
      if (step === undefined || step === read) return false;
      const { members, whole } = readers.of(step);
      const made = resultsOf(step).filter(({ key }) => key !== "!error");
      return !whole && members.size === 0 && made.length > 0 && made.every((each) => isMaker(each, word));
    });
    if (other === undefined) return [];
    const at: StringPart = { node, from: member!.start, to: member!.end };
    const [maker] = resultsOf(other).filter(({ key }) => key !== "!error");
    return [{ at, member: member!.text, envelope, asked: requestText(asked), other: requestText(maker!) }];
  });
}

/** Secrets that are read of one answer, where nothing reads the answer to a later request that makes a new one: `POST /endpoints/1/renew-token`. */
function ofUnreadSecrets(part: Part, model: Model) {
  return part.expansions.flatMap(({ root, rootExact, syntax, node, command }) => {
    const [, index, member] = syntax.path;
    const tail = syntax.path.at(-1);
    const pipe = command?.pipe;
    if (root !== "piped_content" || !rootExact || pipe === undefined || member === undefined) return [];
    if (tail === undefined || !isSecretName(tail.text)) return [];
    const at = Number(index?.text);
    const read = pipe.children[at - 1];
    if (read?.key !== "!http") return [];
    const other = pipe.children
      .slice(at, command!.stepsRun)
      .find((step) => step?.key === "!http" && renews(step, lastWord(tail.text)));
    if (other === undefined || renews(read, lastWord(tail.text))) return [];
    const { members, whole } = valueReadersOf(part, model).of(other);
    if (whole || members.size > 0) return [];
    const place: StringPart = { node, from: tail.start, to: tail.end };
    const asked = requestText(read);
    return [{ at: place, member: tail.text, envelope: member.text, asked, other: requestText(other) }];
  });
}

/** Whether a request takes something away, or names it as the old one. */
const isOfBefore = ({ argument }: Command, { parent }: StringNode): boolean =>
  /^delete$/i.test(textOf(argument, "method") ?? "") ||
  /(?:^|[/_-])(?:archive|cancel|close|deactivate|delete|detach|disable|end|remove|replace|return|revoke|supersede|void|withdraw)s?(?:$|[/?_-])/i.test(
    textOf(argument, "path") ?? "",
  ) ||
  (parent?.kind === "member" &&
    /(?:^|_)(?:old|prev|previous|former|replaced|replaces|from|parent|existing)(?:_|$)/i.test(parent.name));

const renews = ({ argument }: Command, word: string): boolean => {
  const name = (textOf(argument, "path") ?? "").split("?")[0]!.split("/").at(-1) ?? "";
  return (
    /^post$/i.test(textOf(argument, "method") ?? "") &&
    /^(?:renew|rotate|refresh|regenerate|roll|reset|new)[-_]/i.test(name) &&
    lastWord(name) === word
  );
};

const isOfRecord = (name: string): boolean =>
  isIdName(name) || isSecretName(name) || /^(?:number|no|code|reference|ref)$/.test(name);

/** Whether a request makes a record that is called so. */
const isMaker = ({ key, argument }: Command, word: string): boolean =>
  key === "!http" &&
  /^post$/i.test(textOf(argument, "method") ?? "") &&
  lastWord(nameOfPath(textOf(argument, "path") ?? "") ?? "") === word;

/** What the segments of a request's path are called. */
const nounsOf = ({ argument }: Command): readonly string[] =>
  (textOf(argument, "path") ?? "").split(/[/?]/).map(lastWord);

/** The requests whose answers are read by a member that is called as what they ask for. */
function wrappedIn(part: Part, model: Model): readonly Wrapped[] {
  const readers = valueReadersOf(part, model);
  const read: ReadMember[] = [];
  const documented: JqProgram[] = [];
  for (const program of part.programs) {
    const { holes, node } = program;
    if (holes.length > 0 && holes.some(isWhole)) read.push(...readIn(program, model));
    if (node.value.includes(".data.") && ofResource.test(node.value)) documented.push(program);
  }
  const found: Wrapped[] = [];
  for (const step of part.commands) {
    if (step.parent?.key !== "!pipe") continue;
    const own = readers.of(step).members;
    // Of most steps nothing is read by name.
    if (own.size === 0 && read.length === 0 && documented.length === 0) continue;
    for (const request of resultsOf(step)) {
      if (request.key !== "!http") continue;
      const isDocument = documented.some((program) => isResource(program, request, model));
      const members = new Set(own);
      for (const each of read) if (each.request === request) members.add(each.member);
      if (members.size === 0 && !isDocument) continue;
      const envelope = isDocument ? "data" : envelopeOf(request, members);
      if (envelope !== undefined) found.push({ request, envelope, members });
    }
  }
  return found;
}

const ofResource = /\.data\.(?:attributes|relationships)\b/;

/** The member that is called as what a request asks for. */
function envelopeOf({ argument }: Command, members: ReadonlySet<string>): string | undefined {
  const name = nameOfPath(textOf(argument, "path") ?? "");
  if (name === undefined) return undefined;
  const word = lastWord(name);
  for (const member of members) if (lastWord(member) === word) return member;
  return undefined;
}

/** Whether a program reads `.data.attributes` of an answer: a JSON:API document, which has its id beside these. */
function isResource(program: JqProgram, request: Command, model: Model): boolean {
  return nodesOfKind(program, "Postfix").some((node) =>
    trailsOf(flowOf(model), program, node).some(
      ({ origin }) =>
        origin.kind === "response" &&
        origin.command === request &&
        origin.path[0] === "data" &&
        (origin.path[1] === "attributes" || origin.path[1] === "relationships"),
    ),
  );
}

const isWhole = ({ root, syntax }: Expansion): boolean =>
  root === "piped_content" && syntax.path.length === 2;

const lastWord = (name: string): string => singular(wordsOf(name).at(-1) ?? "");

interface ReadMember {
  readonly request: Command;
  readonly member: string;
}

/** The members of requests' answers that a program reads. */
function readIn(program: JqProgram, model: Model): readonly ReadMember[] {
  return nodesOfKind(program, "Postfix").flatMap((node) =>
    trailsOf(flowOf(model), program, node).flatMap(({ origin }) =>
      origin.kind === "response"
        ? origin.path.slice(0, 1).map((member) => ({ request: origin.command, member }))
        : [],
    ),
  );
}

/** `.id // .person.id`: the author takes the answer with its wrapper and without. */
function isReadBothWays(
  member: string,
  envelope: string,
  request: Command,
  part: Part,
  model: Model,
): boolean {
  const flow = flowOf(model);
  return part.programs.some((program) =>
    nodesOfKind(program, "Alternative").some(({ operands }) => {
      const paths = operands.flatMap((operand) => {
        const path = bare(operand);
        if (path.kind !== "Postfix") return [];
        return trailsOf(flow, program, path).flatMap(({ origin }) =>
          origin.kind === "response" && origin.command === request ? [origin.path.join(".")] : [],
        );
      });
      return paths.includes(member) && paths.includes(`${envelope}.${member}`);
    }),
  );
}

/** What `create` was answered isn't at hand in `update`. */
const comesBefore = (a: Command, b: Command): boolean =>
  a.node.start < b.node.start && outermostCommand(a) === outermostCommand(b);

/** Where a member of a request's answer is read, beside the answer's own members. */
function readsOf(member: string, request: Command, part: Part, model: Model): readonly StringPart[] {
  const flow = flowOf(model);
  const isOf = (trails: readonly Trail[]): boolean =>
    trails.some(
      ({ origin }) => origin.kind === "response" && origin.command === request && origin.path[0] === member,
    );
  const inExpansions = part.expansions.flatMap((expansion): readonly StringPart[] => {
    const { node, syntax, root } = expansion;
    const segment = syntax.path[2];
    if (root !== "piped_content" || segment?.text !== member || !isOf(expansionTrails(flow, expansion)))
      return [];
    return [{ node, from: segment.start, to: segment.end }];
  });
  const inPrograms = part.programs.flatMap((program) =>
    nodesOfKind(program, "Postfix").flatMap((node): readonly StringPart[] => {
      const [first] = node.suffixes;
      if (first?.kind !== "Field" || first.key.kind !== "Name" || first.key.text !== member) return [];
      if (!isOf(trailsOf(flow, program, node))) return [];
      return [{ node: program.node, from: node.start, to: first.end }];
    }),
  );
  return [...inExpansions, ...inPrograms];
}
