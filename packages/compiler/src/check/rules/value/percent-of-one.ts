import type { Expression } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { saysAround, saysOf } from "../../../flow/said/of-name.ts";
import { unitOfName } from "../../../flow/unit.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const percentOfOne = defineRule<{ text: string; name: string; sign: string }>({
  id: "value/percent-of-one",
  severity: "warning",
  summary: "A percentage is taken from 1, or added to it, as if it were a share",
  why: "Ten percent are 10, and the share is 0.1. `1 - 10` is -9: the amount gets another sign and nine times its size.",
  guards: ["command.!jq", "D23"],
  message: ({ text, name }) => `\`${name}\` counts percent, so \`${text}\` isn't the share that remains.`,
  because: ({ name, sign }) => [`\`${name}\` is 10`, `1 ${sign} 10 is ${sign === "-" ? "-9" : "11"}`],
  help: ({ name, sign }) => `Write \`(100 ${sign} ${name}) / 100\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, payout: (.damage * («1 - .deductible_percent»))}"}',
      good: '{"!jq": "{email: .email, payout: (.damage * (100 - .deductible_percent) / 100)}"}',
    },
    {
      title: "A surcharge",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": ". as $order | {email: .email, gross: ($order.net * («1 + $order.vat_pct»))}"}',
      good: '{"!jq": ". as $order | {email: .email, gross: ($order.net * (1 + $order.vat_pct / 100))}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [percentOfOne],
  checks: {
    // A comment may show that it is a share.
    reach: "saved",
    program(program, report, model) {
      if (!/percent|pct/i.test(program.node.value)) return;
      for (const node of nodesOfKind(program, "Arithmetic")) {
        const [operand, ...others] = node.rest;
        if (operand === undefined || others.length > 0 || !isOne(node.first)) continue;
        if (operand.operator !== "-" && operand.operator !== "+") continue;
        const read = readIn(operand.operand);
        const name = nameOfValue(read);
        if (name === undefined || unitOfName(name) !== "percent") continue;
        if (isShare(name, program, model)) continue;
        report(percentOfOne, partAt(program, node), {
          text: excerpt(textAt(node, program), 60),
          name: textAt(read, program),
          sign: operand.operator,
        });
      }
    },
  },
};
export default module;

const isOne = (node: Expression): boolean => {
  const inner = bare(node);
  return inner.kind === "Number" && inner.value === 1;
};

/** Whether the program has made parts of one of it, or a comment says or shows that: `discount_pct: 0.15`. */
function isShare(name: string, { node, command }: JqProgram, model: Model): boolean {
  const own = escapedPattern(name);
  return (
    new RegExp(`(?<!\\w)${own}"?\\s{0,4}:\\s{0,4}\\(*[.$\\w]{1,60}\\s{0,4}/\\s{0,4}100\\b`).test(
      node.value,
    ) ||
    saysOf(name, /\b(?:fraction|share|parts? of (?:one|1)|between 0 and 1|0\.\d)/i, command, model) ||
    saysAround(new RegExp(`(?<!\\w)${own}"?:\\s{0,4}0?\\.\\d`), command, model)
  );
}

/** What is read where it is there: `.rate` of `(.rate // 0)`. */
function readIn(node: Expression): Expression {
  const inner = bare(node);
  return inner.kind === "Alternative" ? bare(inner.operands[0]!) : inner;
}
