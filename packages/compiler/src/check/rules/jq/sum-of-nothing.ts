import type { Expression, Node } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { bare, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { isSaidOtherwise } from "../../../flow/said/taken-back.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const sumOfNothing = defineRule<{ text: string; list: string }>({
  id: "jq/sum-of-nothing",
  severity: "warning",
  summary: "A program reckons with the sum of a list that a comment says may be empty",
  why: "`add`, `min` and `max` of an empty list are null, and arithmetic fails with null. Each record with such a list fails and doesn't arrive.",
  guards: ["command.!jq", "D23", "D35"],
  message: ({ text, list }) => `A comment says that \`${list}\` may be empty, and \`${text}\` fails then.`,
  because: ({ text, list }) => [
    `\`${list}\` is \`[]\`: its sum is null`,
    `\`${text}\` fails: the record doesn't arrive`,
  ],
  help: () => "Write `(add // 0)`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/workflows/0/data_pipeline/_comment": '"parts is a list, maybe empty."' },
      bad: '{"!jq": "{email: .email, parts_cost: («[.parts[] | .price_cents] | add / 100»)}"}',
      good: '{"!jq": "{email: .email, parts_cost: ([.parts[] | .price_cents] | (add // 0) / 100)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [sumOfNothing],
  checks: {
    reach: "saved",
    program(program, report, model) {
      const { node, command, diagnostics } = program;
      if (!hasComments(model) || diagnostics.length > 0 || !/\b(?:add|min|max)\b/.test(node.value)) return;
      const clauses = documentedClauses(node, intakesAround(command.unit));
      if (!clauses.some(({ text }) => mayBeEmpty.test(text))) return;
      for (const pipeline of nodesOfKind(program, "Pipeline")) {
        const lists = [...pipeline.stages];
        const sum = lists.pop();
        if (lists.length === 0 || sum?.kind !== "Arithmetic" || !isSum(sum.first)) continue;
        const found = emptyAmong(lists.flatMap(namesIn), clauses);
        if (found === undefined || isAskedFor(found.name, program)) continue;
        // `[0, .parts[].price_cents] | add`
        if (lists.some(hasOneAlways)) continue;
        if (isSaidOtherwise(found.name, [found.comment]) || hasOne.test(found.comment.value)) continue;
        report(
          sumOfNothing,
          partAt(program, pipeline),
          { text: excerpt(textAt(pipeline, program), 60), list: found.name },
          [{ message: "the comment", at: found.comment }],
        );
      }
    },
  },
};
export default module;

/** A list that has an item of the program's own. */
const hasOneAlways = (list: Node): boolean =>
  list.kind === "Array" &&
  list.body?.kind === "Comma" &&
  list.body.items.some((item) => constantOf(item) !== undefined);

/** `In this event it has at least one.` */
const hasOne = /\bat least (?:one|1)\b|\bnever empty\b|\balways (?:has|have) (?:one|some|an?)\b/i;

const mayBeEmpty =
  /\b(?:may|can|might|could) be (?:an )?empty\b|\b(?:maybe|possibly|sometimes|often) (?:an )?empty\b|\bempty (?:if|when|where|for|without|until|unless)\b|\bor an empty list\b/i;

const isSum = (given: Expression): boolean => {
  const node = bare(given);
  return node.kind === "Call" && /^(?:add|min|max)$/.test(node.name.text);
};

const namesIn = (list: Node): readonly string[] =>
  nodesIn(list).flatMap((node) => (node.kind === "Field" && node.key.kind === "Name" ? [node.key.text] : []));

/** A list that is named before a comment says that it may be empty. */
function emptyAmong(
  names: readonly string[],
  clauses: readonly { readonly text: string; readonly comment: StringNode }[],
): { readonly name: string; readonly comment: StringNode } | undefined {
  for (const name of names)
    for (const { text, comment } of clauses) {
      const at = text.search(mayBeEmpty);
      if (at > 0 && new RegExp(`\\b${escapedPattern(name)}\\b`).test(text.slice(0, at)))
        return { name, comment };
    }
  return undefined;
}

/** Whether the program asks how many there are. */
const isAskedFor = (name: string, { node }: JqProgram): boolean =>
  new RegExp(`\\b${escapedPattern(name)}\\b[^,{}]{0,20}(?:\\|\\s*length|==\\s*\\[\\])`).test(node.value);
