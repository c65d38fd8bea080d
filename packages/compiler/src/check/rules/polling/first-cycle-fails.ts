import { usersOf } from "../../../bind/resolve.ts";
import { defineRule } from "../../../findings/rule.ts";
import { failureInFirstCycle } from "../../../flow/machine/first-cycle.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const firstCycleFails = defineRule<{ step: string; text: string }>({
  id: "polling/first-cycle-fails",
  severity: "error",
  summary: "The first cycle of a poll fails with the values that its own steps set",
  why: "`initial_setup` sets the state with which `pre_poll` and `request` begin. If a program can't read one of its values (a date with fractions, or `null`), the first cycle fails, and each one after it begins with the same state.",
  guards: ["polling.initial_setup", "polling.pre_poll", "polling.polling_state", "D23", "D33"],
  message: ({ step, text }) =>
    `\`${text}\` fails in the first cycle, with the value that \`polling_state\` has there in \`${step}\`.`,
  because: ({ step, text }) => [
    "a customer activates the workflow, and `initial_setup` sets the state",
    `cycle 1 runs \`${step}\`, and \`${text}\` fails with it`,
    "the state stays as it is, so each later cycle fails too",
  ],
  help: () =>
    "Set a value that it can read: `fromdate` takes `2026-01-02T03:04:05Z` without fractions, and nothing is read from `null`.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {page: 1, since: \\"1970-01-01T00:00:00.000Z\\"}}"}',
      },
      bad: '{"!jq": "${polling_state} as $state | {polling_state: {page: 1, since: ($state.since | «fromdate» - 300 | todate)}}"}',
      good: '{"!jq": "${polling_state} as $state | {polling_state: {page: 1, since: ($state.since | sub(\\"\\\\\\\\.[0-9]+\\"; \\"\\") | fromdate - 300 | todate)}}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [firstCycleFails],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      if (!usersOf(intake).some((workflow) => workflow.intake?.target === intake)) return;
      const failure = failureInFirstCycle(intake);
      if (failure === undefined) return;
      const { step, program, node } = failure;
      const text = excerpt(program.node.value.slice(node.start, node.end));
      report(firstCycleFails, { node: program.node, from: node.start, to: node.end }, { step, text });
    },
  },
};
export default module;
