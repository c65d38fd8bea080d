import { printType, type Type, types } from "@configc/jq";
import { failureCodes } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { inferProgram } from "../../../flow/inference.ts";
import { nodesIn } from "../../../flow/nodes.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { resultsOf } from "../../../flow/result.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { conditionalParts } from "../jq/fails-on-null.ts";

const caseShape = defineRule<{ found: string; text: string }>({
  id: "pipeline/case-shape",
  severity: "warning",
  summary: "After one case of a `!switch`, the next step fails",
  why: "The next step takes the output of whichever case was taken. A case that gives a list where the others give an object ends in a failure, for every record that goes this way.",
  guards: ["command.!switch", "command.!jq", "D23", "D26"],
  message: ({ found, text }) =>
    `This case gives \`${found}\`, and the next step fails with it at \`${text}\`.`,
  because: ({ found, text }) => [`this case was taken: the next step gets \`${found}\``, `\`${text}\` fails`],
  help: () => "Give the same shape in each case.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!switch": {"jq": "if .email == null then 0 else 1 end", "cases": [{"!jq": "«[]»"}, {"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}]}}, {"!jq": "{ids: [.people[] | .id]}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.2}"}}]}',
      good: '{"!pipe": [{"!switch": {"jq": "if .email == null then 0 else 1 end", "cases": [{"!jq": "{people: []}"}, {"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}]}}, {"!jq": "{ids: [.people[] | .id]}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.2}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [caseShape],
  checks: {
    reach: "saved",
    program(program, report, model) {
      const step = program.command.key === "!jq" ? stepBefore(program.command) : undefined;
      if (step?.key !== "!switch" || program.diagnostics.length > 0) return;
      // What fails whatever comes in is told as that.
      const always = new Set(failuresWith(flowOf(model).programInput(program), program, model));
      const results = resultsOf(step);
      for (const result of results) {
        const type = madeBy(result, model);
        if (type === undefined || results.length < 2) continue;
        const text = failuresWith(type, program, model).find((each) => !always.has(each));
        if (text === undefined) continue;
        const { node, tree } = result.program!;
        const found = excerpt(printType(types.widenLiterals(type), { depth: 2, members: 6 }), 80);
        report(caseShape, { node, from: tree.body.start, to: tree.body.end }, { found, text });
      }
    },
  },
};
export default module;

/** What a case's program certainly gives. */
function madeBy(result: Command, model: Model): Type | undefined {
  if (result.key !== "!jq" || result.program === undefined) return undefined;
  const type = flowOf(model).output(result);
  const parts = types.partsOf(type);
  return parts.length === 0 || parts.some(({ kind }) => kind === "unknown" || kind === "null")
    ? undefined
    : type;
}

/** What of a program fails with an input, and is evaluated whatever that is. */
function failuresWith(input: Type, program: JqProgram, model: Model): readonly string[] {
  const { diagnostics } = inferProgram(program, input, flowOf(model).holes(program));
  const { body } = program.tree;
  return diagnostics.flatMap(({ code, start, end }) => {
    if (!failureCodes.has(code)) return [];
    const [site] = nodesIn(body)
      .filter((node) => node.start <= start && end <= node.end)
      .sort((a, b) => a.end - a.start - (b.end - b.start));
    const isCertain = site !== undefined && conditionalParts(body, site).length === 0;
    return isCertain ? [excerpt(program.node.value.slice(start, end), 40)] : [];
  });
}
