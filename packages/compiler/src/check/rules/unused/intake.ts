import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { removeItem } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";
import { memberOf, valueAt } from "../http/at.ts";
import { areIntakesResolved, areWorkflowsKnown } from "./readers.ts";

const unusedIntake = defineRule<{ name: string }>({
  id: "unused/intake",
  severity: "hint",
  tag: "unnecessary",
  summary: "No workflow names this intake",
  why: "It is never registered or polled. It may be left over, or a workflow lacks its `data_intake` or `historical_data_intake`.",
  guards: ["document.data_intake", "workflow.data_intake", "workflow.historical_data_intake"],
  message: ({ name }) => `No workflow uses the intake \`${excerpt(name)}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake",
      bad: `[${polling('"customers"')}, ${polling('«"orders"»')}]`,
      good: `[${polling('"customers"')}]`,
      fixed: `[${polling('"customers"')}]`,
    },
  ],
  fixes: ({ at, args }, { document }) => {
    const intake = memberOf(valueAt(document, at))?.parent;
    if (intake?.parent?.kind !== "array") return [];
    const edits = [removeItem(document, intake.parent, intake)];
    return [{ title: `Remove the intake \`${excerpt(args.name, 40)}\``, safe: false, edits }];
  },
});

const module: RuleModule = {
  rules: [unusedIntake],
  checks: {
    document(model, report) {
      const { intakes } = model;
      const unused = intakes.filter(({ references }) => references.length === 0);
      if (unused.length === 0 || !areWorkflowsKnown(model) || !areIntakesResolved(model)) return;
      for (const intake of unused) {
        const { name, nameNode } = intake;
        // Of two with one name it is the second that nothing reaches; that they have one name is reported.
        const doubled = intakes.some((other) => other !== intake && other.name === name);
        if (name !== undefined && name !== "" && nameNode?.valid === true && !doubled)
          report(unusedIntake, nameNode, { name });
      }
    },
  },
};
export default module;

function polling(name: string): string {
  return `{"type": "polling", "name": ${name}, "request": {"!jq": "{results: [], iterate: false, polling_state: {}}"}}`;
}
