import type { Expression } from "@configc/jq";
import type { Command, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { entryOf, finalObject, literalMembers } from "../../../flow/literal-object.ts";
import { bare, textAt } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { type Readers, valueReadersOf } from "../../../flow/protocol/value-readers.ts";
import { resultsOf } from "../../../flow/result.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const unreadCase = defineRule<{ given: string; read: readonly string[] }>({
  id: "pipeline/unread-case",
  severity: "warning",
  summary: "What one case of a `!switch` gives has nothing of what is read of it later",
  why: "Later steps take the output of whichever case was taken. Where one case gives the answer to a request, and another an object in which the later steps find nothing, they get null for every record that goes that way: an id that is missing, or a record that is made for nobody.",
  guards: ["command.!switch", "command.!jq", "D14", "D16", "D26"],
  message: ({ given, read }) =>
    `This case gives \`${given}\`, but later steps read ${read.map((name) => `\`${name}\``).join(", ")}, which another case's answer has.`,
  because: ({ given, read }) => [
    `this case was taken: the output is \`${given}\``,
    `\`${read[0]}\` of it is null`,
  ],
  help: ({ read }) => `Give the same shape as the other cases: with \`${read[0]}\` around it.`,
  examples: [
    {
      title: "A record without what is around it in answers",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.data | length) == 0 then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "«.data[0]»"}]}}, {"!jq": "{person_id: .data.id}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.3}"}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.data | length) == 0 then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "{data: .data[0]}"}]}}, {"!jq": "{person_id: .data.id}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.3}"}}]}',
    },
    {
      title: "An object with other names",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.people | length) == 0 then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "«{found: .people[0]}»"}]}}, {"!jq": "{person_id: .person.id}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.3}"}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.people | length) == 0 then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "{person: .people[0]}"}]}}, {"!jq": "{person_id: .person.id}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.3}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unreadCase],
  checks: {
    command: {
      "!switch"(command, report, model) {
        const { unit, parent } = command;
        if (parent?.key !== "!pipe" || parent.children.at(-1) === command || unit?.kind !== "workflow")
          return;
        const results = resultsOf(command);
        if (!results.some(({ key }) => key === "!http") || !results.some(({ key }) => key === "!jq")) return;
        const readers = readersOf(command, unit, model);
        // What asks whether something is there knows the cases apart.
        if (readers.whole || readers.members.size === 0) return;
        for (const { key, program } of results) {
          if (key !== "!jq" || program?.diagnostics.length !== 0) continue;
          const body = plainBody(program);
          const isUnread = lacksAll(body, finalObject(program), readers);
          if (!isUnread && !isUnwrapped(body, readers)) continue;
          const at = { node: program.node, from: body.start, to: body.end };
          report(unreadCase, at, {
            given: excerpt(textAt(body, program), 60),
            read: [...readers.members].filter((name) => !failures.test(name)),
          });
        }
      },
    },
  },
};
export default module;

const readersOf = (command: Command, unit: WorkflowSymbol, model: Model): Readers =>
  valueReadersOf(partOfUnit(unit, model), model).of(command);

/** What an answer has where a request failed; nobody misses it elsewhere. */
const failures = /^(?:errors?|error_?\w+|problems?|warnings?|messages?)$/i;

/** Whether an object that a case makes has nothing that is read of it. */
function lacksAll(body: Expression, made: ReturnType<typeof finalObject>, { members }: Readers): boolean {
  if (body.kind !== "Object" || made === undefined || made.entries.length === 0) return false;
  if (literalMembers(made) === undefined) return false;
  const wanted = [...members].filter((name) => !failures.test(name));
  return wanted.length > 0 && wanted.every((name) => entryOf(made, name) === undefined);
}

/** Whether a case gives a record out of the list `data`, of which `data` is read again: `.data[0]`. */
function isUnwrapped(body: Expression, { members }: Readers): boolean {
  const node = bare(body);
  if (node.kind !== "Postfix" || node.head.kind !== "Identity" || members.size !== 1) return false;
  const [list, place, ...others] = node.suffixes;
  return (
    list?.kind === "Field" &&
    list.key.kind === "Name" &&
    place?.kind === "Index" &&
    others.length === 0 &&
    members.has(list.key.text)
  );
}
