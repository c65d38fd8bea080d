import type { Command } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isAsItCame } from "../../../flow/counted.ts";
import { type DocumentedValue, documentedAt } from "../../../flow/documented-records.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { expansionTrails, type Trail, trailsOf } from "../../../flow/origin.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { nounOfPath } from "../../../flow/record-kind.ts";
import { saysOf } from "../../../flow/said/of-name.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";
import { memberWith } from "./other-role.ts";

const idForNumber = defineRule<{ member: string; read: string; number: string; instead: string }>({
  id: "value/id-for-number",
  severity: "warning",
  summary: "A record's id goes where its number is wanted, though a comment shows that it has one",
  why: "An id is for programs, and a number is what people read on a bill or a card. With the id in its place, customers see a number that nobody knows, and what is sent back by it later fits no record.",
  guards: ["command.!jq", "data_pipeline.source", "D3"],
  message: ({ member, read, number }) =>
    `\`${member}\` gets \`${read}\`, but a comment shows that this record has \`${number}\`.`,
  because: ({ member, read, number }) => [
    `a record has \`${number}\` beside its id`,
    `\`${member}\` is called a number and gets \`${read}\``,
  ],
  help: ({ instead }) => `Take \`${instead}\`.`,
  fixes: ({ at, args }, { document }) => rewriteTo({ at, args }, document),
  examples: [
    {
      title: "D3: for a contact",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"{\\"id\\": \\"m-204\\", \\"number\\": 204, \\"email\\": …}"' },
      bad: '{"!jq": "{email: .email, member_number: «.id»}"}',
      good: '{"!jq": "{email: .email, member_number: .number}"}',
      fixed: '{"!jq": "{email: .email, member_number: .number}"}',
    },
    {
      title: "D3: in a request",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"_comment": "Answers {bill: {id, number}}.", "!http": {"method": "POST", "path": "/bills", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/notes", "body": {"bill_number": "«${piped_content.1.bill.id}»", "note": "${custom_data.note.value | default}"}}}]}',
      good: '{"!pipe": [{"_comment": "Answers {bill: {id, number}}.", "!http": {"method": "POST", "path": "/bills", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/notes", "body": {"bill_number": "${piped_content.1.bill.number}", "note": "${custom_data.note.value | default}"}}}]}',
      fixed:
        '{"!pipe": [{"_comment": "Answers {bill: {id, number}}.", "!http": {"method": "POST", "path": "/bills", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/notes", "body": {"bill_number": "${piped_content.1.bill.number}", "note": "${custom_data.note.value | default}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [idForNumber],
  checks: {
    reach: "saved",
    expansion(expansion, report, model) {
      const { root, rootExact, syntax, node, command } = expansion;
      if (root !== "piped_content" || !rootExact || command === undefined || !hasComments(model)) return;
      if (syntax.path.length < 3 || syntax.path.at(-1)!.text !== "id" || syntax.filters.length > 0) return;
      const member = memberWith(expansion);
      if (member === undefined || !isNumberName(member)) return;
      const number = numberBeside(expansionTrails(flowOf(model), expansion), member, command, model);
      if (number === undefined) return;
      const text = node.value.slice(syntax.start, syntax.end);
      const instead = text.replace(/id(?=\s*[}>]$)/, number.name);
      report(
        idForNumber,
        { node, from: syntax.start, to: syntax.end },
        { member, read: text, number: number.name, instead },
        [{ message: "the comment", at: number.comment }],
      );
    },
    program(program, report, model) {
      if (!reads.test(program.node.value) || !hasComments(model) || program.diagnostics.length > 0) return;
      if (!program.command.place.name.startsWith("data_pipeline.")) return;
      for (const { key, value } of nodesOfKind(program, "Entry")) {
        const member = nameOf(key);
        if (member === undefined || value === undefined || !isNumberName(member)) continue;
        const read = bare(value);
        const text = textAt(read, program);
        if (!/\.id$/.test(text)) continue;
        const number = numberBeside(trailsOf(flowOf(model), program, read), member, program.command, model);
        if (number === undefined) continue;
        const instead = text.replace(/id$/, number.name);
        report(idForNumber, partAt(program, read), { member, read: text, number: number.name, instead }, [
          { message: "the comment", at: number.comment },
        ]);
      }
    },
  },
};
export default module;

/** `order_number: .id`, `ticketNo: ($t.id)` */
const reads = /(?:number|no|nr)"?\s*:\s*\(*\s*[$.][\w.[\]]*\bid\b/i;

/** Whether people call a record by it: `number`, `order_no`. */
const isNumberName = (name: string): boolean => /^(?:number|no|nr)$/.test(wordsOf(name).at(-1) ?? "");

/** Whether it is the record's own: an order has an `order_number`, and its `phone_number` is somebody's. */
const isOfRecord = (number: string, member: string, noun: string): boolean =>
  wordsOf(number)
    .slice(0, -1)
    .every((word) => singular(word) === noun || wordsOf(member).includes(word));

/** The number that a comment shows in the record whose id is read. */
function numberBeside(
  trails: readonly Trail[],
  member: string,
  command: Command,
  model: Model,
): { readonly name: string; readonly comment: DocumentedValue["comment"] } | undefined {
  const [trail, ...others] = trails;
  if (trail === undefined || others.length > 0 || !isAsItCame(trails) || !("path" in trail.origin))
    return undefined;
  const { origin } = trail;
  const names = origin.path.filter((each): each is string => typeof each === "string" && /^\w+$/.test(each));
  if (names.at(-1) !== "id") return undefined;
  const asked =
    origin.kind === "response" ? nounOfPath(textOf(origin.command.argument, "path") ?? "") : undefined;
  const owner = names.at(-2) ?? asked ?? "";
  const noun = singular(owner.toLowerCase());
  for (const [key, records] of documentedAt(command, model))
    for (const { members = [], comment } of records) {
      const isOwn = key !== "" && singular(key.toLowerCase()) === noun;
      // A record without a name is the one only if it has the id, too.
      if (!isOwn && !(key === "" && members.some(({ name }) => name === "id"))) continue;
      const [number, ...more] = members.filter(({ name }) => isNumberName(name));
      if (number === undefined || more.length > 0 || !isOfRecord(number.name, member, noun)) continue;
      // That of a house stands beside its street.
      if (members.some(({ name }) => /street|road|address/i.test(name))) continue;
      if (saysOf(number.name, /\b(?:how many|the count|amount|attempt)\b/i, command, model)) continue;
      if (saysOf("id", /\b(?:printed|on (?:the|their) card|shown|people|customers)\b/i, command, model))
        continue;
      return { name: number.name, comment };
    }
  return undefined;
}
