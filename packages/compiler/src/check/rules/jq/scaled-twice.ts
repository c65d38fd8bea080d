import type { Expression } from "@configc/jq";
import { defineRule } from "../../../findings/rule.ts";
import { bare, isExpression, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import { rounds } from "../../../flow/unrounded.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";

const scaledTwice = defineRule<{ text: string; number: number; places: number }>({
  id: "jq/scaled-twice",
  severity: "warning",
  summary: "A number is multiplied, rounded, and multiplied again instead of divided",
  why: "To round to decimals, a program multiplies, rounds, and divides by the same number. Multiplied both times, 12.5 arrives as 1,250 or 125,000: a number like any other, so nobody sees that it is wrong.",
  guards: ["D23"],
  message: ({ text, number }) =>
    `\`${text}\` multiplies by ${number} once more what was multiplied by it before it was rounded.`,
  because: ({ number, places }) => {
    const given = Number((2.5 / 10 ** (places - 1)).toPrecision(12));
    return [
      `${given} becomes ${Math.round(given * number)} when it is rounded`,
      `then it becomes ${Math.round(given * number) * number} instead of ${given}`,
    ];
  },
  help: ({ number }) => `Divide by ${number} behind the rounding.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, rating: (.rating * 10 | «round * 10»)}"}',
      good: '{"!jq": "{email: .email, rating: (.rating * 10 | round / 10)}"}',
      fixed: '{"!jq": "{email: .email, rating: (.rating * 10 | round / 10)}"}',
    },
  ],
  fixes: ({ at, args: { number } }, { document }) => {
    if (!("from" in at)) return [];
    const text = at.node.value.slice(at.from, at.to);
    const operator = text.lastIndexOf("*");
    return [
      {
        title: `Divide by ${number}`,
        safe: false,
        edits: [replaceInString(document, at.node, at.from + operator, at.from + operator + 1, "/")],
      },
    ];
  },
});

const module: RuleModule = {
  rules: [scaledTwice],
  checks: {
    program(program, report) {
      if (
        !/\* *10+\b[^*/]*\b(?:round|floor|ceil|trunc)\b[\s)]*(?:\| *\. *)?\* *10+\b/.test(program.node.value)
      )
        return;
      for (const node of nodesOfKind(program, "Arithmetic")) {
        const times = timesOf(node);
        // `(.rating * 10 | round) * 10`
        const inner = times === undefined ? undefined : bare(node.first);
        const last = inner?.kind === "Pipeline" ? inner.stages.at(-1) : undefined;
        if (times === undefined || inner?.kind !== "Pipeline" || last === undefined) continue;
        if (
          isExpression(last) &&
          rounds(last) &&
          timesBefore(inner.stages, inner.stages.length - 1) === times
        )
          tell(node, times);
      }
      for (const { stages } of nodesOfKind(program, "Pipeline"))
        stages.forEach((stage, at) => {
          const node = isExpression(stage) ? bare(stage) : undefined;
          const times = node?.kind === "Arithmetic" ? timesOf(node) : undefined;
          if (node?.kind !== "Arithmetic" || times === undefined || at === 0) return;
          // `… | round * 10`, or `… | round | . * 10`
          const before = stages[at - 1];
          const isRounded =
            node.first.kind === "Identity" && before !== undefined && isExpression(before) && rounds(before);
          const from = isRounded ? at - 1 : rounds(node.first) ? at : 0;
          if (from > 0 && timesBefore(stages, from) === times) tell(node, times);
        });

      function tell(node: Expression, number: number): void {
        const args = {
          text: excerpt(textAt(node, program), 60),
          number,
          places: Math.round(Math.log10(number)),
        };
        report(scaledTwice, { node: program.node, from: node.start, to: node.end }, args);
      }
    },
  },
};
export default module;

/** The power of ten that an expression multiplies by, and does nothing else. */
function timesOf(node: Extract<Expression, { kind: "Arithmetic" }>): number | undefined {
  const last = node.rest.at(-1);
  const number = last?.operator === "*" ? numberOf(last.operand) : undefined;
  return number !== undefined && /^10+$/.test(`${number}`) ? number : undefined;
}

/** The same of the stage before a stage. */
function timesBefore(
  stages: Extract<Expression, { kind: "Pipeline" }>["stages"],
  at: number,
): number | undefined {
  const stage = stages[at - 1];
  const node = stage !== undefined && isExpression(stage) ? bare(stage) : undefined;
  return node?.kind === "Arithmetic" ? timesOf(node) : undefined;
}
