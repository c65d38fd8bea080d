import type { Expression } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsOver, unitOf } from "../../../flow/counted.ts";
import { clausesOf } from "../../../flow/documented-clauses.ts";
import { type DocumentedFactor, factorsOfThings } from "../../../flow/documented-factors.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { isPlural, singular } from "../../../flow/nouns.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { saysOf } from "../../../flow/said/of-name.ts";
import { underlying } from "../../../flow/underlying.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const unappliedFactor = defineRule<{
  text: string;
  name: string;
  one: string;
  number: number;
  other: string;
}>({
  id: "value/unapplied-factor",
  severity: "warning",
  summary: "One unit is passed on as another, although a comment says how many of one the other is",
  why: "A comment says that a sheet has two pages. Sheets that are passed on as pages are half of what they should be, and nothing fails.",
  guards: ["command.!jq", "D3"],
  message: ({ text, name, one, number, other }) =>
    `\`${name}\` gets \`${text}\` as it is. A comment says that one ${one} is ${number} ${other}.`,
  because: ({ text, name, one, number, other }) => [
    `\`${text}\` is 1: one ${one === name ? other : one}`,
    `the comment: one ${one} is ${number} ${other}; nothing is multiplied or divided`,
  ],
  help: ({ number }) => `Multiply or divide by ${number}.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/workflows/0/data_pipeline/_comment": '"A crate holds twelve bottles."' },
      bad: '{"!jq": ".order as $o | {email: .email, bottles: «$o.crates»}"}',
      good: '{"!jq": ".order as $o | {email: .email, bottles: ($o.crates * 12)}"}',
    },
    {
      title: "Units of some minutes",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/0":
          '{"id": "list", "label": "Length", "type": "dropdown", "options": [{"display": "Half an hour", "value": "30"}, {"display": "An hour", "value": "60"}]}',
      },
      bad: '{"!pipe": [{"_comment": "Time is kept in units of six minutes.", "!jq": "{email: .email, units: «(${custom_data.list.value} | tonumber)»}"}, {"!http": {"method": "POST", "path": "/times", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"_comment": "Time is kept in units of six minutes.", "!jq": "{email: .email, units: ((${custom_data.list.value} | tonumber) / 6)}"}, {"!http": {"method": "POST", "path": "/times", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unappliedFactor],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (program.diagnostics.length > 0 || !hasComments(model)) return;
      const factors = commentsOver(program.command, model).flatMap(factorsOfThings);
      if (factors.length === 0) return;
      for (const { key, value } of nodesOfKind(program, "Entry")) {
        const name = nameOf(key);
        if (name === undefined || value === undefined) continue;
        const factor = factors.find((each) => isUnapplied(each, name, value, program, model));
        if (factor === undefined) continue;
        const { one, number, other, comment } = factor;
        if (holdsAtTimes(factor) || isCounted(name, value, program, model)) continue;
        report(
          unappliedFactor,
          partAt(program, value),
          { text: excerpt(textAt(value, program), 40), name, one, number, other },
          [{ message: "the comment", at: comment }],
        );
      }
    },
  },
};
export default module;

/** Whether a comment says that the factor is another one at times: `A week has two lessons in the summer, else one`. */
const holdsAtTimes = ({ one, other, comment }: DocumentedFactor): boolean =>
  clausesOf(comment.value).some(
    (clause) =>
      new RegExp(`\\b${escapedPattern(one)}s?\\b[^.;]{0,60}\\b${escapedPattern(singular(other))}`, "i").test(
        clause,
      ) && /\b(?:else|otherwise|if|unless|some|mostly|or)\b/i.test(clause),
  );

/** Whether a comment says that what is read counts the wanted thing: `crates counts bottles already`. */
function isCounted(name: string, value: Expression, program: JqProgram, model: Model): boolean {
  const [read, made] = [nameRead(underlying(value), program), nounCounted(name)];
  if (read === undefined || made === undefined) return false;
  const what = new RegExp(
    `^\\W?\\s*(?:counts|is how many|are how many|means|has)\\b[^.;\\d]{0,40}\\b${escapedPattern(made)}`,
  );
  return saysOf(read, what, program.command, model);
}

/** Whether a member is called as one of the two, and gets a number of the other one as it is. */
function isUnapplied(
  { one, other }: DocumentedFactor,
  name: string,
  value: Expression,
  program: JqProgram,
  model: Model,
): boolean {
  const { unit } = program.command;
  const made = nounCounted(name);
  const many = singular(other);
  const wanted = made === one ? many : made === many ? one : undefined;
  const read = wanted === undefined ? undefined : underlying(value);
  if (wanted === undefined || read === undefined || wanted === made) return false;
  const title = unit?.kind === "workflow" ? offeredTitles(unit, model).get(name) : undefined;
  // “Sheets” for `pages` says that the number stays what it is.
  if (title !== undefined && wordsOf(title).map(singular).includes(wanted)) return false;
  const given = bare(read).kind === "Postfix" ? nameRead(read, program) : undefined;
  if (given !== undefined) return nounCounted(given) === wanted;
  const node = bare(read);
  if (node.kind !== "Hole") return false;
  const counted = unitOf(node, program)?.unit;
  if (counted !== undefined) return singular(counted) === wanted;
  // `${custom_data.bunches.value}`: what customers choose or type is as many as the field is called.
  const hole = program.holes[node.hole];
  const counter = hole?.root === "piped_content" ? hole.syntax.path.at(-1)?.text : hole?.fields[0]?.id;
  return counter !== undefined && nounCounted(counter) === wanted;
}

/** `sheet` of `sheets`, `sheet_count` and `number_of_sheets`; a `sheet` isn't counted. */
function nounCounted(name: string): string | undefined {
  const words = wordsOf(name);
  const last = words.at(-1) ?? "";
  if (last === "count" && words.length > 1) return singular(words.at(-2)!);
  return isPlural(last) ? singular(last) : undefined;
}
