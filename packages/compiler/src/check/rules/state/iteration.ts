import { printType, types } from "@configc/jq";
import { flowOf } from "../../../flow/flow.ts";
import { certainlyLacks, madeAt, resultsOf, visiblyHas } from "../../../flow/result.ts";
import type { RuleModule } from "../../checks.ts";
import { defineRule } from "../../rule.ts";

const meanings: Readonly<Record<string, string>> = {
  results: "the items for the data pipeline",
  iterate: "whether more has to be fetched",
  polling_state: "the state for the next request",
};

const iterationMember = defineRule<{ missing: string; found: string }>({
  id: "polling/iteration-member",
  severity: "error",
  summary: "`request` doesn't return `results`, `iterate` or `polling_state`",
  why: "Each iteration of a polling `request` gives an object with `results` (the items), `iterate` (whether to go on) and `polling_state`. Without `results` nothing is imported; without `iterate` only the first page is; without `polling_state` the next request repeats this one.",
  guards: ["polling.request", "D33", "polling.results", "polling.iterate", "polling.polling_state"],
  message: ({ missing, found }) =>
    `\`request\` has to return \`${missing}\` (${meanings[missing]}), and this gives \`${found}\`.`,
  help: () =>
    "Return `{results: […], iterate: BOOLEAN, polling_state: {…}}`; an unchanged state is `${polling_state}`.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"«{results: .items, polling_state: ${polling_state}}»"',
      good: '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}}}"',
    },
  ],
});

const connectionMember = defineRule<{ missing: string; found: string }>({
  id: "connect/connection-member",
  severity: "error",
  summary: "`describe_connection` doesn't return `account_id` or `description`",
  why: "The platform shows `description` when the connection works, and tells accounts apart by `account_id`. Without them the connect step fails for every customer.",
  guards: ["connect.describe_connection"],
  message: ({ missing, found }) =>
    `\`describe_connection\` has to return \`${missing}\`, and this gives \`${found}\`.`,
  help: () => "Return `{account_id: …, description: …}`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/1/!jq",
      bad: '"«{id: .id, description: .name}»"',
      good: '"{account_id: .id, description: .name}"',
    },
  ],
});

const contracts = {
  iteration: { rule: iterationMember, members: ["results", "iterate", "polling_state"] },
  connection: { rule: connectionMember, members: ["account_id", "description"] },
} as const;

const module: RuleModule = {
  rules: [iterationMember, connectionMember],
  checks: {
    command: {
      any(command, report, model) {
        const { contract } = command.place;
        if (command.parent !== undefined || (contract !== "iteration" && contract !== "connection")) return;
        const { rule, members } = contracts[contract];
        for (const result of resultsOf(command)) {
          if (visiblyHas(result, members) || (result.program?.diagnostics.length ?? 0) > 0) continue;
          const type = flowOf(model).output(result);
          const missing = members.find((member) => certainlyLacks(type, member));
          if (missing !== undefined)
            report(rule, madeAt(result), { missing, found: printType(types.widenLiterals(type)) });
        }
      },
    },
  },
};
export default module;
