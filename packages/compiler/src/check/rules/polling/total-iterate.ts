import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { lastName, onlyOutcome, pagesName, resolved, writtenAs } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../words.ts";

const totalIterate = defineRule<{ text: string; total: string }>({
  id: "polling/total-iterate",
  severity: "warning",
  summary: "`iterate` looks at the number of pages, but not at which one this is",
  why: "The number of pages is the same on each of them. Compared with a constant it says “go on” after the last page too: the cycle runs on until an answer is empty or a limit is reached, and what is to happen after the last page never does.",
  guards: ["polling.iterate", "D33"],
  message: ({ text, total }) =>
    `\`${total}\` is the same on each page, so \`${text}\` doesn't become false with the last one.`,
  because: ({ text }) => [
    `page 1 of 2: \`${text}\` is true`,
    "page 2 of 2: it is true as well, and page 3 is asked for",
  ],
  help: ({ total }) => `Compare it with the page that was read: \`\${polling_state.page} < ${total}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: .items, iterate: («.total_pages > 1»), polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
      good: '"{results: .items, iterate: (${polling_state.page} < .total_pages), polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
    },
  ],
});

const module: RuleModule = {
  rules: [totalIterate],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const found = comparedTotal(intake, model);
      if (found === undefined) return;
      const { program, value, total } = found;
      const text = excerpt(program.node.value.slice(value.start, value.end), 40);
      report(totalIterate, { node: program.node, from: value.start, to: value.end }, { text, total });
    },
  },
};
export default module;

function comparedTotal(
  intake: IntakeSymbol,
  model: Model,
): { readonly program: JqProgram; readonly value: Expression; readonly total: string } | undefined {
  const outcome = onlyOutcome(intake, model);
  if (outcome === undefined) return undefined;
  const { program } = outcome;
  const value = resolved(outcome.members.get("iterate"), program);
  if (value?.kind !== "Comparison" || !/^(?:>=?|!=)$/.test(value.operator)) return undefined;
  const name = lastName(value.left);
  if (typeof constantOf(value.right) !== "number" || name === undefined) return undefined;
  if (!pagesName.test(name)) return undefined;
  return { program, value, total: writtenAs(value.left, program) };
}
