import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
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
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const alwaysInRange = defineRule<{
  text: string;
  name: string;
  least: number | undefined;
  most: number | undefined;
  is: boolean;
}>({
  id: "jq/always-in-range",
  severity: "warning",
  summary: "A condition holds for each number that a comment says a member may have, or for none",
  why: "The comment says between which numbers the member lies. A comparison that all of them pass asks nothing: every record goes the same way, and the other one is dead.",
  guards: ["command.!jq", "D3", "D23"],
  message: ({ text, name, least, most, is }) =>
    `\`${text}\` is ${is ? "true" : "false"} for each \`${name}\`${least === undefined ? "" : ` from ${least}`}${most === undefined ? "" : ` to ${most}`}, which a comment says are all.`,
  because: ({ text, least, most, is }) => [
    [
      least === undefined ? [] : [`${least} is the least`],
      most === undefined ? [] : [`${most} is the greatest`],
    ]
      .flat()
      .join(", and "),
    `\`${text}\` is ${is ? "true" : "false"} for each of them`,
  ],
  help: () => "Compare with a number between them.",
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
        if (range === undefined) continue;
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
  const mayBeNull =
    range !== undefined && documentedNulls(program.node, intakesAround(program.command.unit)).has(name);
  return mayBeNull ? undefined : range;
}

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
