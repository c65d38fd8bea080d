import { type Expression, types } from "@configc/jq";
import type { Command } from "../../../bind/bound-nodes.ts";
import { type Args, defineRule, type RuleExample } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { entryOf, finalObject } from "../../../flow/literal-object.ts";
import { resultItems } from "../../../flow/outputs.ts";
import { producersOf } from "../../../flow/producers.ts";
import type { TypeFlow } from "../../../flow/type-flow.ts";
import type { StringPart } from "../../../parse/document.ts";
import { memberValue } from "../../../parse/member-value.ts";
import type { RuleModule } from "../../checks.ts";
import { type Difference, differenceAt } from "./history-difference.ts";
import { readsOfPayload } from "./payload-reads.ts";

const guards = ["polling.results", "workflow.historical_data_intake", "data_pipeline.source", "D34"];

const historicalExample = {
  in: "historical-sync",
  at: "/data_intake/1/request/!pipe/1/!jq",
} as const satisfies Partial<RuleExample>;

const historyShape = defineRule<Args & Difference & { readonly webhook: string; readonly intake: string }>({
  id: "polling/history-shape",
  severity: "warning",
  summary: "Items of the historical poll lack what the pipeline reads from a webhook's payload",
  why: "The webhook and the historical poll feed the same `source`, so the items of `results` must look like the webhook's payload. What they lack is null for every imported record, and a value of another type fails or is carried over wrong.",
  guards,
  message: ({ path, missing, sent, found, seen, webhook, intake }) => {
    const items = `in \`results\` of \`${intake}\``;
    if (missing === undefined)
      return `\`source\` reads \`${path}\`. The webhook \`${webhook}\` sends \`${sent}\` there, but the items ${items} have \`${found}\`.`;
    if (!seen)
      return `\`source\` reads \`${path}\`, but the items ${items} have no \`${missing}\`. They are \`${found}\`.`;
    return `\`source\` reads \`${path}\`. In the samples every payload of \`${webhook}\` has \`${missing}\`, but no item ${items} does. They are \`${found}\`.`;
  },
  because: ({ path, missing }) => [
    `a delivery: \`${path}\` has its value`,
    missing === undefined
      ? `an imported item: \`${path}\` is something else`
      : `an imported item: \`${path}\` is null`,
  ],
  help: () => "Give the items of `results` the shape of the webhook's payload.",
  examples: [
    {
      ...historicalExample,
      title: "D34",
      bad: '"{results: «[.orders[] | {mail: .customer.email, total}]», iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}"',
      good: '"{results: [.orders[] | {customer: {email: .customer.email}, total}], iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}"',
    },
    {
      ...historicalExample,
      title: "D34: as samples show it",
      bad: '"{results: «.orders», iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}"',
      good: '"{results: [.orders[] | {customer: {email: .contact.email}, total}], iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}"',
      samples: {
        payloads: [
          {
            name: "webhook-order-created.json",
            webhook: "order.created",
            payload: { customer: { email: "person@example.com" }, total: 5 },
          },
        ],
        responses: [
          {
            name: "get-orders.json",
            method: "GET",
            url: "/shops/1/orders",
            status: 200,
            body: { orders: [{ contact: { email: "person@example.com" }, total: 5 }], has_more: false },
          },
        ],
      },
    },
  ],
});

const module: RuleModule = {
  rules: [historyShape],
  checks: {
    workflow({ node, intake, historicalIntake }, report, model) {
      const webhook = intake?.target;
      const polling = historicalIntake?.target;
      const request = polling?.type === "polling" ? polling.commands.get("request") : undefined;
      if (request === undefined || polling === undefined || webhook?.type !== "webhook") return;
      const flow = flowOf(model);
      const item = resultItems(request, flow);
      if (item === types.unknown) return;
      const source = flow.commandAt(memberValue(node, "data_pipeline", "source"));
      const told = new Set<string>();
      const reads = source === undefined ? [] : readsOfPayload(source, model);
      for (const { segments, converted, at } of reads) {
        const difference = differenceAt(segments, { model, webhook, request, item });
        if (difference === undefined || (difference.scalars && converted)) continue;
        if (told.has(difference.missing ?? difference.path)) continue;
        told.add(difference.missing ?? difference.path);
        report(
          historyShape,
          resultsPlace(request, flow),
          { ...difference, webhook: webhook.name ?? "", intake: polling.name ?? "" },
          [{ message: "read here", at }],
        );
      }
    },
  },
};
export default module;

/** The expression that makes `results`, else the command's key. */
export function resultsPlace(request: Command, flow: TypeFlow): StringPart | Command["member"]["key"] {
  for (const { program } of producersOf(request, flow)) {
    const value = program === undefined ? undefined : resultsValue(program);
    if (program !== undefined && value !== undefined)
      return { node: program.node, from: value.start, to: value.end };
  }
  return request.member.key;
}

function resultsValue(program: NonNullable<Command["program"]>): Expression | undefined {
  const made = finalObject(program);
  return made === undefined ? undefined : entryOf(made, "results")?.value;
}
