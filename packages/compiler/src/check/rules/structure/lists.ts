import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { capitalized, plural } from "../../message-text.ts";

const listLength = defineRule<{
  owner: string;
  count: number;
  minimum: number | undefined;
  maximum: number | undefined;
}>({
  id: "structure/list-length",
  severity: "error",
  summary: "A list has too few or too many items",
  why: "An app without a workflow gives customers nothing to set up, an empty `!pipe` does nothing, and a schedule offers one or two ways to import.",
  guards: ["document.workflows", "D16", "D43", "schedule.import_options"],
  message: ({ owner, count, minimum, maximum }) => {
    const wanted =
      maximum === undefined
        ? `at least ${plural(minimum ?? 1, "item")}`
        : `${minimum} to ${plural(maximum, "item")}`;
    return `${capitalized(owner)} needs ${wanted} but has ${count}.`;
  },
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{«"!pipe"»: []}',
      good: '{"!pipe": [{"!jq": "."}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [listLength],
  checks: {
    structure: {
      "list-length"({ node, count, minimum, maximum, owner }, report) {
        report(listLength, node.parent?.kind === "member" ? node.parent.key : node, {
          owner,
          count,
          minimum,
          maximum,
        });
      },
    },
  },
};
export default module;
