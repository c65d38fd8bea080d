import type { PathSegment } from "@configc/jq";
import type { Command } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { outputTrails, pathText } from "../../../flow/origin.ts";
import type { TypeFlow } from "../../../flow/type-flow.ts";
import { memberValue } from "../../../parse/member-value.ts";
import type { RuleModule } from "../../checks.ts";
import { resultsPlace } from "./history-shape.ts";
import { readsOfPayload } from "./payload-reads.ts";

const historyLevel = defineRule<{ read: string; above: string; own: string; webhook: string }>({
  id: "polling/history-level",
  severity: "warning",
  summary: "A historical poll gives a part of the record where the webhook sends the whole record",
  why: "Both go through the same `source`. If an imported item already holds what is inside a record's member, `source` looks for that member once more, inside itself, and finds null for every imported record.",
  guards: ["polling.results", "workflow.historical_data_intake", "data_pipeline.source", "D34"],
  message: ({ read, above, own, webhook }) =>
    `\`source\` reads \`${read}\` from what \`${webhook}\` sends, but \`${above}\` of an imported item already is the record's \`${own}\`.`,
  because: ({ read, own }) => [
    `a delivery: \`${read}\` is the record's \`${own}\``,
    `an imported item: \`${read}\` is \`${own}.${own}\` of the record`,
  ],
  help: ({ own }) => `Give the whole record in its place, not its \`${own}\` alone.`,
  examples: [
    {
      in: "historical-sync",
      at: "/data_intake/1/request/!pipe/1/!jq",
      with: {
        "/workflows/0/data_pipeline/source": '{"!jq": ".data.attributes | {email, total}"}',
      },
      bad: '"{results: «[.orders[] | {data: .attributes}]», iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}"',
      good: '"{results: [.orders[] | {data: .}], iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}"',
    },
  ],
});

const module: RuleModule = {
  rules: [historyLevel],
  checks: {
    workflow({ node, intake, historicalIntake }, report, model) {
      const webhook = intake?.target;
      const polling = historicalIntake?.target;
      const request = polling?.type === "polling" ? polling.commands.get("request") : undefined;
      if (request === undefined || webhook?.type !== "webhook") return;
      const flow = flowOf(model);
      const source = flow.commandAt(memberValue(node, "data_pipeline", "source"));
      for (const { segments, at } of source === undefined ? [] : readsOfPayload(source, model)) {
        const names = doubledAt(segments, request, flow);
        if (names === undefined) continue;
        const args = {
          read: pathText(names),
          above: names.length === 1 ? "." : pathText(names.slice(0, -1)),
          own: names.at(-1)!,
          webhook: webhook.name ?? "",
        };
        report(historyLevel, resultsPlace(request, flow), args, [{ message: "read here", at }]);
        return;
      }
    },
  },
};
export default module;

/** Names that may well be inside themselves, `data.data`. */
const wrapper =
  /^(?:data|item|items|node|nodes|value|values|parent|children|next|body|result|results|\[\])$/i;

/** The beginning of a path that leads in an imported item to a member of a record and from there to the same name once more: `.attributes.attributes`. */
function doubledAt(
  segments: readonly PathSegment[],
  request: Command,
  flow: TypeFlow,
): readonly string[] | undefined {
  const names: string[] = [];
  for (const { key } of segments) {
    if (typeof key !== "string") return undefined;
    names.push(key);
    if (wrapper.test(key)) continue;
    const trails = outputTrails(flow, request, ["results", "[]", ...names]);
    const isDoubled = trails.every(({ origin }) => {
      if (origin.kind !== "response") return false;
      const [item, above, own] = origin.path.slice(-3);
      return item === "[]" && above === key && own === key;
    });
    if (trails.length > 0 && isDoubled) return names;
  }
  return undefined;
}
