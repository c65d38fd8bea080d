import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import { definitionOf, stagesOf } from "../../../flow/protocol/dependence.ts";
import type { RuleModule } from "../../checks.ts";

const starts = (days: string): string =>
  `{"!jq": "{email: .email, starts_on: (now | strftime(\\"%Y-%m-01\\") | strptime(\\"%Y-%m-%d\\") | mktime + ${days} | strftime(\\"%Y-%m-01\\"))}"}`;

const sameMonth = defineRule<{ days: number }>({
  id: "jq/same-month",
  severity: "warning",
  summary: "Days are added to the first of a month to get into the next one, and they are too few",
  why: "28 days after the first it is still the same month, but in a February of 28 days. What should begin next month begins at the first of this one, which is past.",
  guards: ["D23"],
  message: ({ days }) =>
    `${days} days after the first of a month, it is still that month in most or some of them.`,
  because: ({ days }) => [
    `1 July and ${days} days: ${days + 1} July`,
    "the first of that month is 1 July, and not 1 August",
  ],
  help: () => "Add 32 days: no month is longer, and none is left out.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: starts("«28 * 86400»"),
      good: starts("32 * 86400"),
    },
  ],
});

const module: RuleModule = {
  rules: [sameMonth],
  checks: {
    program(program, report) {
      if (!/%m-01(?!\d)/.test(program.node.value) || !program.node.value.includes("+")) return;
      for (const pipeline of nodesOfKind(program, "Pipeline")) {
        const stages = stagesOf(pipeline);
        for (const [index, stage] of stages.entries()) {
          const next = stages[index + 1];
          const sum = bare(stage);
          if (sum.kind !== "Arithmetic" || next === undefined || !writesMonth(next, program)) continue;
          const [step, ...others] = sum.rest;
          const seconds = step?.operator === "+" && others.length === 0 ? numberOf(step.operand) : undefined;
          const days = seconds === undefined ? 0 : seconds / 86_400;
          const before = [...stages.slice(0, index), sum.first]
            .map((each) => textOf(each, program))
            .join(" ");
          if (step !== undefined && days >= 25 && days < 31 && /%m-01(?!\d)/.test(before))
            report(sameMonth, partAt(program, step.operand), { days });
        }
      }
    },
  },
};
export default module;

/** Whether a stage writes a month without its day: `strftime("%Y-%m-01")`, or a definition that does. */
function writesMonth(stage: Expression, program: JqProgram): boolean {
  const call = bare(stage);
  if (call.kind !== "Call") return false;
  const format = call.arguments[0] === undefined ? undefined : constantOf(call.arguments[0]);
  if (call.name.text === "strftime" && typeof format === "string") return /%m(?!.*%[de])/.test(format);
  const text = textOf(call, program);
  return /strftime\("[^"]*%m-01/.test(text);
}

/** A part of a program with what it calls. */
function textOf(node: Expression, program: JqProgram): string {
  const inner = bare(node);
  const definition = inner.kind === "Call" ? definitionOf(program, inner) : undefined;
  return definition === undefined ? textAt(node, program) : textAt(definition.body, program);
}
