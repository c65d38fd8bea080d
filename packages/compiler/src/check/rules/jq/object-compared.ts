import type { Comparison, Expression, Node, Postfix } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { withInputs } from "../../../flow/given-values.ts";
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
        if (isKept(comparison, program)) continue;
        const [value, other] = constantOf(right) === undefined ? [right, left] : [left, right];
        const constant = constantOf(other);
        // Whether something is there is asked in many ways.
        if (typeof constant !== "number" && (typeof constant !== "string" || constant === "")) continue;
        const whole = bare(value);
        const read = memberRead(whole, comparison, program);
        if (read === undefined) continue;
        const text = excerpt(textAt(comparison, program), 50);
        const args = { text, whole: textAt(whole, program), read, is: operator === "!=" };
        report(objectCompared, partAt(program, comparison), args);
      }
    },
  },
};
export default module;

/**
 * Whether what a comparison gives is kept for later, `($c == "none") as $isNone`, lets only other values through, `select(. != "none")`, or ends
 * it all, `if $c == "none" then empty else . end`: then what is read may be of those that are left.
 */
const isKept = (comparison: Comparison, program: JqProgram): boolean =>
  nodesOfKind(program, "Binding").some(({ source }) => isIn(comparison, source)) ||
  (comparison.operator === "!=" &&
    nodesOfKind(program, "Call").some(
      ({ name, arguments: given }) => name.text === "select" && given.some((each) => isIn(comparison, each)),
    )) ||
  nodesOfKind(program, "If").some(
    ({ branches, otherwise }) =>
      branches.some(({ condition }) => isIn(comparison, condition)) &&
      [...branches.map(({ body }) => body), otherwise].some((way) => {
        const end = way === undefined ? undefined : bare(way);
        return end?.kind === "Call" && (end.name.text === "empty" || end.name.text === "error");
      }),
  );

const isIn = (inner: Node, { start, end }: Node): boolean => start <= inner.start && inner.end <= end;

/** A member that the program reads of the same variable or the same input, whatever the comparison gives. */
function memberRead(whole: Expression, comparison: Node, program: JqProgram): string | undefined {
  const isSame = sameValue(whole, program);
  if (isSame === undefined) return undefined;
  // What is a word or a record is told apart in each of them.
  const decisions = nodesOfKind(program, "If").filter(({ branches }) =>
    branches.some(
      ({ condition }) =>
        isIn(comparison, condition) || textAt(condition, program).includes(textAt(comparison, program)),
    ),
  );
  const read = nodesOfKind(program, "Postfix").find(
    (each) =>
      each.suffixes[0]?.kind === "Field" &&
      each.suffixes[0].key.kind === "Name" &&
      isSame(each) &&
      !decisions.some((decision) => isIn(each, decision)),
  );
  return read === undefined ? undefined : textAt(read, program);
}

/** Whether something is read of the same value as this one. */
function sameValue(whole: Expression, program: JqProgram): ((read: Postfix) => boolean) | undefined {
  if (whole.kind === "Variable") {
    const source = boundTo(program, whole);
    return source === undefined
      ? undefined
      : ({ head }) =>
          head.kind === "Variable" && head.name === whole.name && boundTo(program, head) === source;
  }
  if (whole.kind !== "Identity") return undefined;
  const inputs = withInputs(program);
  const input = inputs.get(whole);
  return input === undefined
    ? undefined
    : (read) => read.head.kind === "Identity" && inputs.get(read) === input;
}
