import type { WorkflowSymbol } from "../../bind/bound-nodes.ts";
import { ownerOf } from "../../check/locate.ts";
import { defineRule } from "../../findings/rule.ts";
import { objectItems, textOf } from "../../parse/syntax-tree.ts";
import { comparison } from "../comparison.ts";

const removed = defineRule<{ workflow: string; type: string }>({
  id: "breaking/import-option-removed",
  severity: "warning",
  concerns: ["setups"],
  summary: "An import option that customers may have chosen is no longer offered",
  why: "Customers chose in the schedule step whether to import once or repeatedly. A choice that is no longer offered stays until the customer next edits the setup, and is then silently lost.",
  guards: ["schedule.import_options", "import_option.type", "D40"],
  message: ({ workflow, type }) =>
    `\`${workflow}\` no longer offers the import type \`${type}\`. Customers who chose it lose it when they edit their setup.`,
  help: ({ type }) => `Keep offering \`${type}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/workflows/0/setup/schedule/import_options",
      published: '[{"label": "Once", "type": "single"}, {"label": "Again and again", "type": "recurring"}]',
      bad: '[{"label": "Once", "type": "single"}]',
      good: '[{"label": "Keep importing", "type": "recurring"}, {"label": "Once", "type": "single"}]',
    },
  ],
});

export const scheduleRules = comparison([removed], ({ workflows }, report) => {
  for (const { previous, current, name } of workflows.pairs) {
    const now = importTypes(current);
    if (now === undefined) continue;
    for (const type of importTypes(previous)?.types ?? []) {
      if (!now.types.has(type)) report(removed, now.at, { workflow: name, type });
    }
  }
});

/** Undefined without a schedule: the intake's type decides about that, and its change is a finding. */
function importTypes({ node }: WorkflowSymbol) {
  const setup = node.get("setup");
  const schedule = setup?.kind === "object" ? setup.get("schedule") : undefined;
  const options = schedule?.kind === "object" ? schedule.member("import_options") : undefined;
  if (schedule?.kind !== "object" || options?.value?.kind !== "array") return undefined;
  const types = objectItems(options.value).flatMap((option) => textOf(option, "type") ?? []);
  return { types: new Set(types), at: options.key ?? ownerOf(schedule) };
}
