import { defineRule } from "../../../findings/rule.ts";
import { NOW } from "../../../flow/machine/evaluate.ts";
import { stateAfter, worldOf } from "../../../flow/machine/intake-world.ts";
import { record, run } from "../../../flow/machine/run.ts";
import { memberOf, resolved, UNKNOWN, type Value } from "../../../flow/machine/value.ts";
import { partAt } from "../../../flow/nodes.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";

const prepare = (since: string): string =>
  `{"!jq": "{polling_state: {page: 1, since: ${since}, until: (now | floor)}}"}`;

const lostStart = defineRule<{ key: string; start: string }>({
  id: "polling/lost-start",
  severity: "warning",
  summary: "`pre_poll` replaces the start that `initial_setup` sets by null before anything is requested",
  why: "A parameter that is null is left out. If `pre_poll` takes the start of a window from a key that is still null, the start of `initial_setup` is never sent: the first cycle reads all records there are.",
  guards: ["polling.initial_setup", "polling.pre_poll", "D17", "D33"],
  message: ({ key, start }) =>
    `\`initial_setup\` sets \`${key}\` to ${start}, and \`pre_poll\` makes null of it before the first request.`,
  because: ({ key, start }) => [
    `\`initial_setup\`: \`${key}\` is ${start}`,
    `\`pre_poll\`: \`${key}\` is null, so the first request asks for all records`,
  ],
  help: ({ key }) => `Keep \`\${polling_state.${key}}\` here.`,
  examples: [
    {
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
  ],
});

const module: RuleModule = {
  rules: [lostStart],
  checks: {
    intake(intake, report, model) {
      const [setup, before] = ["initial_setup", "pre_poll"].map((name) => intake.commands.get(name));
      if (intake.type !== "polling" || setup === undefined || before === undefined) return;
      if (!isReadable(intake, model)) return;
      const keys = new Set(askedBy(intake, model)?.reads.map(({ key }) => key));
      const writes = writesIn(intake, "pre_poll", model) ?? [];
      if (keys.size === 0 || writes.length === 0) return;
      const begun = after(setup, record({}));
      const prepared = after(before, begun);
      for (const key of keys) {
        const [start, sent] = [begun, prepared].map((state) => resolved(memberOf(state, key)));
        if (sent !== null || (typeof start !== "number" && typeof start !== "string") || start === "")
          continue;
        const write = writes.find((each) => each.keys.has(key));
        if (write === undefined) continue;
        report(lostStart, partAt(write.program, write.keys.get(key)!), { key, start: JSON.stringify(start) });
      }
    },
  },
};
export default module;

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
