import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const sameBranches = defineRule<{ condition: string; given: string }>({
  id: "jq/same-branches",
  severity: "warning",
  summary: "Both branches of a condition give the same",
  why: "A condition whose branches are the same decides nothing. One of them was most likely copied and never changed, so some records get what is meant for others.",
  guards: ["D23", "command.!jq", "command.!switch"],
  message: ({ condition, given }) => `Whether or not \`${condition}\`, this gives \`${given}\`.`,
  because: ({ condition, given }) => [`\`${condition}\`: \`${given}\``, `otherwise: \`${given}\``],
  help: () => "Give what is meant in one of them, or leave the condition out.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, scanned: (if .scanned then \\"yes\\" else «\\"yes\\"» end)}"}',
      good: '{"!jq": "{email: .email, scanned: (if .scanned then \\"yes\\" else \\"no\\" end)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [sameBranches],
  checks: {
    program(program, report) {
      if (!/\belse\b/.test(program.node.value)) return;
      // Cycles and verifications are run through: what goes wrong there is told as that.
      if (isRun.test(program.command.place.name)) return;
      for (const node of nodesOfKind(program, "If")) {
        const last = node.branches.at(-1);
        const { otherwise } = node;
        if (last === undefined || otherwise === undefined || !areSame(last.body, otherwise, program))
          continue;
        report(sameBranches, partAt(program, otherwise), {
          condition: excerpt(textAt(last.condition, program), 50),
          given: excerpt(textAt(otherwise, program), 50),
        });
      }
    },
  },
};
export default module;

const isRun = /^intake\.(?:pre_poll|request|post_poll|verification)$/;

/** Whether the last two branches are written alike; of the numbers of cases, another rule tells it. */
function areSame(one: Expression, other: Expression, program: JqProgram): boolean {
  if (program.command.key === "!switch" && typeof constantOf(bare(one)) === "number") return false;
  const [a, b] = [one, other].map((each) => textAt(bare(each), program).replace(/\s+/g, " "));
  return a === b;
}
