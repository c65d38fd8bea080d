import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesIn, nodesOfKind } from "../../../flow/nodes.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { lastName } from "../../../flow/protocol/forms.ts";
import type { RuleModule } from "../../checks.ts";

const exchangedBranches = defineRule<{ asked: string; then: string; otherwise: string }>({
  id: "jq/exchanged-branches",
  severity: "hint",
  summary: "The two branches of a condition are exchanged",
  why: "A record that is refunded should be called “refunded”. With the branches exchanged, every record says the opposite of what it is.",
  guards: ["D23", "command.!jq"],
  message: ({ asked, then, otherwise }) =>
    `Where it is “${asked}”, this gives “${then}”, and otherwise “${otherwise}”.`,
  because: ({ asked, then, otherwise }) => [`“${asked}”: “${then}”`, `all others: “${otherwise}”`],
  help: () => "Swap the branches, or invert the condition.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, stage: («if .refunded then \\"order.placed\\" else \\"order.refunded\\" end»)}"}',
      good: '{"!jq": "{email: .email, stage: (if .refunded then \\"order.refunded\\" else \\"order.placed\\" end)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [exchangedBranches],
  checks: {
    program(program, report) {
      for (const node of nodesOfKind(program, "If")) {
        const [branch, ...others] = node.branches;
        const found =
          branch === undefined || others.length > 0 || node.otherwise === undefined
            ? undefined
            : exchanged(branch.condition, branch.body, node.otherwise, program);
        if (found !== undefined)
          report(exchangedBranches, { node: program.node, from: node.start, to: node.end }, found);
      }
    },
  },
};
export default module;

function exchanged(condition: Expression, body: Expression, otherwise: Expression, program: JqProgram) {
  const asked = askedIn(condition, program);
  const [then, other] = [textIn(body), textIn(otherwise)];
  if (asked === undefined || then === undefined || other === undefined) return undefined;
  const says = (text: string): boolean => wordsOf(text).includes(asked.word);
  const isExchanged = asked.holds ? says(other) && !says(then) : says(then) && !says(other);
  return isExchanged
    ? { asked: asked.holds ? asked.word : `not ${asked.word}`, then, otherwise: other }
    : undefined;
}

/** The word that a condition asks for: `refunded` of `.refunded` and of `.status == "refunded"`. */
function askedIn(condition: Expression, program: JqProgram): { word: string; holds: boolean } | undefined {
  const node = bare(condition);
  if (node.kind === "Pipeline") {
    const [first, last, ...others] = node.stages as Expression[];
    const inner =
      last?.kind === "Call" && last.name.text === "not" && others.length === 0 && first !== undefined
        ? askedIn(first, program)
        : undefined;
    return inner === undefined ? undefined : { ...inner, holds: !inner.holds };
  }
  if (node.kind === "Comparison") {
    const value = constantOf(node.right);
    if (node.operator !== "==" && node.operator !== "!=") return undefined;
    const holds = node.operator === "==";
    if (typeof value === "boolean") {
      const inner = askedIn(node.left, program);
      return inner === undefined ? undefined : { ...inner, holds: inner.holds === (holds === value) };
    }
    const word = typeof value === "string" ? wordsOf(value).at(-1) : undefined;
    return word === undefined || word.length < 4 ? undefined : { word, holds };
  }
  const name = node.kind === "Postfix" ? lastName(node) : undefined;
  const words = name === undefined ? [] : wordsOf(name);
  const word = words.at(-1);
  if (word === undefined || word.length < 5 || words.length > 2) return undefined;
  return words.length === 1 || /^(?:is|was|has)$/.test(words[0]!) ? { word, holds: true } : undefined;
}

/** The one text in a branch that is nothing but constants. */
function textIn(body: Expression): string | undefined {
  const node = bare(body);
  const own = constantOf(node);
  if (typeof own === "string") return own;
  if (node.kind !== "Array") return undefined;
  const texts = nodesIn(node).flatMap((each) => {
    const value = each.kind === "String" ? constantOf(each) : undefined;
    return typeof value === "string" ? [value] : [];
  });
  return node.body === undefined ? "" : texts.length === 1 ? texts[0] : undefined;
}
