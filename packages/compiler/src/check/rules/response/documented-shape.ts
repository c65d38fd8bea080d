import type { Expression } from "@configc/jq";
import type { Command } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isAsItCame } from "../../../flow/counted.ts";
import { type DocumentedValue, documentedAt, documentedKind } from "../../../flow/documented-records.ts";
import { commentsAt, hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { expansionTrails, type Trail, trailsOf } from "../../../flow/origin.ts";
import { isSaidOtherwise } from "../../../flow/said/taken-back.ts";
import { roleOf } from "../../../flow/value-role.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { Span } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { memberWith } from "../value/other-role.ts";
import { shapeReadsOf } from "./shape-reads.ts";

const documentedShape = defineRule<{ name: string; kind: "a list" | "an object"; use: string }>({
  id: "response/documented-shape",
  severity: "warning",
  summary: "A member is read as something else than a comment shows",
  why: "A comment shows what the service sends. A list has no members to read by name, an object has no first item, and neither is a text. The program fails for every record, or the contact gets something that nobody can read.",
  guards: ["command.!jq", "D3", "D9", "D23"],
  message: ({ name, kind, use }) => `A comment shows \`${name}\` as ${kind}, but here ${use}.`,
  because: ({ name, kind, use }) => [`\`${name}\` is ${kind}`, use],
  help: ({ name, kind }) =>
    kind === "a list"
      ? `Take one item of it: \`.${name}[0]\`, or the one that a condition chooses.`
      : `Read a member of it: \`.${name}.…\`.`,
  examples: [
    {
      title: "A member of a list",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"A person: {id, email, phones: [{number, label}]}"' },
      bad: '{"!jq": "{email: .email, phone: «.phones».number}"}',
      good: '{"!jq": "{email: .email, phone: .phones[0].number}"}',
    },
    {
      title: "A list under the name of a text",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"A person: {id, emails: [{address, primary}]}"' },
      bad: '{"!jq": "{email: .«emails», name: .name}"}',
      good: '{"!jq": "{email: .emails[0].address, name: .name}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [documentedShape],
  checks: {
    reach: "saved",
    part(part, report, model) {
      if (!hasComments(model)) return;
      tellReads(part, report, model);
      tellGiven(part, report, model);
    },
  },
};
export default module;

/** Members that are read by a name of a list, or as a list of an object. */
function tellReads(part: Part, report: Report, model: Model): void {
  for (const { name, use, member, at, from } of shapeReadsOf(part, model)) {
    const wrong = wrongUses[use];
    const command = "program" in from ? from.program.command : from.expansion.command;
    if (wrong === undefined || command === undefined) continue;
    const shown = shownAlike(name, command, model);
    if (shown === undefined || (shown.kind !== "list" && shown.kind !== "object")) continue;
    const how = wrong[shown.kind];
    if (how === undefined) continue;
    const flow = flowOf(model);
    const trails =
      "program" in from
        ? trailsOf(flow, from.program, from.head, from.path)
        : expansionTrails(flow, from.expansion, from.length);
    if (envelope.test(name) && !isOwnComment(shown, trails)) continue;
    if (isMember(trails, name)) tell(report, shown, at, how(member ?? ""));
  }
}

/** What one answer has as a list, and another one as an object: `data` of `{data: [...], meta: {…}}`. */
const envelope =
  /^(?:data|body|items?|results?|records?|rows|entries|entry|values?|list|content|payload|object|response)$/;

/** Whether the comment is that of the very request whose answer is read. */
const isOwnComment = ({ comment }: DocumentedValue, trails: readonly Trail[]): boolean =>
  trails.length > 0 &&
  trails.every(
    ({ origin }) => origin.kind === "response" && commentsAt(origin.command.node).includes(comment),
  );

type Uses = Readonly<Partial<Record<"list" | "object", (member: string) => string>>>;

/** What each use of a member is, where it can't be used so. */
const wrongUses: Readonly<Record<string, Uses>> = {
  member: { list: (member) => `\`${member}\` is read of it` },
  listed: { object: () => "an item of it is taken" },
  text: { list: () => "it is taken for a text", object: () => "it is taken for a text" },
  number: { list: () => "it is taken for a number", object: () => "it is taken for a number" },
  pasted: { list: () => "it is put into a text", object: () => "it is put into a text" },
};

/** What comments show of a member alike wherever they name it: a record elsewhere of which only the name is shown may have something else. */
function shownAlike(name: string, command: Command, model: Model): DocumentedValue | undefined {
  const values = documentedAt(command, model);
  const shown = documentedKind(name, values);
  return values.get(name)?.every(({ kind }) => kind === shown?.kind) === true ? shown : undefined;
}

/** Texts, ids and numbers that get a list or an object. */
function tellGiven({ programs, expansions }: Part, report: Report, model: Model): void {
  for (const program of programs) {
    if (program.diagnostics.length > 0 || !program.node.value.includes("{")) continue;
    for (const { key, value } of nodesOfKind(program, "Entry")) {
      const member = nameOf(key);
      const read = value === undefined ? undefined : memberRead(value);
      if (member === undefined || value === undefined || read === undefined) continue;
      if (!isOneValue(member) || envelope.test(read.name)) continue;
      const shown = shownAlike(read.name, program.command, model);
      if (shown === undefined || !isCompound(shown)) continue;
      if (isMember(trailsOf(flowOf(model), program, value), read.name))
        tell(report, shown, partAt(program, read.at), `\`${member}\` gets all of it`);
    }
  }
  for (const expansion of expansions) {
    const { root, rootExact, syntax, command, node } = expansion;
    const last = syntax.path.at(-1);
    if (root !== "piped_content" || !rootExact || command === undefined || last === undefined) continue;
    const member = syntax.path.length > 2 ? memberWith(expansion) : undefined;
    if (member === undefined || !isOneValue(member) || envelope.test(last.text)) continue;
    const shown = shownAlike(last.text, command, model);
    if (shown === undefined || !isCompound(shown)) continue;
    const at = { node, from: last.start, to: last.end };
    if (isMember(expansionTrails(flowOf(model), expansion), last.text))
      tell(report, shown, at, `\`${member}\` gets all of it`);
  }
}

const isCompound = ({ kind }: DocumentedValue): boolean => kind === "list" || kind === "object";

/** Whether a member of that name has one text or number, by what it is called. */
function isOneValue(member: string): boolean {
  const role = roleOf(member);
  return role !== undefined && role !== "flag";
}

/** The member that is all of a value: `emails` of `$person.emails`. */
function memberRead(given: Expression): { readonly name: string; readonly at: Span } | undefined {
  const value = bare(given);
  if (value.kind !== "Postfix" || value.suffixes.some(({ kind }) => kind !== "Field")) return undefined;
  const last = value.suffixes.at(-1);
  return last?.kind === "Field" && last.key.kind === "Name"
    ? { name: last.key.text, at: last.key }
    : undefined;
}

/** Whether a value is the member of that name as the service sent it. */
const isMember = (trails: readonly Trail[], name: string): boolean =>
  isAsItCame(trails) && trails.every(({ origin }) => "path" in origin && origin.path.at(-1) === name);

function tell(report: Report, { kind, name, comment }: DocumentedValue, at: StringPart, use: string): void {
  if (isSaidOtherwise(name, [comment])) return;
  report(documentedShape, at, { name, kind: kind === "list" ? "a list" : "an object", use }, [
    { message: "the comment", at: comment },
  ]);
}
