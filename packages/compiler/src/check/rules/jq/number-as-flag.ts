import type { Comparison, Expression, Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { bare, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const numberAsFlag = defineRule<{ text: string; value: string; is: boolean; used: string }>({
  id: "jq/number-as-flag",
  severity: "warning",
  summary: "A value that the program calculates with is compared with true or false",
  why: "A number is neither true nor false, and null isn't false either. So the comparison is the same for every record: what is missing isn't noticed, and the program fails where it calculates with it.",
  guards: ["command.!jq", "command.!switch", "D23"],
  message: ({ text, value, is, used }) =>
    `\`${text}\` is ${is} for every record: \`${used}\` calculates with \`${value}\`, so it is a number.`,
  because: ({ value, text, is }) => [
    `\`${value}\` is 5: \`${text}\` is ${is}`,
    `\`${value}\` is null: \`${text}\` is ${is}, too`,
  ],
  help: ({ value }) => `Did you mean \`${value} == null\`?`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": ". as $job | {email: .email, price: (if «$job.pence == false» then null else $job.pence / 100 end)}"}',
      good: '{"!jq": ". as $job | {email: .email, price: (if $job.pence == null then null else $job.pence / 100 end)}"}',
    },
    {
      title: "What comes into the condition",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, day: (.starts_ms | if «. == false» then null else . / 1000 | todate end)}"}',
      good: '{"!jq": "{email: .email, day: (.starts_ms | if . == null then null else . / 1000 | todate end)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [numberAsFlag],
  checks: {
    program(program, report) {
      const { node, diagnostics } = program;
      if (diagnostics.length > 0 || !/[!=]=\s*(?:true|false)\b/.test(node.value)) return;
      for (const { branches, otherwise } of nodesOfKind(program, "If")) {
        const bodies = [...branches.map(({ body }) => body), ...(otherwise === undefined ? [] : [otherwise])];
        // Some services send false for a number that isn't there, and comments say so.
        if (commentsAround(node, []).some(({ value }) => /\bfalse\b/.test(value))) continue;
        for (const { condition } of branches)
          for (const asked of flagsAsked(condition, program)) {
            const used = bodies.flatMap((body) => calculatedWith(asked.value, body, program))[0];
            if (used === undefined) continue;
            report(numberAsFlag, partAt(program, asked.comparison), {
              text: excerpt(textAt(asked.comparison, program)),
              value: excerpt(textAt(asked.value, program)),
              is: asked.comparison.operator === "!=",
              used: excerpt(textAt(used, program)),
            });
          }
      }
    },
  },
};
export default module;

/** The comparisons of a value with true or false that a condition is, or that it is made of. */
function flagsAsked(
  condition: Expression,
  program: JqProgram,
): readonly { readonly comparison: Comparison; readonly value: Expression }[] {
  const node = bare(condition);
  if (node.kind === "Logical") return node.operands.flatMap((operand) => flagsAsked(operand, program));
  if (node.kind !== "Comparison" || (node.operator !== "==" && node.operator !== "!=")) return [];
  const value = bare(node.left);
  const isValue =
    value.kind === "Identity" || (value.kind === "Postfix" && !/[|(?]/.test(textAt(value, program)));
  return isValue && typeof constantOf(node.right) === "boolean" ? [{ comparison: node, value }] : [];
}

/** What subtracts, multiplies or divides a value, as it is written. */
function calculatedWith(value: Expression, body: Expression, program: JqProgram): readonly Node[] {
  const text = textAt(value, program);
  // What `.` is changes from stage to stage.
  const nodes = value.kind === "Identity" ? [firstOf(body)] : nodesIn(body);
  return nodes.filter(
    (node) =>
      node.kind === "Arithmetic" &&
      node.rest.every(({ operator }) => operator !== "+") &&
      [node.first, ...node.rest.map(({ operand }) => operand)].some(
        (operand) => textAt(bare(operand), program) === text,
      ),
  );
}

/** What is reckoned first of what comes in: `. / 1000` of `. / 1000 | floor`. */
function firstOf(body: Expression): Node {
  const node = bare(body);
  return node.kind === "Pipeline" && node.stages[0] !== undefined ? firstNode(node.stages[0]) : node;
}

const firstNode = (stage: Node): Node => (stage.kind === "Group" ? firstOf(stage.body) : stage);
