import type { Expression } from "@configc/jq";
import { defineRule } from "../../../findings/rule.ts";
import { bare, textAt } from "../../../flow/nodes.ts";
import { lastName, resolved } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const echoedPage = defineRule<{ key: string; text: string; last: string }>({
  id: "polling/echoed-page",
  severity: "warning",
  summary: "The next request asks for the number of the page that was just read",
  why: "An answer that says “page 1 of 3” says where it is, not where the next page is. The second request is the first one again, and the cycle ends there: only the first page ever arrives.",
  guards: ["polling.polling_state", "polling.request", "D33"],
  message: ({ key, text, last }) =>
    `\`${key}\` becomes \`${text}\`, the page that was just read: \`iterate\` compares it with \`${last}\`.`,
  because: ({ key, text, last }) => [
    `page 1 of 3 is read: \`${text}\` is 1, \`${last}\` is 3`,
    `\`${key}\` is 1 again, so page 1 is requested again`,
  ],
  help: ({ text }) => `Write \`${text} + 1\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: .items, iterate: (.paging.number < .paging.last), polling_state: (${polling_state} + {page: «.paging.number»})}"',
      good: '"{results: .items, iterate: (.paging.number < .paging.last), polling_state: (${polling_state} + {page: (.paging.number + 1)})}"',
    },
  ],
});

const module: RuleModule = {
  rules: [echoedPage],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const sent = new Set(askedBy(intake, model)?.reads.map(({ key }) => key));
      for (const { keys, iterate, program } of writesIn(intake, "request", model) ?? []) {
        const ends = resolved(iterate, program);
        const [number, last] = ends?.kind === "Comparison" ? ascending(ends) : [];
        if (number === undefined || last === undefined) continue;
        const text = textAt(bare(number), program);
        for (const [key, value] of keys) {
          const own = bare(value);
          if (!sent.has(key) || own.kind !== "Postfix" || textAt(own, program) !== text) continue;
          if (!isPageNumber.test(lastName(own) ?? "")) continue;
          const at = { node: program.node, from: value.start, to: value.end };
          report(echoedPage, at, { key, text, last: excerpt(textAt(last, program)) });
        }
      }
    },
  },
};
export default module;

/** What is called a page is followed as one: that is told as the same request. */
const isPageNumber = /^(?:number|no|index|current)$/i;

/** The smaller and the greater side: `.page < .pages`; were the smaller one the next page, the last one would never be read. */
function ascending(node: Expression & { kind: "Comparison" }): readonly Expression[] {
  if (node.operator === "<") return [node.left, node.right];
  if (node.operator === ">") return [node.right, node.left];
  return node.operator === "!=" && bare(node.right).kind === "Postfix" ? [node.left, node.right] : [];
}
