import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const objectCompared = defineRule<{ text: string; whole: string; read: string; is: boolean }>({
  id: "jq/object-compared",
  severity: "warning",
  summary: "A whole object is compared with a text or a number",
  why: "An object is equal to no text and no number. The comparison is the same for every record, so one of the two ways is never taken.",
  guards: ["command.!jq", "command.!switch", "D23"],
  message: ({ text, whole, read, is }) =>
    `\`${text}\` is always ${is}: \`${whole}\` is an object, of which this program also reads \`${read}\`.`,
  because: ({ whole, read, text, is }) => [
    `\`${read}\` is read: \`${whole}\` is an object`,
    `\`${text}\` is ${is}, whatever comes`,
  ],
  help: ({ whole }) => `Compare the member of \`${whole}\` that is meant.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": ". as $p | {email: $p.email, left: (if «$p == \\"person.left\\"» then \\"yes\\" else \\"no\\" end)}"}',
      good: '{"!jq": ". as $p | {email: $p.email, left: (if $p.event == \\"person.left\\" then \\"yes\\" else \\"no\\" end)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [objectCompared],
  checks: {
    program(program, report) {
      const { node, diagnostics } = program;
      if (diagnostics.length > 0 || !/[!=]=/.test(node.value)) return;
      // Values of several types are told apart there.
      if (/\b(?:type|objects|scalars|strings|try)\b|\?/.test(node.value)) return;
      for (const comparison of nodesOfKind(program, "Comparison")) {
        const { operator, left, right } = comparison;
        if (operator !== "==" && operator !== "!=") continue;
        const [value, other] = constantOf(right) === undefined ? [right, left] : [left, right];
        const constant = constantOf(other);
        // Whether something is there is asked in many ways.
        if (typeof constant !== "number" && (typeof constant !== "string" || constant === "")) continue;
        const whole = bare(value);
        const read = memberRead(whole, program);
        if (read === undefined) continue;
        const text = excerpt(textAt(comparison, program), 50);
        const args = { text, whole: textAt(whole, program), read, is: operator === "!=" };
        report(objectCompared, partAt(program, comparison), args);
      }
    },
  },
};
export default module;

/** A member that the program reads of the same variable. */
function memberRead(whole: Expression, program: JqProgram): string | undefined {
  const source = whole.kind === "Variable" ? boundTo(program, whole) : undefined;
  if (whole.kind !== "Variable" || source === undefined) return undefined;
  const read = nodesOfKind(program, "Postfix").find(
    ({ head, suffixes: [first] }) =>
      head.kind === "Variable" &&
      head.name === whole.name &&
      boundTo(program, head) === source &&
      first?.kind === "Field" &&
      first.key.kind === "Name",
  );
  return read === undefined ? undefined : textAt(read, program);
}
