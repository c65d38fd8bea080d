import { constantOf } from "@configc/jq/internal";
import type { JqProgram, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Part } from "../../../bind/part.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { roles } from "../../../flow/people.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { nameOfPath } from "../../../flow/record-kind.ts";
import type { StringPart } from "../../../parse/document.ts";
import { textOf, toJson } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const roleGiven = defineRule<{ member: string; word: string; said: string; list: string }>({
  id: "value/role-given",
  severity: "warning",
  summary: "A contact is sent with another role than the workflow says it gives",
  why: "Customers read what a workflow makes of their contacts. With the word of another role in the request, learners get the rights of tutors, and nothing fails.",
  guards: ["data_pipeline.target", "D25"],
  message: ({ member, word, said, list }) =>
    `The \`${member}\` sent is \`${word}\`. The workflow says “${said}”, and makes a record under \`/${list}\`.`,
  because: ({ word, said, list }) => [
    `customers read “${said}”, and \`${word}\` nowhere`,
    `the same pipeline writes to \`/${list}\``,
  ],
  help: () => "Send the role that the workflow speaks of.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: { "/workflows/0/description": '"Enrols the contact as a learner."' },
      bad: '{"!pipe": [{"!http": {"method": "PUT", "path": "/learners", "body": "${piped_content.0}"}}, {"!jq": "{learner_id: .id, role: «\\"tutor\\"»}"}, {"!http": {"method": "POST", "path": "/enrolments", "body": "${piped_content.2}"}}]}',
      good: '{"!pipe": [{"!http": {"method": "PUT", "path": "/learners", "body": "${piped_content.0}"}}, {"!jq": "{learner_id: .id, role: \\"learner\\"}"}, {"!http": {"method": "POST", "path": "/enrolments", "body": "${piped_content.2}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [roleGiven],
  checks: {
    workflow(workflow, report, model) {
      const said = roleSaid(workflow);
      if (said === undefined) return;
      const part = partOfUnit(workflow, model);
      const given = [...givenIn(part)];
      if (given.length === 0) return;
      const list = listOf(said.word, part);
      if (list === undefined) return;
      const shown = textShown(workflow);
      for (const { member, word, at } of given)
        if (word !== said.word && !new RegExp(`\\b${word}`, "i").test(shown))
          report(roleGiven, at, { member, word, said: said.phrase, list });
    },
  },
};
export default module;

/** What people are to each other: `as a person` says nothing. */
const isPerson = (word: string): boolean => roles.has(word);

/** What a workflow says that contacts are made: `as a learner`. */
function roleSaid({ node }: WorkflowSymbol): { readonly word: string; readonly phrase: string } | undefined {
  const text = `${textOf(node, "label") ?? ""}. ${textOf(node, "description") ?? ""}`;
  const found = [...text.matchAll(/\bas an? (?:new )?([a-z]{3,20})\b/g)].filter(([, word]) =>
    isPerson(word!),
  );
  const [first, ...others] = found;
  return first === undefined || others.length > 0 ? undefined : { word: first[1]!, phrase: first[0] };
}

/** The roles that the target sends, as they are written. */
function* givenIn(part: Part): Generator<{ member: string; word: string; at: StringPart }> {
  for (const program of part.programs)
    if (program.command.place.name === "data_pipeline.target" && /\brole\b/i.test(program.node.value))
      yield* rolesIn(program);
  for (const { key, argument, place } of part.commands) {
    if (key !== "!http" || place.name !== "data_pipeline.target" || argument?.kind !== "object") continue;
    const body = argument.get("body");
    for (const { name, value } of body?.kind === "object" ? body.members : [])
      if (isRole(name) && value?.kind === "string" && isPerson(value.value.toLowerCase()))
        yield {
          member: name,
          word: value.value.toLowerCase(),
          at: { node: value, from: 0, to: value.value.length },
        };
  }
}

function* rolesIn(program: JqProgram): ReturnType<typeof givenIn> {
  for (const { entries } of nodesOfKind(program, "Object"))
    for (const { key, value } of entries) {
      const member = nameOf(key);
      const word =
        value === undefined || member === undefined || !isRole(member) ? undefined : constantOf(bare(value));
      if (typeof word === "string" && isPerson(word.toLowerCase()))
        yield { member: member!, word: word.toLowerCase(), at: partAt(program, value!) };
    }
}

const isRole = (name: string): boolean => wordsOf(name).at(-1) === "role";

/** The list that the target writes a record of that role to: `/learners/external/…`. */
function listOf(word: string, { commands }: Part): string | undefined {
  for (const { key, argument, place } of commands) {
    if (key !== "!http" || place.name !== "data_pipeline.target" || argument?.kind !== "object") continue;
    if (!/^(?:POST|PUT|PATCH)$/.test(textOf(argument, "method") ?? "GET")) continue;
    const path = textOf(argument, "path") ?? "";
    const list = path
      .split("/")
      .find((each) => each !== word && /^[a-z]+$/.test(each) && singular(each) === word);
    if (list !== undefined) return list;
    if (singular(nameOfPath(path) ?? "") === word) return nameOfPath(path);
  }
  return undefined;
}

/** All that customers read of a workflow, as it is written. */
function textShown({ node }: WorkflowSymbol): string {
  const setup = node.get("setup");
  return ["name", "label", "description"]
    .map((name) => textOf(node, name) ?? "")
    .concat(setup === undefined ? "" : JSON.stringify(toJson(setup)))
    .join(" ");
}
