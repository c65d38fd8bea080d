import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { partAt } from "../../../flow/nodes.ts";
import { isKept } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { outcomesOf, type StateWrite, writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";
import { keyReads } from "../state/key-reads.ts";

const forgottenKey = defineRule<{ key: string; reader: string; setter: string }>({
  id: "polling/forgotten-key",
  severity: "warning",
  summary: "`request` drops a key of `polling_state` that a program looks for afterwards",
  why: "Saving replaces the whole `polling_state`. A program that reads a key that was left out gets null, without an error: what it compares with is never the same, so each cycle takes the feed for a new one and reads all of it again.",
  guards: ["polling.request", "polling.pre_poll", "polling.post_poll", "polling.polling_state", "D33"],
  message: ({ key, reader, setter }) =>
    `\`request\` replaces the whole \`polling_state\` without \`${key}\`, which \`${setter}\` sets. \`${reader}\` finds null there.`,
  because: ({ key, reader, setter }) => [
    `\`${setter}\` sets \`${key}\``,
    `\`request\` saves a state without \`${key}\``,
    `\`${reader}\` reads null`,
  ],
  help: ({ key }) => `Keep it: \`\${polling_state} + {…}\`, or \`${key}: \${polling_state.${key}}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/initial_setup":
          '{"!pipe": [{"!http": {"path": "/head"}}, {"!jq": "{polling_state: {epoch: .epoch, seq: .seq}}"}]}',
        "/data_intake/0/pre_poll":
          '{"!pipe": [{"!http": {"path": "/head"}}, {"!jq": "${polling_state} as $s | {polling_state: {epoch: .epoch, seq: (if .epoch == $s.epoch then $s.seq else 0 end)}}"}]}',
        "/data_intake/0/request/!pipe/0/!http":
          '{"path": "/changes", "params": {"after": "${polling_state.seq}"}}',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '"{results: .changes, iterate: .has_more, polling_state: «{seq: (.changes[-1].seq // ${polling_state.seq})}»}"',
      good: '"${polling_state} as $s | {results: .changes, iterate: .has_more, polling_state: {epoch: $s.epoch, seq: (.changes[-1].seq // $s.seq)}}"',
    },
  ],
});

const module: RuleModule = {
  rules: [forgottenKey],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const { commands } = intake;
      const reader = commands.has("post_poll") && readsAfter("post_poll", intake, model).length > 0;
      for (const name of reader ? ["post_poll", "pre_poll"] : ["pre_poll"]) {
        if (!commands.has(name)) continue;
        for (const key of readsAfter(name, intake, model)) {
          const dropped = dropOf(key, name, intake, model);
          if (dropped === undefined || keyReads(intake, model).has(key)) continue;
          const { write, setter } = dropped;
          return report(forgottenKey, partAt(write.program, write.node), { key, reader: name, setter });
        }
      }
    },
  },
};
export default module;

/** The keys on which depends what a command makes of the state that it finds. */
function readsAfter(name: string, intake: IntakeSymbol, model: Model): readonly string[] {
  const found = new Set<string>();
  for (const { keys, conditions, program } of writesIn(intake, name, model) ?? [])
    for (const [own, value] of [...keys, ...conditions.map((each) => ["", each] as const)])
      if (own === "" || !isKept(value, own, program))
        for (const key of stateDependence(program, [value]).keys) found.add(key);
  return [...found];
}

/** The state of `request` without a key, where it never has it, and another command sets it to something that isn't the same each time. */
function dropOf(
  key: string,
  reader: string,
  intake: IntakeSymbol,
  model: Model,
): { readonly write: StateWrite; readonly setter: string } | undefined {
  const request = intake.commands.get("request");
  const outcomes = request === undefined ? undefined : outcomesOf(request, model);
  const writes = writesIn(intake, "request", model);
  const [write] = writes ?? [];
  if (write === undefined || outcomes?.every(({ members }) => members.has("polling_state")) !== true)
    return undefined;
  if (writes!.some((each) => each.keepsOthers || each.keys.has(key))) return undefined;
  // Between two cycles `post_poll` may set it again.
  const behind = reader === "pre_poll" ? writesIn(intake, "post_poll", model) : [];
  if (behind === undefined || behind.some(({ keys }) => keys.has(key))) return undefined;
  // What only the setup sets may be there for the first cycle alone; what `pre_poll` finds and sets again is kept to be compared.
  const setters = reader === "pre_poll" ? ["pre_poll"] : ["pre_poll", "initial_setup"];
  const setter = setters.find((name) =>
    (writesIn(intake, name, model) ?? []).some((each) => {
      const value = each.keys.get(key);
      return value !== undefined && constantOf(value) === undefined && !isKept(value, key, each.program);
    }),
  );
  return setter === undefined ? undefined : { write, setter };
}
