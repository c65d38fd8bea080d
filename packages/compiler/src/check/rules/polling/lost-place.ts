import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { partAt, textAt } from "../../../flow/nodes.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { type StateWrite, writesIn } from "../../../flow/protocol/state-writes.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";
import { areAnswers } from "./answer-writes.ts";

const lostPlace = defineRule<{ key: string }>({
  id: "polling/lost-place",
  severity: "warning",
  summary: "`pre_poll` asks for the present place of a list in each cycle, over the place that was reached",
  why: "The place that a cycle reached is where the next one should go on. What changes between two cycles lies before the present place, so nobody reads it.",
  guards: ["polling.pre_poll", "polling.request", "polling.initial_setup"],
  message: ({ key }) =>
    `Each cycle begins at a new \`${key}\`. What \`request\` kept of the cycle before is overwritten before it is read.`,
  because: ({ key }) => [
    `a cycle ends and keeps its \`${key}\``,
    "records change",
    `\`pre_poll\` sets \`${key}\` to the present place, behind them`,
  ],
  help: ({ key }) =>
    `Keep it: \`${key}: \${polling_state.${key}}\`. \`initial_setup\` has asked for the first place already.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup":
          '{"!pipe": [{"!http": {"path": "/changes/head"}}, {"!jq": "{polling_state: {token: .token, read: 0}}"}]}',
        "/data_intake/0/request":
          '{"!pipe": [{"!http": {"path": "/changes", "params": {"token": "${polling_state.token}"}}}, {"!jq": "{results: .changes, iterate: .has_more, polling_state: {token: .next_token, read: (${polling_state.read} + (.changes | length))}}"}]}',
        "/data_intake/0/post_poll":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/changes/read", "body": {"count": "${polling_state.read}"}}}, {"!jq": "{polling_state: ${polling_state}}"}]}',
      },
      bad: '{"!pipe": [{"!http": {"path": "/changes/head"}}, {"!jq": "{polling_state: {token: «.token», read: 0}}"}]}',
      good: '{"!jq": "{polling_state: {token: ${polling_state.token}, read: 0}}"}',
    },
    {
      title: "The present time",
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup":
          '{"!pipe": [{"!http": {"path": "/changes/head"}}, {"!jq": "{polling_state: {place: .place, rates: {}}}"}]}',
        "/data_intake/0/request":
          '{"!pipe": [{"!http": {"path": "/changes", "params": {"after": "${polling_state.place}"}}}, {"!jq": "${polling_state} as $state | {results: [.changes[] | . + {rate: $state.rates[.currency]}], iterate: .has_more, polling_state: ($state + {place: .place})}"}]}',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"!pipe": [{"!http": {"path": "/rates"}}, {"!jq": "{polling_state: (${polling_state} + {rates: .rates, place: «(now * 1000 | floor)»})}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/rates"}}, {"!jq": "{polling_state: (${polling_state} + {rates: .rates})}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [lostPlace],
  checks: {
    reach: "linked",
    intake(intake, report, model) {
      const command = intake.commands.get("pre_poll");
      if (intake.type !== "polling" || command === undefined) return;
      if (!isReadable(intake, model)) return;
      const writes = (name: string): readonly StateWrite[] => writesIn(intake, name, model) ?? [];
      const [first, before, after] = [writes("initial_setup"), writes("pre_poll"), writes("request")];
      for (const key of new Set(askedBy(intake, model)?.reads.map((read) => read.key))) {
        // What is made for one cycle, as a job or a search, isn't there before the first one.
        if (!areAnswers(first, key)) continue;
        const isAsked = asksOnly(intake) && areAnswers(before, key);
        if (!isAsked && !(before.length > 0 && before.every((write) => isPresent(write, key)))) continue;
        if (!after.some((write) => goesOnWith(write, key))) continue;
        const [{ program, keys }] = before as [StateWrite];
        report(lostPlace, partAt(program, keys.get(key)!), { key });
      }
    },
  },
};
export default module;

/** Whether `pre_poll` sends requests, and none that makes anything. */
function asksOnly(intake: IntakeSymbol): boolean {
  const requests = (allIn(intake.commands.get("pre_poll")!) ?? []).filter(({ key }) => key === "!http");
  return (
    requests.length > 0 &&
    requests.every(({ argument }) => /^(?:|get)$/i.test(textOf(argument, "method") ?? ""))
  );
}

/** Whether something of an answer is kept under a key, maybe only where it is there. */
function goesOnWith({ keys, program }: StateWrite, key: string): boolean {
  const value = keys.get(key);
  return value !== undefined && stateDependence(program, [value]).input;
}

/** Whether a key is set to the time that it is, whatever the state was: before that time lies a window that somebody may want. */
function isPresent({ keys, program }: StateWrite, key: string): boolean {
  const value = keys.get(key);
  if (value === undefined || /[-+]/.test(textAt(value, program))) return false;
  const { input, clock, keys: read, all } = stateDependence(program, [value]);
  return clock && !input && !all && read.size === 0;
}
