import { escapedPattern } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { NOW } from "../../../flow/machine/evaluate.ts";
import { firstValues } from "../../../flow/machine/first-values.ts";
import { secondsOf } from "../../../flow/machine/time-value.ts";
import { bare, partAt, textAt } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { isChangeTime, isCreationTime, isPastTime } from "../../../flow/protocol/time-names.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { sentKeys } from "./cut-places.ts";

const lateImport = defineRule<{ param: string; text: string }>({
  id: "polling/late-import",
  severity: "warning",
  summary: "The import of what was before begins at the setup",
  why: "An import runs once, when the workflow is set up. What it asks for has happened before that, so a start at the present time leaves nothing to import.",
  guards: ["polling.initial_setup", "workflow.historical_data_intake", "D34"],
  message: ({ param, text }) =>
    `\`${param}\` begins at the setup (\`${text}\`), and nothing has happened since then: the import is empty.`,
  because: ({ param }) => [
    `set up at 12:00: \`${param}\` is 12:00`,
    "all records are older, so the import finds none",
  ],
  help: () => "Take off as much time as the import is to reach back.",
  examples: [
    {
      in: "historical-sync",
      at: "/data_intake/1/initial_setup/!jq",
      with: {
        "/data_intake/1/request/!pipe/0/!http/params":
          '{"cursor": "${polling_state.cursor}", "completed_from": "${polling_state.from}"}',
        "/data_intake/1/request/!pipe/1/!jq":
          '"{results: .orders, iterate: (.next_cursor != null), polling_state: (${polling_state} + {cursor: .next_cursor})}"',
      },
      bad: '"{polling_state: {cursor: null, from: («now | todate»)}}"',
      good: '"{polling_state: {cursor: null, from: (now - 90 * 86400 | todate)}}"',
      samples: { world: { intakes: {} } },
    },
  ],
});

const module: RuleModule = {
  rules: [lateImport],
  checks: {
    reach: "linked",
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const users = usersOf(intake);
      if (users.length === 0 || users.some((workflow) => workflow.intake?.target === intake)) return;
      for (const { key, param } of sentKeys(intake, model)) {
        if (boundName(param)?.end !== "lower" || !isOfPast(param)) continue;
        if (hasComments(model) && isSaidToLast(param, intake)) continue;
        const values = firstValues(intake, key);
        const isLate = values.length > 0 && values.every((value) => (secondsOf(value) ?? 0) > NOW - SLACK);
        const set = isLate ? setBy(intake, key, model) : undefined;
        if (set === undefined) continue;
        const text = excerpt(textAt(bare(set.value), set.program), 50);
        report(lateImport, partAt(set.program, bare(set.value)), { param, text });
      }
    },
  },
};
export default module;

/** Clocks that differ are met with less. */
const SLACK = 900;

/** `terminated_after leaves out those whose contract has ended by then`: what lasts has no end, or one that lies ahead. */
function isSaidToLast(param: string, { node }: IntakeSymbol): boolean {
  const said = new RegExp(`(?<![\\w.])${escapedPattern(param)}(?!\\w)`);
  return documentedClauses(node).some(
    ({ text }) =>
      said.test(text) &&
      /\bleaves? out\b|\bstill\b|\bnot (?:ended|over|closed) (?:yet|by then)\b|\bor none\b/i.test(text),
  );
}

/** Whether a bound is of something that has happened: `created_after`, `completedFrom`; what begins or is due may lie ahead. */
function isOfPast(param: string): boolean {
  if (isChangeTime(param) || isCreationTime(param) || /^since$/i.test(param)) return true;
  return isPastTime(boundName(param)?.subject ?? "");
}

/** Where the clock sets a key before the first request. */
function setBy(intake: IntakeSymbol, key: string, model: Model) {
  for (const name of ["pre_poll", "initial_setup"])
    for (const { keys, program } of writesIn(intake, name, model) ?? []) {
      const value = keys.get(key);
      if (value !== undefined && stateDependence(program, [value]).clock) return { value, program };
    }
  return undefined;
}
