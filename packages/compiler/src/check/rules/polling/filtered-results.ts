import { children, type Expression, type Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { onlyOutcome } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { stateDependence, writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";

const filteredResults = defineRule({
  id: "polling/filtered-results",
  severity: "hint",
  summary: "A page that is filtered down to nothing ends the cycle",
  why: "Empty `results` end a cycle, whatever `iterate` says. If `results` filters records, a page on which none passes looks like the end, so later pages are never read.",
  guards: ["polling.results", "polling.iterate", "D33", "D35"],
  message: () => "If no record of a page passes this filter, `results` is empty and the cycle ends there.",
  because: () => ["page 2 of 3 has no record that passes: `results` is empty", "page 3 is never requested"],
  help: () =>
    "Return all records in `results` and give `null` in `source` to skip one. Or let the API filter.",
  examples: [
    {
      in: "inbound-polling",
      with: {
        "/data_intake/0/pre_poll": '{"!jq": "{polling_state: {page: 1, since: ${polling_state.since}}}"}',
      },
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: [.items[] | «select(.status == \\"active\\")»], iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: (if .has_more then ${polling_state.since} else (.items[-1].updated_at // ${polling_state.since}) end)}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: (if .has_more then ${polling_state.since} else (.items[-1].updated_at // ${polling_state.since}) end)}}"',
    },
  ],
});

const module: RuleModule = {
  rules: [filteredResults],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const outcome = onlyOutcome(intake, model);
      const [results, iterate] = [outcome?.members.get("results"), outcome?.members.get("iterate")];
      if (outcome === undefined || results === undefined || iterate === undefined) return;
      const filter = constantOf(iterate) === false ? undefined : filterOf(results);
      if (filter === undefined || !beginsAnew(intake, model)) return;
      // One that asks for a place kept in the state is the end that was meant.
      const { keys, all } = stateDependence(outcome.program, [filter]);
      if (all || keys.size > 0) return;
      report(filteredResults, { node: outcome.program.node, from: filter.start, to: filter.end }, {});
    },
  },
};
export default module;

/** Whether the next cycle begins with the first page again, and not where this one ended. */
function beginsAnew(intake: IntakeSymbol, model: Model): boolean {
  const sent = new Set(askedBy(intake, model)?.reads.map(({ key }) => key));
  return ["pre_poll", "post_poll"].some((name) =>
    (writesIn(intake, name, model) ?? []).some(({ keys }) =>
      [...keys].some(([key, value]) => sent.has(key) && constantOf(value) !== undefined),
    ),
  );
}

/** The `select` through which each record of `[.items[] | select(…)]` or `.items | map(select(…))` goes. */
function filterOf(node: Expression): Expression | undefined {
  switch (node.kind) {
    case "Group":
      return filterOf(node.body);
    case "Array":
      return node.body === undefined ? undefined : selectIn(node.body);
    case "Pipeline": {
      const last = node.stages.at(-1);
      if (last?.kind !== "Call" || last.name.text !== "map") return undefined;
      const [each] = last.arguments;
      return each === undefined ? undefined : selectIn(each);
    }
    default:
      return undefined;
  }
}

function selectIn(node: Node): Expression | undefined {
  if (node.kind === "Call") return node.name.text === "select" ? node : undefined;
  if (node.kind !== "Pipeline" && node.kind !== "Group") return undefined;
  for (const child of children(node)) {
    const found = selectIn(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
