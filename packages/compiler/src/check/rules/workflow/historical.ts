import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { spanOf } from "../../../parse/document.ts";
import { changeToString } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";
import { keyOf } from "../../locate.ts";
import { allNames } from "../../message-text.ts";
import { memberAt, valueAt } from "../http/at.ts";
import { removeFix } from "./remove.ts";

const historicalNotPolling = defineRule<{
  intake: string;
  polling: readonly string[];
  /** The polling intake that stands at `data_intake` instead. */
  swappedWith: string | undefined;
}>({
  id: "workflow/historical-not-polling",
  severity: "error",
  summary: "`historical_data_intake` names a webhook intake",
  why: "Historical sync polls once for existing records, while the workflow's webhook delivers new ones. A webhook can't give existing records, so the import never runs.",
  guards: ["workflow.historical_data_intake", "historical.1", "historical.2", "D34"],
  message: ({ intake, swappedWith }) =>
    swappedWith === undefined
      ? `\`historical_data_intake\` must name a polling intake, but \`${intake}\` is a webhook.`
      : `\`historical_data_intake\` and \`data_intake\` are swapped: \`${intake}\` is the webhook, \`${swappedWith}\` the poll.`,
  help: ({ polling, swappedWith }) => {
    if (swappedWith !== undefined)
      return "`data_intake` names the webhook, and `historical_data_intake` the poll.";
    return polling.length === 0
      ? "Define an intake of type `polling` for the history."
      : `Polling intakes: ${allNames(polling)}.`;
  },
  examples: [
    {
      in: "historical-sync",
      at: "/workflows/0/historical_data_intake",
      bad: '«"order.created"»',
      good: '"past-orders"',
      fixed: '"past-orders"',
    },
    {
      title: "exchanged",
      in: "historical-sync",
      at: "/workflows/0",
      bad: workflow('"data_intake": "past-orders", "historical_data_intake": «"order.created"»'),
      good: workflow('"data_intake": "order.created", "historical_data_intake": "past-orders"'),
      fixed: workflow('"data_intake": "order.created", "historical_data_intake": "past-orders"'),
    },
  ],
  fixes: ({ at, args }, { document }) => {
    const { polling, swappedWith, intake } = args;
    if (swappedWith === undefined) {
      const [only, another] = polling;
      if (only === undefined || another !== undefined) return [];
      return [changeToString(document, at, only, false)];
    }
    const value = valueAt(document, at);
    const workflow = value?.parent?.kind === "member" ? value.parent.parent : undefined;
    const other = workflow?.get("data_intake");
    if (other === undefined) return [];
    const edits = [
      { ...spanOf(document, at), newText: JSON.stringify(swappedWith) },
      { start: other.start, end: other.end, newText: JSON.stringify(intake) },
    ];
    return [{ title: "Swap the two", safe: false, edits }];
  },
});

const historicalOfPolling = defineRule<{ intake: string }>({
  id: "workflow/historical-of-polling",
  severity: "error",
  summary: "`historical_data_intake` in a workflow that polls",
  why: "Historical sync is a one-time poll beside a webhook. A workflow that polls reads existing records in its first cycles, so the platform refuses a second intake for them.",
  guards: ["workflow.historical_data_intake", "historical.1", "historical.2"],
  message: ({ intake }) =>
    `\`historical_data_intake\` is for workflows with a webhook, but this one reads \`${intake}\`, a polling intake.`,
  help: () => "Remove it, or name a webhook in `data_intake`.",
  examples: [
    {
      in: "historical-sync",
      at: "/workflows/0",
      bad: workflow('"data_intake": "past-orders", «"historical_data_intake"»: "past-orders"'),
      good: workflow('"data_intake": "order.created", "historical_data_intake": "past-orders"'),
      // Without it the workflow is one that polls, which then lacks its schedule.
      fixed: workflow('"data_intake": "past-orders"'),
    },
  ],
  fixes: ({ at }, { document }) => (memberAt(document, at) === undefined ? [] : removeFix(document, at)),
});

const module: RuleModule = {
  rules: [historicalNotPolling, historicalOfPolling],
  checks: {
    reach: "document",
    workflow(workflow, report, model) {
      const { direction, historicalIntake: historical, intake } = workflow;
      // A misspelled name is one mistake, and reported as that.
      if (direction !== "inbound" || historical?.exact !== true || historical.node.parent?.kind !== "member")
        return;
      const source = intake?.exact === true ? intake.target : undefined;
      if (historical.target?.type === "webhook") {
        report(historicalNotPolling, historical.node, {
          intake: historical.name,
          polling: pollingNames(model),
          swappedWith: source?.type === "polling" ? source.name : undefined,
        });
      } else if (source?.type === "polling") {
        report(historicalOfPolling, keyOf(historical.node.parent), { intake: source.name ?? "" });
      }
    },
  },
};
export default module;

function pollingNames({ intakes }: Model): readonly string[] {
  return intakes.flatMap(({ type, name }: IntakeSymbol) =>
    type === "polling" && name !== undefined ? [name] : [],
  );
}

function workflow(intakes: string): string {
  return `{"name": "acme-import-orders", "label": "Acme - Import orders", "type": "generic", "auth": "acme", ${intakes}, "setup": {"connect": {"label": "Connect", "describe_connection": {"!http": {"path": "/me"}}}, "select": {"label": "Shop", "form_fields": [{"id": "shop", "label": "Shop", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/shops"}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}], "describe_selection": {"resource_id": {"!jq": ".custom_data.shop.value"}, "display": {"!jq": ".custom_data.shop.display"}}}, "map": {"label": "Map", "describe_source": {"label": "Order", "options": [{"title": "Email", "id": "email"}]}, "describe_target": {"label": "Contact", "options": {"!resource": "PlatformContact.fields"}}}}, "data_pipeline": {"source": {"!jq": "{email}"}, "target": {"!resource": "PlatformContact"}}}`;
}
