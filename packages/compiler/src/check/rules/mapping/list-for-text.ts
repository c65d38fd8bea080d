import type { Expression } from "@configc/jq";
import { defineRule } from "../../../findings/rule.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, isExpression, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
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
      if (!/\[|\bmap\(/.test(node.value) || program.diagnostics.length > 0) return;
      const titles = offeredTitles(unit, model);
      for (const { key, value } of nodesOfKind(program, "Entry")) {
        const member = nameOf(key);
        const title = member === undefined ? undefined : titles.get(member);
        if (member === undefined || title === undefined || value === undefined) continue;
        const isNumber = ofNumber.test(title) && !/\b(?:each|every|per)\b/i.test(title);
        if (!isNumber && (!ofText.test(title) || /\b(?:not|never)\b|n't\b/i.test(title))) continue;
        const written = bare(value);
        if (!isList(written) && !(isNumber && endsInMap(written))) continue;
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

/** `.beds | map(.count)`, which gives a list or fails. */
function endsInMap(node: Expression): boolean {
  const last = node.kind === "Pipeline" ? node.stages.at(-1) : undefined;
  return last?.kind === "Call" && last.name.text === "map";
}

/** `[.lines[].title]`, also sorted or without what is there twice. */
function isList(node: Expression): boolean {
  if (node.kind === "Array") return true;
  if (node.kind !== "Pipeline") return false;
  const [first, ...others] = node.stages;
  return (
    first !== undefined &&
    isExpression(first) &&
    isList(bare(first)) &&
    others.every(
      (stage) =>
        stage.kind === "Call" && /^(?:unique|sort|reverse|map|unique_by|sort_by)$/.test(stage.name.text),
    )
  );
}
