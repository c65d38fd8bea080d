import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, partAt, textAt } from "../../../flow/nodes.ts";
import { stepAt, stepBefore } from "../../../flow/producers.ts";
import { inputPath } from "../../../flow/value-path.ts";
import type { RuleModule } from "../../checks.ts";

const comparedWithItself = defineRule<{ text: string; holds: boolean }>({
  id: "jq/compared-with-itself",
  severity: "warning",
  summary: "A value is compared with itself, read in two ways",
  why: "The input of a program is what the step before gave, and `piped_content` with that step's number is the same. A comparison of one with the other always has the same result: a check lets everything pass.",
  guards: ["expansion.piped_content", "command.!jq", "D14", "D16"],
  message: ({ text, holds }) =>
    `Both sides of \`${text}\` are the same value, so this is always ${holds ? "true" : "false"}.`,
  because: ({ text, holds }) => [
    "the input is what the step before gave, and so is the expansion",
    `\`${text}\`: always ${holds ? "true" : "false"}`,
  ],
  help: () => "Compare it with what it should be: a saved value, an answer, what a customer chose.",
  examples: [
    {
      title: "D14",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!jq": "{email: .email, key: .key}"}, {"!jq": "if «.key == ${piped_content.1.key}» then {email: .email} else null end"}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, key: .key}"}, {"!jq": "if .key == ${custom_data.form.value} then {email: .email} else null end"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [comparedWithItself],
  checks: {
    program(program, report) {
      if (program.diagnostics.length > 0 || !/piped_content/.test(program.node.value)) return;
      for (const comparison of ofInput(program.tree.body)) {
        const { operator, left, right } = comparison;
        if (operator !== "==" && operator !== "!=") continue;
        const [read, given] = [left, right].map(
          (side) => inputPath(side)?.join(".") ?? stepPath(side, program),
        );
        const isOne =
          inputPath(left) === undefined
            ? inputPath(right) !== undefined
            : stepPath(right, program) !== undefined;
        if (read === undefined || read !== given || !isOne) continue;
        const text = textAt(comparison, program);
        report(comparedWithItself, partAt(program, comparison), { text, holds: operator === "==" });
      }
    },
  },
};
export default module;

type Comparison = Extract<Expression, { kind: "Comparison" }>;

/** The comparisons that get the input of the program: in its conditions, and in the members of the object that it gives. */
function ofInput(given: Expression): readonly Comparison[] {
  const node = bare(given);
  switch (node.kind) {
    case "Comparison":
      return [node];
    case "Logical":
      return node.operands.flatMap(ofInput);
    case "If":
      return node.branches.flatMap(({ condition }) => ofInput(condition));
    case "Object":
      return node.entries.flatMap(({ value }) => (value === undefined ? [] : ofInput(value)));
    default:
      return [];
  }
}

/** `key` of `${piped_content.1.key}`, where step 1 gives the input. */
function stepPath(given: Expression, { holes, command }: JqProgram): string | undefined {
  const node = bare(given);
  const hole = node.kind === "Hole" ? holes[node.hole] : undefined;
  const [, index, ...names] = hole?.syntax.path.map(({ text }) => text) ?? [];
  if (
    hole?.root !== "piped_content" ||
    !hole.rootExact ||
    hole.syntax.filters.length > 0 ||
    names.length === 0
  )
    return undefined;
  const at = Number(index);
  const step = stepAt(command, at);
  return step !== undefined && step === stepBefore(command) ? names.join(".") : undefined;
}
