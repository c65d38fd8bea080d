import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { readingOutcomes } from "../../../flow/protocol/forms.ts";
import { isKept, mayGoOn } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { outcomesOf, type StateWrite, writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";
import { keyReads } from "../state/key-reads.ts";

const forgottenKey = defineRule<{ key: string; reader: string; setter: string; dropper?: "post_poll" }>({
  id: "polling/forgotten-key",
  severity: "warning",
  summary: "A command drops a key of `polling_state` that a program looks for afterwards",
  why: "Saving replaces the whole `polling_state`. A program that reads a key that was left out gets null, without an error: what it compares with is never the same, so each cycle takes the feed for a new one and reads all of it again.",
  guards: ["polling.request", "polling.pre_poll", "polling.post_poll", "polling.polling_state", "D33"],
  message: ({ key, reader, setter, dropper = "request" }) =>
    `\`${dropper}\` replaces the whole \`polling_state\` without \`${key}\`, which \`${setter}\` sets. ${reader === "request" ? "Page 2" : `\`${reader}\``} finds null there.`,
  because: ({ key, reader, setter, dropper = "request" }) => [
    `\`${setter}\` sets \`${key}\``,
    `\`${dropper}\` saves a state without \`${key}\``,
    reader === "request" ? "page 2 reads null, and what is made of it is wrong" : `\`${reader}\` reads null`,
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
    {
      title: "On the second page",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {last_id: 0, names: {}}}"}',
        "/data_intake/0/pre_poll":
          '{"!pipe": [{"!http": {"path": "/kinds"}}, {"!jq": "{polling_state: (${polling_state} + {names: (.kinds | map({key: .code, value: .name}) | from_entries)})}"}]}',
        "/data_intake/0/request/!pipe/0/!http":
          '{"path": "/customers", "params": {"after": "${polling_state.last_id}"}}',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '"${polling_state} as $s | {results: [.items[] | . + {kind: $s.names[.code]}], iterate: .has_more, polling_state: «{last_id: (.items[-1].id // $s.last_id)}»}"',
      good: '"${polling_state} as $s | {results: [.items[] | . + {kind: $s.names[.code]}], iterate: .has_more, polling_state: ($s + {last_id: (.items[-1].id // $s.last_id)})}"',
    },
    {
      title: "At the end of a cycle",
      in: "inbound-polling",
      at: "/data_intake/0/post_poll",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {since: (now - 86400 | floor), page: 1}}"}',
        "/data_intake/0/pre_poll":
          '{"!jq": "{polling_state: (.polling_state + {from: .polling_state.since, page: 1})}"}',
        "/data_intake/0/request/!pipe/0/!http":
          '{"path": "/customers", "params": {"changed_from": "${polling_state.from}", "page": "${polling_state.page}"}}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (${polling_state.page} + 1), since: .read_at})}"',
      },
      bad: '{"!jq": "{polling_state: «{page: 1}»}"}',
      good: '{"!jq": "{polling_state: (.polling_state + {page: 1})}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [forgottenKey],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const { commands } = intake;
      for (const key of commands.has("post_poll") ? keysTaken(intake, model) : []) {
        const dropped = dropAtEnd(key, intake, model);
        if (dropped === undefined || keyReads(intake, model).has(key)) continue;
        const { write, setter } = dropped;
        const args = { key, reader: "pre_poll", setter, dropper: "post_poll" } as const;
        return report(forgottenKey, partAt(write.program, write.node), args);
      }
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
      for (const key of readsOfResults(intake, model)) {
        const dropped = dropOf(key, "request", intake, model);
        if (dropped === undefined || keyReads(intake, model).has(key) || !mayGoOn(dropped.write)) continue;
        const { write, setter } = dropped;
        return report(forgottenKey, partAt(write.program, write.node), { key, reader: "request", setter });
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

/** The keys on which the results of a page depend. */
function readsOfResults(intake: IntakeSymbol, model: Model): ReadonlySet<string> {
  const outcomes = intake.commands.has("pre_poll") ? readingOutcomes(intake, model) : [];
  return new Set(
    outcomes.flatMap(({ members, program }) => {
      const results = members.get("results");
      return results === undefined ? [] : [...stateDependence(program, [results]).keys];
    }),
  );
}

/** The keys that `pre_poll` takes for a member as they are: null there is never meant. */
function keysTaken(intake: IntakeSymbol, model: Model): ReadonlySet<string> {
  const found = new Set<string>();
  for (const program of partOfUnit(intake, model).programs) {
    if (program.command.place.name !== "intake.pre_poll") continue;
    for (const { entries } of nodesOfKind(program, "Object"))
      for (const { key, value } of entries) {
        const kept = value === undefined ? undefined : keptKey(value, program);
        // `since: .polling_state.since` hands on what may be null.
        if (kept !== undefined && !(key.kind === "Name" && key.text === kept)) found.add(kept);
      }
  }
  return found;
}

/** A state of `post_poll` without a key that `request` or the setup fills. */
function dropAtEnd(
  key: string,
  intake: IntakeSymbol,
  model: Model,
): { readonly write: StateWrite; readonly setter: string } | undefined {
  const write = writesIn(intake, "post_poll", model)?.find(
    ({ keepsOthers, keys }) => !keepsOthers && !keys.has(key),
  );
  const setter = write === undefined ? undefined : setterOf(key, ["request", "initial_setup"], intake, model);
  return write === undefined || setter === undefined ? undefined : { write, setter };
}

/** The first of some commands that sets a key to something that isn't the same each time. */
function setterOf(
  key: string,
  commands: readonly string[],
  intake: IntakeSymbol,
  model: Model,
): string | undefined {
  return commands.find((name) =>
    (writesIn(intake, name, model) ?? []).some((each) => {
      const value = each.keys.get(key);
      return value !== undefined && constantOf(value) === undefined && !isKept(value, key, each.program);
    }),
  );
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
  const setters = reader === "post_poll" ? ["pre_poll", "initial_setup"] : ["pre_poll"];
  const setter = setterOf(key, setters, intake, model);
  return setter === undefined ? undefined : { write, setter };
}
