import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { readsOfInput } from "../../../flow/reads-of-input.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const nothingGathered = defineRule<{ update: string }>({
  id: "jq/nothing-gathered",
  severity: "warning",
  summary: "A `reduce` doesn't take what it has gathered so far",
  why: "For each item, `reduce` puts what its update gives in place of what it had: `.` is what was gathered before. An update without `.` gives the value of the last item alone. A sum of three amounts is the third one.",
  guards: ["command.!jq", "D23"],
  message: ({ update }) =>
    `\`${update}\` doesn't read \`.\`, which has what was gathered before, so only the last item counts.`,
  because: ({ update }) => [
    "of three items, the first two leave no trace",
    `the third gives \`${update}\`, and that is the result`,
  ],
  help: ({ update }) => `Add it to what was gathered, such as by \`. + ${update}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, paid: (reduce .payments[] as $payment (0; «$payment.cents») | . / 100)}"}',
      good: '{"!jq": "{email: .email, paid: (reduce .payments[] as $payment (0; . + $payment.cents) | . / 100)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [nothingGathered],
  checks: {
    program(program, report) {
      if (program.diagnostics.length > 0 || !program.node.value.includes("reduce")) return;
      for (const { update } of nodesOfKind(program, "Reduce")) {
        // `reduce .items[] as $item (null; $item)` is a way to write the last one.
        if (bare(update).kind === "Variable" || readsOfInput(update).length > 0) continue;
        report(nothingGathered, partAt(program, update), { update: excerpt(textAt(update, program), 40) });
      }
    },
  },
};
export default module;
