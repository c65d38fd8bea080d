import type { Type } from "@configc/jq";
import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { lifecycle } from "../../../flow/contracts.ts";
import { flowOf } from "../../../flow/flow.ts";
import { violates } from "../../../flow/violation.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { Cycle } from "./cycle.ts";
import { dropsIn, isReturned } from "./drops.ts";
import { type KeyRead, keyReads } from "./key-reads.ts";
import { keysOutside } from "./lifecycle.ts";

const unsetKey = defineRule<{ key: string; first: string; set: readonly string[] }>({
  id: "polling/unset-key",
  severity: "error",
  summary: "The first poll reads a key of `polling_state` that nothing has set",
  why: "Until something is saved, `polling_state` is empty. Reading a missing key fails, so the very first poll of every customer fails.",
  guards: ["polling.initial_setup", "expansion.polling_state", "D9", "D33"],
  message: ({ key, first, set }) =>
    `Nothing sets \`${key}\` before the first \`${first}\` reads it: \`polling_state\` ${
      set.length === 0 ? "is empty" : `has only ${allNames(set)}`
    } then.`,
  because: ({ key, first, set }) => [
    `before the first poll the state is ${set.length === 0 ? "`{}`" : `\`{${set.join(", ")}}\``}`,
    `\`${first}\` reads \`${key}\` of it, and fails`,
  ],
  help: ({ key }) =>
    `Set it in \`initial_setup\`: \`{polling_state: {${key}: …}}\`, or read it with a default: \`\${polling_state.${key} | default}\`.`,
  examples: [
    {
      title: "D33",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/0/!http/params",
      with: {
        "/data_intake/0/initial_setup": undefined,
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: {page: 2}}"',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"page": "${polling_state.«page»}"}',
      good: '{"page": "${polling_state.page | default:1}"}',
    },
    {
      title: "D33: what only the end of a cycle sets, though `pre_poll` passes the state on",
      in: "inbound-polling",
      at: "/data_intake/0",
      bad: '{"type": "polling", "name": "customers", "initial_setup": {"!jq": "{polling_state: {page: 1}}"}, "pre_poll": {"!jq": "{polling_state: (${polling_state} + {page: 1})}"}, "request": {"!pipe": [{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"page": "${polling_state.page}", "since": "${polling_state.«since»}"}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"}]}, "post_poll": {"!jq": "{polling_state: (${polling_state} + {since: \\"2026-01-01\\"})}"}}',
      good: '{"type": "polling", "name": "customers", "initial_setup": {"!jq": "{polling_state: {page: 1, since: null}}"}, "pre_poll": {"!jq": "{polling_state: (${polling_state} + {page: 1})}"}, "request": {"!pipe": [{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"page": "${polling_state.page}", "since": "${polling_state.since}"}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"}]}, "post_poll": {"!jq": "{polling_state: (${polling_state} + {since: \\"2026-01-01\\"})}"}}',
    },
  ],
});

const module: RuleModule = {
  rules: [unsetKey],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isSetupKnown(intake, model)) return;
      const reads = keyReads(intake, model);
      if (reads.size === 0) return;
      const flow = flowOf(model);
      const setup = intake.commands.get("initial_setup");
      const outside = setup === undefined ? [] : keysOutside(setup, reads, flow);
      const seen = new Set(outside.flatMap(({ keys }) => keys));
      const tell = ({ key, at, command }: KeyRead, set: readonly string[]) => {
        if (seen.has(key) || !isReturned(key, intake, model)) return;
        seen.add(key);
        report(unsetKey, at, { key, first: nameOf(intake, command), set });
      };
      for (const read of new Cycle(intake, model).readsAtStart()) tell(read, []);
      // The types of a first cycle are asked for only where a key isn't there in every cycle: few intakes have such reads.
      const doubtful = [...reads.values()].flat().filter((read) => !isCertain(read, intake, model));
      if (doubtful.length === 0) return;
      for (const { keys } of dropsIn(intake, model)) for (const key of keys) seen.add(key);
      for (const read of doubtful) {
        const state = flow.firstStateAt(nameOf(intake, read.command), intake);
        if (state.kind === "object" && state.rest === undefined && !state.members.has(read.key))
          tell(read, [...state.members.keys()]);
      }
    },
  },
};
export default module;

/** Whether what sets the first state can be read, and gives one: otherwise that is the finding. */
function isSetupKnown({ commands, node }: IntakeSymbol, model: Model): boolean {
  const setup = commands.get("initial_setup");
  return setup === undefined
    ? node.member("initial_setup") === undefined
    : !violates(flowOf(model).output(setup), lifecycle);
}

/** Whether the state certainly has the key where it is read. */
function isCertain({ key, command }: KeyRead, intake: IntakeSymbol, model: Model): boolean {
  const state: Type = flowOf(model).stateAt(command, intake);
  return state.kind !== "object" || state.rest !== undefined || state.members.get(key)?.optional === false;
}

function nameOf(intake: IntakeSymbol, command: Command): string {
  for (const [name, each] of intake.commands) if (each === command) return name;
  return "request";
}
