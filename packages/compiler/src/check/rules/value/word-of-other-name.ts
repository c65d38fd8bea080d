import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { JqProgram, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedWords, hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesIn, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { saysAround } from "../../../flow/said/of-name.ts";
import { underlying } from "../../../flow/underlying.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import { toJson } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const wordOfOtherName = defineRule<{ name: string; member: string; word: string; other: string }>({
  id: "value/word-of-other-name",
  severity: "warning",
  summary: "Records of one role are taken under the name of another role",
  why: "A comment lists the roles of people, and the form says whose data customers get. A program that keeps the guardian as `$kin` writes to somebody who isn't meant, for every record that has both.",
  guards: ["command.!jq", "D3", "D12"],
  message: ({ name, member, word, other }) =>
    `\`${name}\` is what has the \`${member}\` \`${word}\`. By its name it is \`${other}\`, which a comment lists too.`,
  because: ({ name, word, other }) => [
    `the setup speaks of \`${other}\`, and not of \`${word}\``,
    `\`${name}\` is called after \`${other}\``,
  ],
  help: ({ other }) => `Compare with \`${other}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/description": '"Writes to the next of kin of each client."',
        "/data_intake/0/_comment": '"relations: [{role, email}]; roles are next_of_kin, doctor, guardian."',
      },
      bad: '{"!jq": "[.relations[] | select(.role == «\\"guardian\\"»)] as $kin | if $kin[0] == null then null else {email: $kin[0].email} end"}',
      good: '{"!jq": "[.relations[] | select(.role == \\"next_of_kin\\")] as $kin | if $kin[0] == null then null else {email: $kin[0].email} end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [wordOfOtherName],
  checks: {
    reach: "saved",
    program(program, report, model) {
      const { unit } = program.command;
      if (program.diagnostics.length > 0 || !/\bselect\b/.test(program.node.value)) return;
      if (unit?.kind !== "workflow" || !hasComments(model)) return;
      for (const { name, source } of namedIn(program)) {
        const tests = nodesIn(source).flatMap((node) => {
          const word =
            node.kind === "Comparison" && node.operator === "==" ? constantOf(node.right) : undefined;
          const member =
            node.kind === "Comparison" && typeof word === "string" ? nameRead(node.left, program) : undefined;
          return typeof word === "string" && member !== undefined && node.kind === "Comparison"
            ? [{ word, member, at: node.right }]
            : [];
        });
        const [test, ...others] = tests;
        if (test === undefined || others.length > 0) continue;
        const { word, member, at } = test;
        const words = documentedWords(member, program.node, intakesAround(unit))?.words ?? [];
        const listed = words.includes(word) ? words : bothSaid(word, name, program, model);
        if (!listed.includes(word) || isCalled(name, word)) continue;
        const [other, ...more] = listed.filter((each) => isCalled(name, each));
        if (other === undefined || more.length > 0 || program.node.value.includes(`"${other}"`)) continue;
        // The name alone may be the author's word for it.
        const said = setupText(unit);
        if (!isSaid(other, said) || isSaid(word, said)) continue;
        // `Of children, the guardian is the next of kin.`
        const [first, second] = [word, other].map((each) => wordsOf(each).map(escapedPattern).join("[ _-]"));
        const same = new RegExp(
          `\\b${first}s? (?:is|are|counts? as|stands? for) (?:the |their |its )?${second}\\b`,
          "i",
        );
        if (saysAround(same, program.command, model)) continue;
        report(wordOfOtherName, partAt(program, at), { name, member, word, other });
      }
    },
  },
};
export default module;

/** What programs give a name to: `… as $kin`, `def kin: …;`, `{kin: …}`. */
function namedIn(program: JqProgram): readonly { readonly name: string; readonly source: Expression }[] {
  const variables = nodesOfKind(program, "Binding").flatMap(({ source, patterns: [pattern, ...others] }) =>
    pattern?.kind === "VariablePattern" && others.length === 0 ? [{ name: pattern.name, source }] : [],
  );
  const functions = nodesOfKind(program, "Definition").map(({ name, body }) => ({
    name: name.text,
    source: body,
  }));
  const members = nodesOfKind(program, "Entry").flatMap(({ key, value }) => {
    const name = nameOf(key);
    if (name === undefined || value === undefined) return [];
    const source = readFor(value, program);
    return [{ name, source: source ?? value }];
  });
  return [...variables, ...functions, ...members];
}

/** What a variable stands for of which all members of an object are: `{email: $to.email, name: $to.name}`. */
function readFor(given: Expression, program: JqProgram): Expression | undefined {
  const made = bare(given);
  if (made.kind !== "Object" || made.entries.length < 2) return undefined;
  const variables = made.entries.flatMap(({ value }) => {
    const read = value === undefined ? undefined : underlying(value);
    return read?.kind === "Postfix" && read.head.kind === "Variable" ? [read.head] : [];
  });
  const [first, ...others] = variables;
  const isOne = first !== undefined && others.every(({ name }) => name === first.name);
  // One or two may be of something else: when it was, what it is about.
  return isOne && variables.length * 2 > made.entries.length ? boundTo(program, first) : undefined;
}

/** Whether a name says a word, or a part of it: `kin` of `next_of_kin`, `doctor_email` of `doctor`. */
function isCalled(name: string, word: string): boolean {
  const [own, whole] = [name, word].map((each) => wordsOf(each).map(singular));
  const telling = own!.filter((each) => each.length > 2);
  return (
    whole!.length > 0 &&
    ((telling.length > 0 && telling.every((each) => whole!.includes(each))) ||
      whole!.every((each) => own!.includes(each)))
  );
}

/** Two roles that a comment names in one breath, one of which is what something is called: `holds one shipper and one consignee`. */
function bothSaid(word: string, name: string, { command }: JqProgram, model: Model): readonly string[] {
  if (word === name || !/^[a-z][a-z_]{2,40}$/.test(name)) return [];
  const [one, other] = [word, name].map((each) => wordsOf(each).map(escapedPattern).join("[ _-]"));
  const between = "[\"'`]?,? (?:and|or) (?:(?:an?|one|the) )?[\"'`]?";
  const both = new RegExp(`\\b(?:${one}${between}${other}|${other}${between}${one})\\b`, "i");
  return saysAround(both, command, model) ? [word, name] : [];
}

/** All that the setup and the names of a workflow say to customers. */
const setupText = ({ node }: WorkflowSymbol): string => {
  const shown = ["name", "label", "description", "resource_labels", "setup"].map((name) => {
    const value = node.get(name);
    return value === undefined ? "" : JSON.stringify(toJson(value), withoutPrograms);
  });
  return ` ${shown
    .join(" ")
    .toLowerCase()
    .replace(/[^a-z]+/g, " ")} `;
};

const withoutPrograms = (name: string, value: unknown): unknown =>
  name === "_comment" || name.startsWith("!") ? undefined : value;

const isSaid = (word: string, text: string): boolean => {
  const phrase = wordsOf(word).join(" ");
  return text.includes(` ${phrase} `) || text.includes(` ${phrase}s `);
};
