import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { boundTo, stagesOf } from "../../../flow/protocol/dependence.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";

const listForText = defineRule<{
  member: string;
  title: string;
  text: string;
  instead: string;
  isNumber: boolean;
}>({
  id: "mapping/list-for-text",
  severity: "warning",
  summary: "A list is given for a field whose title says that it is a text or a number",
  why: "Customers map a field by its title, into a text of the contact. A list is refused there, or the contact shows brackets and quotes.",
  guards: ["map.describe_source", "option.title", "data_pipeline.source", "D37"],
  message: ({ member, title, text }) =>
    `\`${text}\` is a list, but the title of \`${member}\` is “${title}”.`,
  because: ({ title, isNumber }) => [
    `a customer maps “${title}” to a ${isNumber ? "number" : "text"}`,
    `the contact gets \`${isNumber ? "[1,2]" : '["a","b"]'}\``,
  ],
  help: ({ instead, isNumber }) =>
    isNumber ? "Count its items, or add them up." : `Join it: \`${instead}\`.`,
  fixes: ({ at, args }, { document }) => (args.isNumber ? [] : rewriteTo({ at, args }, document)),
  examples: [
    {
      title: "A number",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/map/describe_source/options":
          '[{"id": "email", "title": "Email"}, {"id": "guests", "title": "Number of guests"}]',
      },
      bad: '{"!jq": "{email: .email, guests: («.beds | map(.count)»)}"}',
      good: '{"!jq": "{email: .email, guests: (.beds | map(.count) | add)}"}',
    },
    {
      title: "A text",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/map/describe_source/options":
          '[{"id": "email", "title": "Email"}, {"id": "items", "title": "Articles (text)"}]',
      },
      bad: '{"!jq": "{email: .email, items: «[.lines[].title]»}"}',
      good: '{"!jq": "{email: .email, items: ([.lines[].title] | join(\\", \\"))}"}',
      fixed: '{"!jq": "{email: .email, items: ([.lines[].title] | join(\\", \\"))}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [listForText],
  checks: {
    program(program, report, model) {
      const { command, node } = program;
      const { unit } = command;
      if (command.place.name !== "data_pipeline.source" || unit?.kind !== "workflow") return;
      if (!/\[|\b(?:map|unique|sort)/.test(node.value) || program.diagnostics.length > 0) return;
      const titles = offeredTitles(unit, model);
      for (const { key, value } of nodesOfKind(program, "Entry")) {
        const member = nameOf(key);
        const title = member === undefined ? undefined : titles.get(member);
        if (member === undefined || title === undefined || value === undefined) continue;
        const isNumber = ofNumber.test(title) && !/\b(?:each|every|per)\b/i.test(title);
        if (!isNumber && (!ofText.test(title) || /\b(?:not|never)\b|n't\b/i.test(title))) continue;
        const written = bare(value);
        if (!isList(written, program)) continue;
        const text = textAt(written, program);
        const instead = `(${text} | join(", "))`;
        report(listForText, partAt(program, written), {
          member,
          title: excerpt(title, 60),
          text: excerpt(text, 60),
          instead,
          isNumber,
        });
      }
    },
  },
};
export default module;

/** “Articles (text)”, “Topics, comma-separated”, “Rooms as one text”. */
const ofText =
  /\((?:as )?(?:an? |one )?(?:short |plain )?text\)|\bcomma[- ]separated\b|\b(?:separated (?:by|with)|with) commas\b|\bas (?:one |a )?text\b|\bone (?:per|on each|to a) line\b|\bin one line\b/i;

/** “Number of guests”; the number of a ticket may be several. */
const ofNumber = /^(?:number|count) of [a-z]+s\b(?! or )|^how many\b/i;

/** `[.lines[].title]` and `.lines | map(.title)`, also sorted or without what is there twice; in a variable, or where a condition gives it. */
function isList(given: Expression, program: JqProgram): boolean {
  const node = bare(given);
  switch (node.kind) {
    case "Array":
      return true;
    case "Variable": {
      const source = boundTo(program, node);
      return source !== undefined && isList(source, program);
    }
    case "If": {
      const ways = [...node.branches.map(({ body }) => body), ...(node.otherwise ? [node.otherwise] : [])];
      const given = ways.filter((way) => constantOf(way) !== null);
      return given.length > 0 && given.every((way) => isList(way, program));
    }
    case "Alternative":
      return isList(node.operands[0]!, program);
    case "Pipeline":
      return isListOfStages(stagesOf(node), program);
    default:
      return false;
  }
}

/** What gives a list whatever it gets, or fails; behind it, what leaves it one. */
function isListOfStages(stages: readonly Expression[], program: JqProgram): boolean {
  const last = stages.at(-1);
  if (last === undefined) return false;
  if (stages.length === 1) return isList(last, program);
  if (last.kind === "Array") return true;
  if (last.kind !== "Call") return false;
  if (/^(?:map|unique|unique_by|sort|sort_by)$/.test(last.name.text)) return true;
  return last.name.text === "reverse" && isListOfStages(stages.slice(0, -1), program);
}
