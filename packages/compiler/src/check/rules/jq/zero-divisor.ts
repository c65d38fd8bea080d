import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const zeroDivisor = defineRule<{ condition: string; divisor: string; instead: string }>({
  id: "jq/zero-divisor",
  severity: "warning",
  summary: "A condition that guards a division lets 0 through",
  why: "A division by 0 fails, and that record doesn't arrive. Who asks whether a number is at least 0 before dividing by it wants to keep 0 out.",
  guards: ["D23", "command.!jq"],
  message: ({ condition, divisor }) =>
    `\`${condition}\` lets 0 through, and with 0 the division by \`${divisor}\` fails.`,
  because: ({ divisor }) => [`\`${divisor}\` is 0`, "the division by 0 fails: the record doesn't arrive"],
  help: ({ instead }) => `Write \`${instead}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, rate: (if «.minutes >= 0» then .grams / .minutes else 0 end)}"}',
      good: '{"!jq": "{email: .email, rate: (if .minutes > 0 then .grams / .minutes else 0 end)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [zeroDivisor],
  checks: {
    program(program, report) {
      const { value } = program.node;
      if (!value.includes("/") || !/(?:>=|<)\s*0\b/.test(value) || program.diagnostics.length > 0) return;
      for (const { branches, otherwise } of nodesOfKind(program, "If"))
        for (const [at, { condition, body }] of branches.entries()) {
          const asked = bare(condition);
          if (asked.kind !== "Comparison" || constantOf(asked.right) !== 0) continue;
          // What goes on elsewhere is asked there.
          const [next] = branches.slice(at + 1);
          const guarded =
            asked.operator === ">="
              ? body
              : asked.operator === "<" && next === undefined
                ? otherwise
                : undefined;
          const divisor = textAt(bare(asked.left), program);
          if (guarded === undefined || !divides(guarded, divisor, program)) continue;
          const instead = `${divisor} ${asked.operator === ">=" ? ">" : "<="} 0`;
          report(zeroDivisor, partAt(program, asked), {
            condition: excerpt(textAt(asked, program), 50),
            divisor,
            instead,
          });
        }
    },
  },
};
export default module;

/** Whether an expression divides by a value, or by a multiple of it, and asks nothing more of it. */
function divides(body: Expression, divisor: string, program: JqProgram): boolean {
  const parts = nodesIn(body);
  if (parts.some(({ kind }) => kind === "If" || kind === "Alternative" || kind === "Try")) return false;
  return parts.some(
    (node) =>
      node.kind === "Arithmetic" &&
      node.rest.some(
        ({ operator, operand }) =>
          (operator === "/" || operator === "%") && isMultiple(operand, divisor, program),
      ),
  );
}

/** `.minutes`, or `(.minutes / 60)` */
function isMultiple(given: Expression, divisor: string, program: JqProgram): boolean {
  const node = bare(given);
  if (node.kind !== "Arithmetic") return textAt(node, program) === divisor;
  return (
    textAt(bare(node.first), program) === divisor &&
    node.rest.every(({ operator }) => /^[*/]$/.test(operator))
  );
}
