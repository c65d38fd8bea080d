import { ownerOf } from "../../check/locate.ts";
import { defineRule } from "../../findings/rule.ts";
import { comparison } from "../comparison.ts";

const historical = defineRule<{ workflow: string; before: string; now: string | undefined }>({
  id: "breaking/historical-intake",
  severity: "warning",
  concerns: ["setups", "state"],
  summary: "A published workflow imports past records from another intake, or not at all",
  why: "Customers who have just activated the workflow are in the middle of the import, with the state of the old intake. With another intake the import starts again and delivers records twice; without one it stops halfway.",
  guards: ["workflow.historical_data_intake", "D34", "D40"],
  message: ({ workflow, before, now }) =>
    now === undefined
      ? `\`${workflow}\` no longer has the historical intake \`${before}\`. Running imports stop halfway.`
      : `\`${workflow}\` now uses the historical intake \`${now}\` instead of \`${before}\`. Running imports start again and deliver records twice.`,
  help: ({ before }) => `Keep \`${before}\` and change its commands instead.`,
  examples: [
    {
      title: "D40",
      in: "historical-sync",
      at: "/workflows/0",
      published: '{"name": "import", "type": "generic", "historical_data_intake": "past-orders"}',
      bad: '{"name": «"import"», "type": "generic"}',
      good: '{"name": "import", "type": "generic", "historical_data_intake": "past-orders"}',
    },
  ],
});

/** An intake for the past that is new is no change for anybody: it runs when a workflow is set up. */
export const historicalRules = comparison([historical], ({ workflows, intakes }, report) => {
  const removed = new Set(intakes.removed.map(({ name }) => name));
  const added = new Set(intakes.added.map(({ name }) => name));
  for (const { previous, current, name: workflow } of workflows.pairs) {
    const before = previous.historicalIntake?.name;
    const now = current.historicalIntake?.name;
    if (before === undefined || before === now) continue;
    // Renamed together with the intake of another workflow: said once.
    const isRename =
      removed.has(before) && now !== undefined && added.has(now) && previous.intake?.name === before;
    if (!isRename)
      report(historical, current.historicalIntake?.node ?? ownerOf(current.node), { workflow, before, now });
  }
});
