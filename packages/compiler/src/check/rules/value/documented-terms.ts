import type { Expression, Postfix } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsOver } from "../../../flow/counted.ts";
import { fieldOf } from "../../../flow/field-of.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import { durationsIn } from "../../../flow/said-durations.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const documentedTerms = defineRule<{ number: string; factor: number; said: string; instead: string }>({
  id: "value/documented-terms",
  severity: "warning",
  summary: "A list of terms has one in another unit than the factor behind it",
  why: "A comment gives the terms one by one, some in hours and some in days. In a list that is multiplied by one factor, each has to be in the unit of this factor: seven days that are counted as hours are over in the same night.",
  guards: ["command.!jq", "D3"],
  message: ({ number, factor, said }) =>
    `\`${number}\` times ${factor} seconds isn't what the comment says, which is ${said}.`,
  because: ({ number, factor, said }) => [
    `written: ${number} times ${factor} seconds`,
    `the comment: ${said}, as the others of the list agree`,
  ],
  help: ({ instead }) => `Write \`${instead}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/_comment": '"Urgency 1: within 4 hours, 2: 24 hours, 3: 7 days."',
      },
      bad: '{"!jq": "{email: .email, due: ((.reported | fromdate) + [4, 24, «7»][.urgency - 1] * 3600 | todate)}"}',
      good: '{"!jq": "{email: .email, due: ((.reported | fromdate) + [4, 24, 168][.urgency - 1] * 3600 | todate)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [documentedTerms],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (!/[\]}][\s\S]*\*\s*\(?\d/.test(program.node.value)) return;
      if (program.diagnostics.length > 0) return;
      for (const { first, rest } of nodesOfKind(program, "Arithmetic")) {
        const terms = rest.every(({ operator }) => operator === "*") ? numbersIn(first) : undefined;
        if (terms === undefined) continue;
        const factor = rest.reduce((product, { operand }) => product * (numberOf(operand) ?? Number.NaN), 1);
        if (Number.isNaN(factor) || factor < 60) continue;
        for (const comment of saidOf(first, program, model)) {
          const other = otherFactor(terms, factor, comment.value);
          const [{ operand } = { operand: first }] = rest;
          if (other !== undefined) {
            const number = textAt(terms[0]!, program);
            report(
              documentedTerms,
              partAt(program, { start: operand.start, end: rest.at(-1)!.operand.end }),
              { number, factor, said: `${Number(number) * other} seconds`, instead: `${other}` },
              [{ message: "the comment", at: comment }],
            );
            break;
          }
          const wrong = otherTerms(terms, factor, comment.value);
          for (const { term, seconds } of wrong)
            report(
              documentedTerms,
              partAt(program, term),
              {
                number: textAt(term, program),
                factor,
                said: `${seconds} seconds`,
                instead: `${seconds / factor}`,
              },
              [{ message: "the comment", at: comment }],
            );
          if (wrong.length > 0) break;
        }
      }
    },
  },
};
export default module;

/** The numbers of `[4, 24, 168][.urgency - 1]` and `{low: 4, high: 24}[.urgency]`, three or more. */
function numbersIn(given: Expression): readonly Expression[] | undefined {
  const node = bare(given);
  const isChosen =
    node.kind === "Postfix" && node.suffixes.length === 1 && node.suffixes[0]!.kind === "Index";
  const items = isChosen ? itemsOf(node) : [];
  return items.length > 2 && items.every((each) => typeof constantOf(each) === "number") ? items : undefined;
}

function itemsOf({ head }: Postfix): readonly Expression[] {
  const list = bare(head);
  if (list.kind === "Object") return list.entries.flatMap(({ value }) => value ?? []);
  const body = list.kind === "Array" && list.body !== undefined ? bare(list.body) : undefined;
  return body?.kind === "Comma" ? body.items : [];
}

/** The comments around, and what a form field says of itself whose choice finds the number. */
function saidOf(chosen: Expression, program: JqProgram, model: Model): readonly StringNode[] {
  const [suffix] = (bare(chosen) as Postfix).suffixes;
  const field = suffix?.kind === "Index" ? fieldOf(suffix.index, program) : undefined;
  const help = field?.node.get("help_text");
  return [...(help?.kind === "string" ? [help] : []), ...commentsOver(program.command, model)];
}

/** The factor of another unit with which all are as long as a sentence says, in the same order. */
function otherFactor(terms: readonly Expression[], factor: number, comment: string): number | undefined {
  for (const sentence of comment.split(/(?<=[.;])\s/)) {
    const said = durationsIn(sentence);
    if (said.length !== terms.length) continue;
    const fits = (each: number): boolean =>
      terms.every((term, at) => Number(constantOf(term)) * each === said[at]);
    return fits(factor) ? undefined : [1, 60, 3_600, 86_400].find(fits);
  }
  return undefined;
}

/** Those that aren't as long as a sentence says which gives as many, in the same order, where the others are. */
function otherTerms(terms: readonly Expression[], factor: number, comment: string) {
  for (const sentence of comment.split(/(?<=[.;])\s/)) {
    const said = durationsIn(sentence);
    if (said.length !== terms.length) continue;
    const wrong = terms.flatMap((term, at) =>
      Number(constantOf(term)) * factor === said[at] ? [] : [{ term, seconds: said[at]! }],
    );
    // A list of which most are others is about something else.
    return wrong.length * 2 <= terms.length ? wrong : [];
  }
  return [];
}
