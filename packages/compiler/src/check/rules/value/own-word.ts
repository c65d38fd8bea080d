import type { Expression } from "@configc/jq";
import { constantOf, groupBy } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { mayBeSame } from "../../../flow/nouns.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { recordOfMember } from "../../../flow/record-kind.ts";
import { textMembers } from "../../../flow/text-members.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { StringPart } from "../../../parse/document.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";

const ownWord = defineRule<{ name: string; word: string; words: readonly string[] }>({
  id: "value/own-word",
  severity: "warning",
  summary: "What the service has is compared with what the app itself calls it",
  why: "Texts are compared letter by letter. What the app calls “Active” in contacts is still `active` in the service, so the condition is false for every record.",
  guards: ["command.!jq", "D23"],
  message: ({ name, word, words }) =>
    `\`${name}\` is \`${word}\` only where this app writes it. The service has ${allNames(words)}.`,
  because: ({ name, word, words }) => [
    `elsewhere \`${name}\` is ${allNames(words)}`,
    `\`${word}\` is what the app makes of it`,
  ],
  help: () => "Compare with the service's word.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!jq": ". + {stage: ({won: \\"Won\\", lost: \\"Lost\\"}[.stage]), id: .id}"}, {"!http": {"path": "/deals/${piped_content.1.id}"}}, {"!jq": "if .stage == «\\"Won\\"» then {email: .email, stage: ${piped_content.1.stage}} else null end"}]}',
      good: '{"!pipe": [{"!jq": ". + {stage: ({won: \\"Won\\", lost: \\"Lost\\"}[.stage]), id: .id}"}, {"!http": {"path": "/deals/${piped_content.1.id}"}}, {"!jq": "if .stage == \\"won\\" then {email: .email, stage: ${piped_content.1.stage}} else null end"}]}',
    },
  ],
});

/** A constant beside a member: what a program reads there of the service, compares it with, or writes for contacts. */
interface Beside {
  readonly name: string;
  readonly word: string;
  readonly use: "key" | "compared" | "written" | "sent";
  readonly at: StringPart;
  /** What is compared with it, or looked up. */
  readonly read: { readonly program: JqProgram; readonly node: Expression } | undefined;
}

const module: RuleModule = {
  rules: [ownWord],
  checks: {
    document(model, report) {
      const written = new Set(writtenByPart(model));
      if (written.size === 0) return;
      const all = allBeside(model);
      const byName = groupBy(all, ({ name }) => name);
      const ofService = new Map<string, readonly Beside[]>();
      const isWordOfService = (each: Beside): boolean =>
        each.use === "key" || (each.use === "compared" && isOfService(each, model));
      let asked = 0;
      for (const one of all) {
        const { use, name, word, at } = one;
        if ((use !== "compared" && use !== "sent") || !written.has(`${name} ${word}`)) continue;
        const known = ofService.get(name) ?? byName.get(name)!.slice(0, MOST).filter(isWordOfService);
        ofService.set(name, known);
        const others = known.filter((each) => each !== one);
        if (!isStranger(word, use, others) || ++asked > MOST) continue;
        if (use !== "sent" && !isOfService(one, model)) continue;
        const ofRecord = others.filter((each) => !isOfOtherRecord(each, one, model));
        if (isStranger(word, use, ofRecord))
          report(ownWord, at, {
            name,
            word,
            words: [...new Set(ofRecord.map((each) => each.word))].slice(0, 4),
          });
      }
    },
  },
};
export default module;

/** Whether a word isn't one of several others, or but for capitals. */
function isStranger(word: string, use: Beside["use"], others: readonly Beside[]): boolean {
  const words = new Set(others.map((each) => each.word));
  if (words.has(word)) return false;
  const isTwin = [...words].some((each) => each.toLowerCase() === word.toLowerCase());
  // One word may be of another list.
  return isTwin || (use !== "sent" && words.size > 1);
}

/** So many words beside a member are looked at, and so many comparisons. */
const MOST = 200;

/** Whether a value is of an answer: what a contact has may be what the app wrote. */
function isOfService({ read }: Beside, model: Model): boolean {
  const trails = read === undefined ? [] : trailsOf(flowOf(model), read.program, read.node);
  return trails.length > 0 && trails.every(({ origin }) => origin.kind === "response");
}

/** Whether two members of one name belong to records of different kinds, whose words aren't the same. */
function isOfOtherRecord(one: Beside, other: Beside, model: Model): boolean {
  const [own, its] = [recordOf(one, model), recordOf(other, model)];
  return own !== undefined && its !== undefined && !mayBeSame(own, its);
}

const recordOf = ({ read }: Beside, model: Model): string | undefined =>
  read === undefined ? undefined : recordOfMember(trailsOf(flowOf(model), read.program, read.node));

// What was found in a program is kept over edits elsewhere.
const allBeside = derivedByPart(({ programs, commands }: Part) => [
  ...programs.flatMap(besideIn),
  ...commands.flatMap(sentBy),
]);

/** The words that programs write for contacts, with the names of their members: most write none. */
const writtenByPart = derivedByPart(({ programs }: Part) =>
  programs
    .filter(isSource)
    .flatMap(besideIn)
    .flatMap(({ use, name, word }) => (use === "written" ? [`${name} ${word}`] : [])),
);

const isSource = ({ command }: JqProgram): boolean => command.place.name === "data_pipeline.source";

/** Words that a request sends. */
const sentBy = ({ key, argument }: Command): readonly Beside[] =>
  key !== "!http" || argument?.kind !== "object"
    ? []
    : ["params", "body"]
        .flatMap((part) => [...textMembers(argument.get(part))])
        .map(({ name, value: node }) => {
          const at = { node, from: 0, to: node.value.length };
          return { name, word: node.value, use: "sent", at, read: undefined };
        });

function besideIn(program: JqProgram): readonly Beside[] {
  if (program.diagnostics.length > 0 || !/["{]/.test(program.node.value)) return [];
  const writes = isSource(program);
  const found: Beside[] = [];
  const add = (
    use: Beside["use"],
    name: string | undefined,
    node: Expression | undefined,
    read?: Expression,
  ): void => {
    const word = node === undefined ? undefined : constantOf(node);
    if (name !== undefined && typeof word === "string" && word.length > 2)
      found.push({ name, word, use, at: partAt(program, node!), read: read && { program, node: read } });
  };
  for (const node of nodesOfKind(program, "Comparison"))
    if (node.operator === "==" || node.operator === "!=") {
      add("compared", nameRead(node.left, program), node.right, node.left);
      add("compared", nameRead(node.right, program), node.left, node.right);
    }
  for (const { head, suffixes } of nodesOfKind(program, "Postfix")) {
    const [suffix] = suffixes;
    const table = bare(head);
    if (suffix?.kind !== "Index" || table.kind !== "Object" || table.entries.length < 2) continue;
    const name = nameRead(suffix.index, program);
    if (name === undefined) continue;
    for (const { key, value } of table.entries) {
      const word = nameOf(key);
      if (word !== undefined)
        found.push({
          name,
          word,
          use: "key",
          at: partAt(program, head),
          read: { program, node: suffix.index },
        });
      if (writes) add("written", name, value);
    }
  }
  if (writes) for (const { key, value } of nodesOfKind(program, "Entry")) add("written", nameOf(key), value);
  return found;
}
