import { groupBy, nearest } from "@configc/jq/internal";
import type { Unit } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import type { Location } from "../../../parse/document.ts";
import { changeTo } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames, didYouMean } from "../../message-text.ts";
import { readsOf } from "./reads.ts";

const unknownPollingKey = defineRule<{
  key: string;
  intake: string;
  known: readonly string[];
  suggestion: string | undefined;
}>({
  id: "reference/unknown-polling-key",
  severity: "error",
  summary: "No command returns this key of `polling_state`",
  why: "`polling_state` has only the keys that the intake's own commands return. A key that none returns is missing at run time, so the poll fails or starts from the beginning each time.",
  guards: ["expansion.polling_state", "polling.initial_setup", "polling.request", "D11", "D33"],
  message: ({ key, intake, suggestion }) =>
    `No command of the intake \`${intake}\` returns \`${key}\` in \`polling_state\`.${didYouMean(suggestion)}`,
  help: ({ known }) =>
    known.length === 0
      ? "Return it from `initial_setup` and from `request`: `{polling_state: {…}}`."
      : `Returned: ${allNames(known)}.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/0/!http/params/page",
      bad: '"${polling_state.«pages»}"',
      good: '"${polling_state.page}"',
      fixed: '"${polling_state.page}"',
    },
  ],
  fixes: ({ at, args }, { document }) =>
    args.suggestion === undefined ? [] : [changeTo(document, at, args.suggestion, true)],
});

const module: RuleModule = {
  rules: [unknownPollingKey],
  checks: {
    intake(intake, report, model) {
      const reads = intake.type === "polling" ? readsByUnit(model).get(intake) : undefined;
      const state = reads === undefined ? undefined : flowOf(model).state(intake);
      if (reads === undefined || state?.kind !== "object" || state.rest !== undefined) return;
      const unknown = new Map<string, Location[]>();
      for (const { path } of reads) {
        const [key] = path;
        if (key === undefined || state.members.has(key.text)) continue;
        unknown.set(key.text, [...(unknown.get(key.text) ?? []), key.at]);
      }
      const known = [...state.members.keys()];
      for (const [key, [first, ...others]] of unknown) {
        const args = { key, intake: intake.name ?? "", known, suggestion: nearest(key, known) };
        if (first !== undefined)
          report(
            unknownPollingKey,
            first,
            args,
            others.map((at) => ({ message: "also read here", at })),
          );
      }
    },
  },
};
export default module;

/** The reads of `polling_state`, by the intake that they stand in. */
const readsByUnit = derived((model) =>
  groupBy(readsOf(model, "polling_state"), ({ command }): Unit | undefined => command.unit),
);
