import { defineRule } from "../../../findings/rule.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { keysSent } from "../../../flow/protocol/request-reads.ts";
import {
  areUnlike,
  type KindWritten,
  kindsWritten,
  type StateKind,
} from "../../../flow/protocol/state-kinds.ts";
import type { RuleModule } from "../../checks.ts";

const mixedKinds = defineRule<{
  key: string;
  first: string;
  kind: StateKind;
  command: string;
  other: StateKind;
}>({
  id: "polling/mixed-kinds",
  severity: "warning",
  summary: "A key of `polling_state` is written as different kinds of values",
  why: "The request sends the key in one parameter, and the API reads it in one way. A date that becomes a number of seconds, or seconds that become milliseconds, is refused or taken for another time: the first cycle works, and later ones bring nothing, or everything again.",
  guards: ["polling.polling_state", "polling.initial_setup", "D33"],
  message: ({ key, first, kind, command, other }) =>
    `\`${command}\` writes \`${key}\` as ${describe(other)}, and \`${first}\` as ${describe(kind)}; the request sends it in one parameter.`,
  help: () => "Write it in one form everywhere.",
  examples: [
    {
      title: "A date, and then seconds",
      in: "inbound-polling",
      at: "/data_intake/0/post_poll",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {page: 1, since: \\"2026-01-01T00:00:00Z\\"}}"}',
        "/data_intake/0/pre_poll": '{"!jq": "{polling_state: ${polling_state}}"}',
      },
      bad: '{"!jq": "{polling_state: {page: 1, since: «1767225600»}}"}',
      good: '{"!jq": "{polling_state: {page: 1, since: (${polling_state.since})}}"}',
    },
    {
      title: "Seconds, and then milliseconds",
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {page: 1, since: (now - 86400)}}"}',
      },
      bad: '{"!jq": "{polling_state: {page: 1, since: «((now - 60) * 1000)»}}"}',
      good: '{"!jq": "{polling_state: {page: 1, since: (now - 60)}}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [mixedKinds],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const sent = keysSent(intake, model);
      if (sent.size === 0) return;
      const firsts = new Map<string, KindWritten>();
      const told = new Set<string>();
      for (const written of kindsWritten(intake, model)) {
        const { key, command, kind, from, value, program } = written;
        const first = firsts.get(key);
        if (first === undefined) firsts.set(key, written);
        if (first === undefined || told.has(key) || !sent.has(key) || !areUnlike(first.kind, kind)) continue;
        told.add(key);
        // That is told where the value comes from.
        if (from !== undefined && told.has(from)) continue;
        report(
          mixedKinds,
          { node: program.node, from: value.start, to: value.end },
          { key, first: first.command, kind: first.kind, command, other: kind },
          [
            {
              message: `as ${describe(first.kind)} here`,
              at: { node: first.program.node, from: first.value.start, to: first.value.end },
            },
          ],
        );
      }
    },
  },
};
export default module;

function describe(kind: StateKind): string {
  switch (kind) {
    case "seconds":
      return "seconds since 1970";
    case "milliseconds":
      return "milliseconds since 1970";
    case "date":
      return "a date";
    case "number":
      return "a number";
    case "text":
      return "a text";
    case "boolean":
      return "true or false";
  }
}
