import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { defineRule } from "../../rule.ts";

const kinds = {
  intake: "an intake, of either type,",
  workflow: "a workflow",
  field: "a form field of this workflow",
  object: "an object",
} as const;

const duplicateName = defineRule<{ name: string; kind: keyof typeof kinds }>({
  id: "name/duplicate-name",
  severity: "error",
  summary: "Two intakes, workflows, form fields or objects have the same name",
  why: "Everything refers to intakes, workflows and fields by name, and customers' saved setups do too. With two of the same name, one of them is never reached. Names are compared exactly, letter case included.",
  guards: [
    "webhook.name",
    "polling.name",
    "workflow.name",
    "field.id",
    "limit.workflow-name",
    "limit.field-id",
    "D5",
    "D39",
  ],
  message: ({ name, kind }) => `The name \`${name}\` is taken: ${kinds[kind]} has it already.`,
  help: () => "Give one of them another name, and change what refers to it.",
  examples: [
    {
      title: "two intakes",
      in: "historical-sync",
      at: "/data_intake/1/name",
      with: { "/workflows/0/historical_data_intake": undefined },
      bad: '«"order.created"»',
      good: '"past-orders"',
      also: ["intake/unused"],
    },
    {
      title: "two form fields",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/1/id",
      with: { "/workflows/0/data_pipeline/target/!http/body": '{"fields": "${piped_content.0}"}' },
      bad: '«"list"»',
      good: '"note"',
    },
  ],
});

const module: RuleModule = {
  rules: [duplicateName],
  checks: {
    document({ intakes, workflows, objects }, report) {
      unique(
        "intake",
        intakes.map(({ nameNode }) => nameNode),
        report,
      );
      unique(
        "workflow",
        workflows.map(({ nameNode }) => nameNode),
        report,
      );
      unique(
        "object",
        objects.map(({ node }) => node.get("name")),
        report,
      );
      for (const { fields } of workflows)
        unique(
          "field",
          fields.map(({ idNode }) => idNode),
          report,
        );
    },
  },
};
export default module;

function unique(kind: keyof typeof kinds, nodes: readonly (JsonNode | undefined)[], report: Report): void {
  const seen = new Map<string, JsonNode>();
  for (const node of nodes) {
    if (node?.kind !== "string" || node.value === "") continue;
    const first = seen.get(node.value);
    if (first === undefined) seen.set(node.value, node);
    else report(duplicateName, node, { name: node.value, kind }, [{ message: "the first one", at: first }]);
  }
}
