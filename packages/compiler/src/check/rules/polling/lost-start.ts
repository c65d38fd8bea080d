import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { NOW } from "../../../flow/machine/evaluate.ts";
import { firstValues, valuesSetUp } from "../../../flow/machine/first-values.ts";
import { stateAfter, worldOf } from "../../../flow/machine/intake-world.ts";
import { record, run } from "../../../flow/machine/run.ts";
import { secondsOf } from "../../../flow/machine/time-value.ts";
import { type Constant, memberOf, resolved, UNKNOWN, type Value } from "../../../flow/machine/value.ts";
import { partAt } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { keepsKey } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, paramOf } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { stateWritesOf, writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";

const prepare = (since: string): string =>
  `{"!jq": "{polling_state: {page: 1, since: ${since}, until: (now | floor)}}"}`;

const lostStart = defineRule<{ key: string; start: string; isLater?: true; becomes?: string }>({
  id: "polling/lost-start",
  severity: "warning",
  summary: "`pre_poll` replaces the start that `initial_setup` sets before anything is requested",
  why: "`pre_poll` runs before the first request too. If it takes the start of a window from a key that is still null, the parameter is left out, and the first cycle reads all records there are. If it takes it from the end of a window that wasn't read yet, what the customer wanted of the past never arrives.",
  guards: ["polling.initial_setup", "polling.pre_poll", "D17", "D33"],
  message: ({ key, start, isLater, becomes = "null" }) =>
    isLater
      ? `\`initial_setup\` works out \`${key}\`, and \`pre_poll\` sets it to a later time before the first request. What lies between is never asked for.`
      : `\`initial_setup\` sets \`${key}\` to ${start}, and \`pre_poll\` makes ${becomes} of it before the first request.`,
  because: ({ key, start, isLater, becomes = "null" }) =>
    isLater
      ? [
          `\`initial_setup\`: \`${key}\` is some time ago`,
          `\`pre_poll\`: \`${key}\` is later, before anything was read`,
        ]
      : [
          `\`initial_setup\`: \`${key}\` is ${start}`,
          `\`pre_poll\`: \`${key}\` is ${becomes}, so the first request asks for all records`,
        ],
  help: ({ key }) => `Keep \`\${polling_state.${key}}\` here.`,
  examples: [
    {
      title: "Null",
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {page: 1, since: 1700000000, until: null}}"}',
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"page": "${polling_state.page}", "since": "${polling_state.since}", "until": "${polling_state.until}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
        "/data_intake/0/post_poll":
          '{"!jq": "{polling_state: {page: 1, since: ${polling_state.until}, until: null}}"}',
      },
      bad: prepare("«${polling_state.until}»"),
      good: prepare("${polling_state.since}"),
    },
    {
      title: "A later time",
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "(now | floor) as $now | {polling_state: {page: 1, since: ($now - 86400), until: $now}}"}',
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"page": "${polling_state.page}", "since": "${polling_state.since}", "until": "${polling_state.until}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (if .has_more then ${polling_state.page} + 1 else 1 end), since: (if .has_more then ${polling_state.since} else ${polling_state.until} end)})}"',
        "/data_intake/0/post_poll": undefined,
      },
      bad: prepare("«${polling_state.until}»"),
      good: prepare("${polling_state.since}"),
    },
  ],
});

const module: RuleModule = {
  rules: [lostStart],
  checks: {
    intake(intake, report, model) {
      const [setup, before] = ["initial_setup", "pre_poll"].map((name) => intake.commands.get(name));
      if (intake.type !== "polling" || setup === undefined || before === undefined) return;
      if (!isReadable(intake, model)) return;
      const reads = askedBy(intake, model)?.reads ?? [];
      const writes = writesIn(intake, "pre_poll", model) ?? [];
      if (reads.length === 0 || writes.length === 0) return;
      const begun = after(setup, record({}));
      const prepared = after(before, begun);
      const told = new Set<string>();
      for (const read of reads) {
        const { key } = read;
        if (told.has(key)) continue;
        told.add(key);
        const write = writes.find((each) => each.keys.has(key) && !keepsKey(each, key));
        if (write === undefined) continue;
        const value = write.keys.get(key)!;
        const at = partAt(write.program, value);
        const start = resolved(memberOf(begun, key));
        const first = resolved(memberOf(prepared, key));
        // Of what the customer chose, so that it isn't known here.
        const isOfClock = start === UNKNOWN && isTimed(setup, key, model);
        if (first === null || (first === 0 && isOfClock)) {
          const isSet = typeof start === "number" || (typeof start === "string" && start !== "");
          const [given, becomes] = [isOfClock ? "a time" : JSON.stringify(start), `${first}`];
          if (isSet || isOfClock) report(lostStart, at, { key, start: given, becomes });
        } else if (
          boundName(paramOf(read) ?? key)?.end === "lower" &&
          boundName(keptKey(value, write.program) ?? "")?.end === "upper" &&
          isTimed(setup, key, model) &&
          isLater(key, intake)
        )
          report(lostStart, at, { key, start: "", isLater: true });
      }
    },
  },
};
export default module;

/** Whether a command works a key out by the clock. */
const isTimed = (setup: Command, key: string, model: Model): boolean =>
  (stateWritesOf(setup, model) ?? []).some(({ keys, program }) => {
    const value = keys.get(key);
    return value !== undefined && stateDependence(program, [value]).clock;
  });

/** Room that a window may be given, and clocks that differ. */
const SLACK = 3_600;

/** Whether each value with which a key may go into the first request is a later time than `initial_setup` gave it, whatever the customer chose. */
function isLater(key: string, intake: IntakeSymbol): boolean {
  const times = (values: readonly Constant[]): readonly (number | undefined)[] => values.map(secondsOf);
  const begun = times(valuesSetUp(intake, key));
  const sent = times(firstValues(intake, key));
  return (
    begun.length > 0 &&
    sent.length > 0 &&
    sent.every((late) =>
      begun.every((early) => late !== undefined && early !== undefined && late > early + SLACK),
    )
  );
}

/** The state behind a command, as far as it follows from constants and the clock alone. */
function after(command: Parameters<typeof run>[0], state: Value): Value {
  return stateAfter(
    run(
      command,
      worldOf(state, NOW, () => UNKNOWN),
    ),
    state,
  );
}
