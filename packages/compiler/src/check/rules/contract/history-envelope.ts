import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { outcomesOf } from "../../../flow/protocol/state-writes.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { pluralOf } from "../style/singular.ts";
import { readsOfPayload } from "./payload-reads.ts";

const historyEnvelope = defineRule<{ read: string; list: string; webhook: string }>({
  id: "polling/history-envelope",
  severity: "warning",
  summary: "A historical poll gives bare records, but the webhook sends them wrapped",
  why: "A webhook often sends a record inside an event: `{event, ticket: {…}}`. The historical poll lists the records themselves. Both go through the same `source`, so what it reads from the event is null for every imported record.",
  guards: ["polling.results", "workflow.historical_data_intake", "data_pipeline.source", "D34"],
  message: ({ read, list, webhook }) =>
    `\`source\` reads \`.${read}\` from what \`${webhook}\` sends, but an item of \`${list}\` is that record itself.`,
  because: ({ read }) => [
    `a delivery: \`.${read}\` is the record`,
    `an imported item: \`.${read}\` and everything below it is null`,
  ],
  help: ({ read, list }) => `Wrap them: \`[${list}[] | {${read}: .}]\`.`,
  examples: [
    {
      title: "D34",
      in: "historical-sync",
      at: "/data_intake/1/request/!pipe/1/!jq",
      with: {
        "/workflows/0/data_pipeline/source": '{"!jq": "{email: .order.customer.email, total: .order.total}"}',
      },
      bad: '"{results: «.orders», iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}"',
      good: '"{results: [.orders[] | {order: .}], iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}"',
      fixed:
        '"{results: [.orders[] | {order: .}], iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}"',
    },
  ],
  fixes: ({ at, args: { read, list } }, { document }) => [
    {
      title: `Wrap each item as \`${read}\``,
      safe: false,
      edits: [{ ...spanOf(document, at), newText: `[${list}[] | {${read}: .}]` }],
    },
  ],
});

const module: RuleModule = {
  rules: [historyEnvelope],
  checks: {
    workflow({ node, intake, historicalIntake }, report, model) {
      const polling = historicalIntake?.target;
      const request = polling?.type === "polling" ? polling.commands.get("request") : undefined;
      const pipeline = node.get("data_pipeline");
      const source =
        pipeline?.kind === "object" ? flowOf(model).commandAt(pipeline.get("source")) : undefined;
      if (request === undefined || source === undefined || intake?.target?.type !== "webhook") return;
      const reads = readsOfPayload(source, model);
      for (const { program, members } of outcomesOf(request, model) ?? []) {
        const list = bareList(members.get("results"), program);
        const read = reads.find(({ segments: [first] }) => {
          const plural =
            typeof first?.key === "string" ? (pluralOf(first.key) ?? `${first.key}s`) : undefined;
          return plural !== undefined && plural === list?.name;
        });
        if (list === undefined || read === undefined) continue;
        const { node: results } = list;
        report(
          historyEnvelope,
          { node: program.node, from: results.start, to: results.end },
          { read: `${read.segments[0]?.key}`, list: list.text, webhook: intake.target.name ?? "" },
          [{ message: "read here", at: read.at }],
        );
      }
    },
  },
};
export default module;

/** `.tickets` as it is, by the name of its last member. */
function bareList(node: Expression | undefined, { node: { value } }: JqProgram) {
  let at = node;
  while (at?.kind === "Group") at = at.body;
  if (at?.kind !== "Postfix" || !at.suffixes.every(({ kind }) => kind === "Field")) return undefined;
  const last = at.suffixes.at(-1);
  const name = last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
  return name === undefined ? undefined : { name, node: at, text: value.slice(at.start, at.end).trim() };
}
