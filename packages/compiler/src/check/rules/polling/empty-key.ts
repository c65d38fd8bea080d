import type { Expression } from "@configc/jq";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, partAt, textAt } from "../../../flow/nodes.ts";
import { stateCommands } from "../../../flow/polling-state.ts";
import { waysOf } from "../../../flow/protocol/forms.ts";
import { isKept } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { machineOf } from "./key-dependence.ts";

const emptyKey = defineRule<{ key: string; value: string }>({
  id: "polling/empty-key",
  severity: "warning",
  summary: "A list that the state keeps is read, but nothing is ever put in",
  why: "Ids that are kept to leave out what was read before do so only if each answer puts them in. A list that stays as the setup made it leaves out nothing: records come twice.",
  guards: ["polling.polling_state", "D33"],
  message: ({ key, value }) => `\`${key}\` is read here, but every command leaves it \`${value}\`.`,
  because: ({ key, value }) => [
    `\`initial_setup\` sets \`${key}\` to \`${value}\``,
    `the state of each cycle keeps it as it is`,
  ],
  help: ({ key }) => `Write what was read into \`${key}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {since: (now - 86400 | todate), seen: []}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http/params": '{"updated_from": "${polling_state.since}"}',
      },
      bad: '"${polling_state} as $s | [.items[] | select(.id as $id | $s.seen | index($id) | not)] as $new | {results: $new, iterate: ($new | length > 0), polling_state: {since: ($new[-1].updated // $s.since), seen: «$s.seen»}}"',
      good: '"${polling_state} as $s | [.items[] | select(.id as $id | $s.seen | index($id) | not)] as $new | {results: $new, iterate: ($new | length > 0), polling_state: {since: ($new[-1].updated // $s.since), seen: [.items[].id]}}"',
    },
  ],
});

const module: RuleModule = {
  rules: [emptyKey],
  checks: {
    // What a machine depends on may be a saved value.
    reach: "saved",
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const values = valuesWritten(intake, model);
      if (values === undefined) return;
      tellEmpty(values, intake, report, model);
    },
  },
};
export default module;

interface Given {
  readonly command: string;
  readonly node: Expression;
  readonly program: JqProgram;
}

/** What the commands of an intake give each key of the state, on all ways; undefined where some way can't be read. */
function valuesWritten(
  intake: IntakeSymbol,
  model: Model,
): ReadonlyMap<string, readonly Given[]> | undefined {
  const found = new Map<string, Given[]>();
  const dropped = new Set<string>();
  for (const command of stateCommands) {
    const writes = writesIn(intake, command, model);
    // Without a setup nothing is there at first.
    if (writes === undefined || (command === "initial_setup" && writes.length === 0)) return undefined;
    for (const { keys, keepsOthers, program } of writes) {
      // What is left out is null.
      if (!keepsOthers) for (const key of found.keys()) if (!keys.has(key)) dropped.add(key);
      for (const [key, value] of keys) {
        const given = waysOf(value, program).map((node) => ({ command, node, program }));
        const known = found.get(key);
        if (known === undefined) found.set(key, given);
        else known.push(...given);
        if (command !== "initial_setup" && known === undefined) dropped.add(key);
      }
    }
  }
  for (const key of dropped) found.delete(key);
  return found;
}

function tellEmpty(
  values: ReadonlyMap<string, readonly Given[]>,
  intake: IntakeSymbol,
  report: Report,
  model: Model,
): void {
  for (const [key, given] of values) {
    const setUp = given.filter(({ command }) => command === "initial_setup");
    const kept = given.filter(({ node, program }) => isKept(node, key, program));
    const [at] = kept.filter(({ command }) => command === "request");
    const value = setUp.map(({ node, program }) =>
      isEmpty(node) ? textAt(bare(node), program) : undefined,
    )[0];
    if (value === undefined || at === undefined) continue;
    if (!given.every((each) => kept.includes(each) || isEmpty(each.node))) continue;
    if (machineOf(intake, model)?.observed.has(key) !== true) continue;
    return report(emptyKey, partAt(at.program, at.node), { key, value });
  }
}

/** `[]`, `{}` */
const isEmpty = (given: Expression): boolean => {
  const node = bare(given);
  return (
    (node.kind === "Array" && node.body === undefined) ||
    (node.kind === "Object" && node.entries.length === 0)
  );
};
