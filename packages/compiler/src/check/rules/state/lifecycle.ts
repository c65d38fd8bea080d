import { type Type, types } from "@configc/jq";
import type { Command } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { lifecycle } from "../../../flow/contracts.ts";
import { flowOf } from "../../../flow/flow.ts";
import { producedType, producersOf } from "../../../flow/producers.ts";
import { resultsOf } from "../../../flow/result.ts";
import type { TypeFlow } from "../../../flow/type-flow.ts";
import { witnessesOf } from "../../../flow/witnesses.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { reportViolations, violationRule } from "../contract/violation-rule.ts";
import { keyReads } from "./key-reads.ts";

const lifecycleRule = violationRule({
  id: "contract/lifecycle",
  summary: "A lifecycle command of a polling intake must give an object or nothing",
  why: "Only `polling_state` of the output of `initial_setup`, `pre_poll` and `post_poll` counts. It must be an object and replaces the whole state. Anything else is lost, and the next request starts with the wrong state.",
  guards: ["polling.initial_setup", "polling.pre_poll", "polling.post_poll", "D33"],
  examples: [
    {
      title: "D33: a state that isn't an object",
      in: "inbound-polling",
      at: "/data_intake/0/post_poll",
      bad: '{"!jq": "{polling_state: «[${polling_state}]»}"}',
      good: '{"!jq": "{polling_state: {page: 1, since: ${polling_state.since}}}"}',
    },
    {
      title: "D33: a text",
      in: "inbound-polling",
      at: "/data_intake/0/post_poll",
      bad: '{"!jq": "«\\"done\\"»"}',
      good: '{"!jq": "{polling_state: {page: 1, since: ${polling_state.since}}}"}',
    },
  ],
});

const stateOutside = defineRule<{ command: string; keys: readonly string[]; members: readonly string[] }>({
  id: "polling/state-outside",
  severity: "error",
  summary: "A lifecycle command gives state keys outside `polling_state`",
  why: "Only `polling_state` of the output of a lifecycle command is saved; everything else is silently ignored. Other keys never reach the requests that read them.",
  guards: ["polling.initial_setup", "polling.pre_poll", "polling.post_poll", "D33"],
  message: ({ command, keys, members }) =>
    `\`${command}\` gives ${allNames(members)} but no \`polling_state\`, so it doesn't save ${allNames(keys)}, which the intake's commands read.`,
  because: ({ command, keys, members }) => [
    `\`${command}\` gives \`${members[0]}\` beside no \`polling_state\``,
    `nothing is saved, so \`${keys[0]}\` isn't there for the next command`,
  ],
  help: () => "Return the state as `{polling_state: {…}}`.",
  examples: [
    {
      title: "D33: another name",
      in: "inbound-polling",
      at: "/data_intake/0/initial_setup/!jq",
      bad: '"«{state: {page: 1, since: \\"\\"}}»"',
      good: '"{polling_state: {page: 1, since: \\"\\"}}"',
    },
    {
      title: "D33: no name",
      in: "inbound-polling",
      at: "/data_intake/0/initial_setup/!jq",
      bad: '"«{page: 1, since: \\"\\"}»"',
      good: '"{polling_state: {page: 1, since: \\"\\"}}"',
    },
  ],
});

const module: RuleModule = {
  rules: [lifecycleRule, stateOutside],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling") return;
      for (const [name, command] of intake.commands) {
        if (command.place.contract !== "lifecycle") continue;
        const offenders = witnessesOf(command, lifecycle, flowOf(model));
        reportViolations(lifecycleRule, command.place.title, offenders, report);
        if (offenders.length > 0) continue;
        for (const { at, keys, members } of keysOutside(command, keyReads(intake, model), flowOf(model)))
          report(stateOutside, at, { command: name, keys, members });
      }
    },
  },
};
export default module;

/** What a lifecycle command gives without `polling_state`, though these keys of the state are among it. */
interface Outside {
  readonly at: StringPart;
  readonly keys: readonly string[];
  readonly members: readonly string[];
}

/** @param reads the keys that the intake's commands read */
export function keysOutside(
  command: Command,
  reads: ReadonlyMap<string, unknown>,
  flow: TypeFlow,
): Outside[] {
  // What a `!save` passes on was made to be saved there.
  if (resultsOf(command).some(({ key }) => key !== "!jq")) return [];
  return producersOf(command, flow).flatMap((maker) => {
    const members = ownMembers(producedType(maker, flow));
    if (maker.program === undefined || members === undefined || members.has("polling_state")) return [];
    const inside = [...members.values()].flatMap((type) => [...(ownMembers(type)?.keys() ?? [])]);
    const given = new Set([...members.keys(), ...inside]);
    const keys = [...reads.keys()].filter((key) => given.has(key));
    const { node, tree } = maker.program;
    const at = { node, from: tree.body.start, to: tree.body.end };
    return keys.length === 0 ? [] : [{ at, keys, members: [...members.keys()] }];
  });
}

/** The members of a closed object by name. */
function ownMembers(type: Type): ReadonlyMap<string, Type> | undefined {
  const [part, ...others] = types.partsOf(type).filter(({ kind }) => kind !== "null");
  if (part?.kind !== "object" || part.rest !== undefined || others.length > 0) return undefined;
  return new Map([...part.members].map(([name, member]) => [name, member.type]));
}
