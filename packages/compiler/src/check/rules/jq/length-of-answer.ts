import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { inputTrails } from "../../../flow/origin.ts";
import type { RuleModule } from "../../checks.ts";

const lengthOfAnswer = defineRule<{ text: string }>({
  id: "jq/length-of-answer",
  severity: "warning",
  summary: "The members of an answer are counted instead of the items of its list",
  why: "What a request gives is an object; a bare list stands in its `body`. The length of an object is the number of its members, which is the same whether anything was found or not.",
  guards: ["command.!http", "command.!jq", "D20", "D23"],
  message: ({ text }) =>
    `\`${text}\` counts the members of the answer, an object. It is the same whether its list has items or not.`,
  because: ({ text }) => [
    "nothing is found: the answer is an object with an empty list",
    `\`${text}\` counts its members: one or more`,
  ],
  help: () => "Count the list: `.items | length`.",
  examples: [
    {
      title: "D20",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if «length == 0» then 0 else 1 end", "cases": [{"!error": "Nobody has this address."}, {"!http": {"method": "PUT", "path": "/people/${piped_content.1.people.0.id}/lists/${custom_data.list.value}"}}]}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.people | length) == 0 then 0 else 1 end", "cases": [{"!error": "Nobody has this address."}, {"!http": {"method": "PUT", "path": "/people/${piped_content.1.people.0.id}/lists/${custom_data.list.value}"}}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [lengthOfAnswer],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (program.diagnostics.length > 0 || !/\blength\b/.test(program.node.value)) return;
      for (const comparison of nodesOfKind(program, "Comparison")) {
        const counted = countedIn(comparison.left);
        if (counted === undefined || typeof constantOf(comparison.right) !== "number") continue;
        const trails = inputTrails(flowOf(model), program, counted);
        const isAnswer =
          trails.length > 0 &&
          trails.every(({ origin }) => origin.kind === "response" && origin.path.length === 0);
        if (isAnswer)
          report(lengthOfAnswer, partAt(program, comparison), { text: textAt(comparison, program) });
      }
    },
  },
};
export default module;

/** `length` of what comes in: by itself, or of `.`. */
function countedIn(given: Expression): Expression | undefined {
  const node = bare(given);
  if (node.kind === "Call")
    return node.name.text === "length" && node.arguments.length === 0 ? node : undefined;
  if (node.kind !== "Pipeline" || node.stages.length !== 2) return undefined;
  const [first, last] = node.stages as Expression[];
  const isLength = last?.kind === "Call" && last.name.text === "length";
  return first?.kind === "Identity" && isLength ? first : undefined;
}
