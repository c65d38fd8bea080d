import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type ListTest, listTest } from "../../../flow/membership.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";

const filter = (test: string): string =>
  `{"!jq": "(\${custom_data.form.value} | split(\\",\\")) as $forms | if ${test} then {email: .email} else null end"}`;

const emptyMembership = defineRule<{ list: string; always: boolean }>({
  id: "jq/empty-membership",
  severity: "warning",
  summary: "A condition wants a list to be empty and to have an item",
  why: "“None chosen, or one of the chosen” is how optional choices are read. With `and` and `or` exchanged, the condition is never true, or always, whatever customers choose.",
  guards: ["D23", "data_pipeline.source"],
  message: ({ list, always }) =>
    always
      ? `This is always true: either \`${list}\` has items, or nothing is one of them.`
      : `This is never true: an empty \`${list}\` has no items.`,
  because: ({ list, always }) => [
    `\`${list}\` is empty: ${always ? "nothing is one of its items, so it holds" : "nothing is one of its items"}`,
    `\`${list}\` has items: ${always ? "it holds" : "it isn't empty"}`,
  ],
  help: ({ always }) => (always ? "Write `and`." : "Write `or`."),
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: filter("«($forms | length) == 0 and (.form_id | IN($forms[]))»"),
      good: filter("($forms | length) == 0 or (.form_id | IN($forms[]))"),
    },
  ],
});

const module: RuleModule = {
  rules: [emptyMembership],
  checks: {
    program(program, report) {
      if (!/\b(?:and|or)\b/.test(program.node.value)) return;
      for (const { operator, operands, start, end } of nodesOfKind(program, "Logical")) {
        const list = clashIn(operands, operator === "and", program);
        if (list !== undefined)
          report(
            emptyMembership,
            { node: program.node, from: start, to: end },
            { list, always: operator === "or" },
          );
      }
    },
  },
};
export default module;

/** The list of which one operand says that it is empty, and the other one that it has something: with `or` the other way round. */
function clashIn(operands: readonly Expression[], isAnd: boolean, program: JqProgram): string | undefined {
  const tests = operands.flatMap(
    (operand): ListTest | readonly ListTest[] => listTest(operand, program) ?? [],
  );
  const filled = tests.filter(({ asks, holds }) => asks === "filled" && holds !== isAnd);
  const members = tests.filter(({ asks, holds }) => asks === "member" && holds === isAnd);
  return filled.find(({ list }) => members.some((other) => other.list === list))?.list;
}
