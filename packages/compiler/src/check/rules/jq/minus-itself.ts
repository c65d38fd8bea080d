import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, defines, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const minusItself = defineRule<{ text: string; value: string; result: number }>({
  id: "jq/minus-itself",
  severity: "warning",
  summary: "A value is subtracted from itself, or divided by itself",
  why: "A value minus itself is 0, and divided by itself it is 1, for every record. Two amounts or times were meant: as it is, the field says the same of everybody.",
  guards: ["command.!jq", "D23"],
  message: ({ text, result }) => `\`${text}\` is ${result} for every record.`,
  because: ({ value, result }) => [`\`${value}\` stands on both sides: ${result}`],
  help: ({ value }) => `One of the two \`${value}\` has to be another value.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, open: («.fee_cents - .fee_cents» | . / 100)}"}',
      good: '{"!jq": "{email: .email, open: (.fee_cents - .paid_cents | . / 100)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [minusItself],
  checks: {
    program(program, report) {
      if (program.diagnostics.length > 0 || !/[-/]/.test(program.node.value)) return;
      for (const { first, rest, start } of nodesOfKind(program, "Arithmetic")) {
        const [step] = rest;
        if (step === undefined || (step.operator !== "-" && step.operator !== "/")) continue;
        if (![first, step.operand].every((each) => isPath(each) || isNow(each, program))) continue;
        const value = textAt(bare(first), program);
        if (value !== textAt(bare(step.operand), program)) continue;
        const at = partAt(program, { start, end: step.operand.end });
        const text = excerpt(program.node.value.slice(start, step.operand.end));
        report(minusItself, at, { text, value, result: step.operator === "-" ? 0 : 1 });
      }
    },
  },
};
export default module;

/** The time now is the same all through a program, as good as: `now - now`. */
const isNow = (given: Expression, program: JqProgram): boolean => {
  const node = bare(given);
  return node.kind === "Call" && node.name.text === "now" && !defines(program, "now");
};

/** A member, a variable or an expansion; a stream has another value each time. */
function isPath(given: Expression): boolean {
  const node = bare(given);
  if (node.kind === "Variable" || node.kind === "Hole") return true;
  return (
    node.kind === "Postfix" &&
    node.suffixes.length > 0 &&
    node.suffixes.every(({ kind }) => kind === "Field") &&
    /^(?:Identity|Variable|Hole)$/.test(node.head.kind)
  );
}
