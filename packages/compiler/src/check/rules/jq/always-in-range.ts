import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsOver } from "../../../flow/counted.ts";
import { documentedCodes } from "../../../flow/documented-codes.ts";
import { documentedNulls } from "../../../flow/documented-nulls.ts";
import { type DocumentedRange, documentedRange } from "../../../flow/documented-ranges.ts";
import { hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { isSaidOfOtherOwner } from "../../../flow/said/taken-back.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const alwaysInRange = defineRule<{
  text: string;
  name: string;
  least: number | undefined;
  most: number | undefined;
  is: boolean;
  isNone?: boolean;
}>({
  id: "jq/always-in-range",
  severity: "warning",
  summary: "A condition holds for each number that a comment says a member may have, or for none",
  why: "The comment says between which numbers the member lies. A comparison that all of them pass asks nothing: every record goes the same way, and the other one is dead.",
  guards: ["command.!jq", "D3", "D23"],
  message: ({ text, name, least, most, is, isNone = false }) =>
    isNone
      ? `\`${text}\` is ${is ? "true" : "false"} with 0, too, and a comment says that records with 0 are left out.`
      : `\`${text}\` is ${is ? "true" : "false"} for each \`${name}\`${least === undefined ? "" : ` from ${least}`}${most === undefined ? "" : ` to ${most}`}, which a comment says are all.`,
  because: ({ text, name, least, most, is, isNone = false }) => [
    isNone
      ? `\`${name}\` is 0 in records that should be left out`
      : [
          least === undefined ? [] : [`${least} is the least`],
          most === undefined ? [] : [`${most} is the greatest`],
        ]
          .flat()
          .join(", and "),
    `\`${text}\` is ${is ? "true" : "false"} for ${isNone ? "0" : "each of them"}`,
  ],
  help: ({ isNone = false, is }) =>
    isNone ? `Write \`${is ? "> 0" : "<= 0"}\`.` : "Compare with a number between them.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"severity goes from 1 (routine) to 4 (stands still)."' },
      bad: '{"!jq": "{email: .email, _tags: (if «.severity >= 1» then [\\"urgent\\"] else [\\"routine\\"] end)}"}',
      good: '{"!jq": "{email: .email, _tags: (if .severity >= 3 then [\\"urgent\\"] else [\\"routine\\"] end)}"}',
    },
    {
      title: "The least of its codes",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"interval: 0 once, 1 monthly, 12 yearly."' },
      bad: '{"!jq": "{email: .email, _tags: (if «.interval >= 0» then [\\"regular\\"] else [] end)}"}',
      good: '{"!jq": "{email: .email, _tags: (if .interval > 0 then [\\"regular\\"] else [] end)}"}',
    },
    {
      title: "Records with 0 that are left out",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"Aborted sessions come with 0 Wh; they are left out."' },
      bad: '{"!jq": "if «.energy_wh >= 0» then {email: .email, energy: .energy_wh} else null end"}',
      good: '{"!jq": "if .energy_wh > 0 then {email: .email, energy: .energy_wh} else null end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [alwaysInRange],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (!/[<>=]=?\s*-?\d/.test(program.node.value) || !hasComments(model)) return;
      if (program.diagnostics.length > 0 || program.command.unit?.kind !== "workflow") return;
      for (const comparison of nodesOfKind(program, "Comparison")) {
        const { operator, left, right } = comparison;
        const [name, limit] = [nameRead(left), constantOf(right)];
        if (name === undefined || typeof limit !== "number") continue;
        const range = rangeOf(name, program, model);
        if (range === undefined) {
          const comment = limit === 0 ? leftOutWithNone(name, operator, program, model) : undefined;
          if (comment !== undefined) {
            const args = { name, least: 0, most: undefined, is: operator === ">=", isNone: true };
            const told = { ...args, text: excerpt(textAt(comparison, program), 50) };
            report(alwaysInRange, partAt(program, comparison), told, [
              { message: "the comment", at: comment },
            ]);
          }
          continue;
        }
        const read = bare(left);
        if (read.kind === "Postfix" && isSaidOfOtherOwner(read, name, range.comment)) continue;
        const { least, most } = range;
        const is = always(operator, limit, least ?? -Infinity, most ?? Infinity);
        // What has a meaning of its own goes the other way.
        if (is === undefined || range.besides.some((each) => always(operator, limit, each, each) !== is))
          continue;
        const text = excerpt(textAt(comparison, program), 50);
        const args = { text, name, least, most, is };
        report(alwaysInRange, partAt(program, comparison), args, [
          { message: "the comment", at: range.comment },
        ]);
      }
    },
  },
};
export default module;

/** The name of a member that is read as it is. */
function nameRead(node: Expression): string | undefined {
  const read = bare(node);
  const isPlain = read.kind === "Postfix" && read.suffixes.every(({ kind }) => kind === "Field");
  return isPlain ? nameOfValue(read) : undefined;
}

/** What a comment says of a member; where it may be missing, a comparison may ask whether it is there. */
function rangeOf(name: string, program: JqProgram, model: Model): DocumentedRange | undefined {
  const said = documentedRange(name, false, commentsOver(program.command, model), undefined);
  const isWhole = said?.least !== undefined && said.most !== undefined;
  const range = said === undefined ? rangeOfCodes(name, program) : isWhole ? said : undefined;
  if (range === undefined) return undefined;
  const mayBeNull = documentedNulls(program.node, intakesAround(program.command.unit)).has(name);
  return mayBeNull || isNoneAtTimes(name, range.comment.value) ? undefined : range;
}

/** Whether a comment says so, of the member or of records as such; what another member has says nothing. */
const isNoneAtTimes = (name: string, comment: string): boolean =>
  comment
    .split(/(?<=[.;])\s+/)
    .some(
      (sentence) => hasNoneAtTimes.test(sentence) && (sentence.includes(name) || !/\w_\w/.test(sentence)),
    );

/** Some records have none, or 0 for it: `Imported tickets have 0`, `null until the test is done`, `have no rating`. */
const hasNoneAtTimes =
  /\b(?:null|missing|absent|without|left out)\b|\b(?:have|has|get|gets|come with|comes with|stays?) (?:no|0|zero)\b|\bhaven't|\bnot yet\b/i;

/** The comment that says that records with 0 of what a member counts are left out, where a comparison takes 0 for more than that. */
function leftOutWithNone(
  name: string,
  operator: string,
  program: JqProgram,
  model: Model,
): StringNode | undefined {
  if (operator !== ">=" && operator !== "<") return undefined;
  const words = [...wordsOf(name).map((word) => escapedPattern(singular(word))), escapedPattern(name)].join(
    "|",
  );
  const none = String.raw`(?<![\w.,-])(?:(?:0|zero) (?:\w+ )?(?:${words})s?\b|\b(?:${words})s?(?: is| of| are|:)? (?:0|zero)\b(?![.,]\d))`;
  const leftOut = new RegExp(`${none}[^.]{0,60}${skipped}|${skipped}[^.;]{0,40}${none}`, "i");
  const comment = commentsOver(program.command, model).find(({ value }) => leftOut.test(value));
  // Where the program asks for 0 beside it, that decides.
  const isAsked = nodesOfKind(program, "Comparison").some(
    (each) =>
      constantOf(each.right) === 0 && nameRead(each.left) === name && !/^(?:>=|<)$/.test(each.operator),
  );
  return isAsked ? undefined : comment;
}

const skipped = String.raw`\b(?:left out|leave out|left off|skipped|skip|ignored|ignore|dropped|passed over|(?:are|is) not (?:taken|counted|written|sent|wanted|imported)|aren't (?:taken|counted|written|sent|wanted|imported)|don't count)\b`;

/** From the least code of a list on: `interval: 0 once, 1 monthly, 12 yearly`; where a list ends isn't always seen. */
function rangeOfCodes(name: string, { node, command: { unit } }: JqProgram): DocumentedRange | undefined {
  const codes = documentedCodes(name, node, intakesAround(unit));
  const numbers = codes?.pairs.map(([code]) => Number(code)) ?? [];
  if (codes === undefined || numbers.length < 2 || numbers.some(Number.isNaN)) return undefined;
  return { least: Math.min(...numbers), most: undefined, besides: [], comment: codes.comment };
}

/** What a comparison gives for each number of a range; undefined where it depends. */
function always(operator: string, limit: number, least: number, most: number): boolean | undefined {
  switch (operator) {
    case ">=":
      return least >= limit ? true : most < limit ? false : undefined;
    case ">":
      return least > limit ? true : most <= limit ? false : undefined;
    case "<=":
      return most <= limit ? true : least > limit ? false : undefined;
    case "<":
      return most < limit ? true : least >= limit ? false : undefined;
    case "==":
      return limit < least || limit > most ? false : undefined;
    default:
      return undefined;
  }
}
