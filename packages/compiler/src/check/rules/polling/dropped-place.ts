import { constantOf } from "@configc/jq/internal";
import type { Expansion, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type DocumentedClause, documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { partAt } from "../../../flow/nodes.ts";
import { keepsKey } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { outcomesOf, writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";
import { isOfLastRead } from "./documented-place.ts";

const droppedPlace = defineRule<{ key: string; because: string }>({
  id: "polling/dropped-place",
  severity: "warning",
  summary: "`pre_poll` drops the place that was reached, and a default hides it",
  why: "Saving replaces the whole `polling_state`. A key that `pre_poll` leaves out is gone when the cycle begins. The request reads it with a default, so nothing fails: each cycle begins anew, and at 1,000 results it ends before what is new.",
  guards: ["polling.pre_poll", "polling.polling_state", "expansion.polling_state", "D33"],
  message: ({ key, because }) =>
    `\`pre_poll\` replaces the whole \`polling_state\` without \`${key}\`, although ${because}.`,
  because: ({ key }) => [
    `a cycle ends, and its state has \`${key}\``,
    `\`pre_poll\` saves a state without \`${key}\``,
    "the request takes its default: it begins at the start again",
  ],
  help: ({ key }) => `Keep it: \`\${polling_state} + {…}\`, or \`${key}: \${polling_state.${key}}\`.`,
  examples: [
    {
      title: "Kept after the cycle",
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup": undefined,
        "/data_intake/0/request":
          '{"!pipe": [{"!http": {"path": "/changes", "params": {"after": "${polling_state.after | default}"}}}, {"!jq": "${polling_state} as $s | {results: (.changes | map(. + {kind: $s.kinds[.kind_id]})), iterate: .has_more, polling_state: ($s + {after: (.changes[-1].seq // $s.after)})}"}]}',
        "/data_intake/0/post_poll": '{"!jq": "{polling_state: {after: ${polling_state.after}}}"}',
      },
      bad: '{"!pipe": [{"!http": {"path": "/kinds"}}, {"!jq": "{polling_state: «{kinds: .kinds}»}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/kinds"}}, {"!jq": "{polling_state: (${polling_state} + {kinds: .kinds})}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [droppedPlace],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !intake.commands.has("pre_poll")) return;
      const reads = defaultedReads(intake, model);
      if (reads.size === 0 || !isReadable(intake, model)) return;
      const first = droppingWrite(intake, model);
      if (first === undefined) return;
      for (const [key, read] of reads) {
        if (first.some((write) => write.keepsOthers || write.keys.has(key)) || !isPlace(key, intake, model))
          continue;
        const { clause, because } = meantToStay(key, intake, model) ?? {};
        if (because === undefined) continue;
        const [{ program, node }] = first;
        report(droppedPlace, partAt(program, node), { key, because }, [
          { message: "read here", at: read.node },
          ...(clause === undefined ? [] : [{ message: "the comment", at: clause.comment }]),
        ]);
      }
    },
  },
};
export default module;

/** The keys that the requests to the API read with a default; what is read without one fails, which `polling/dropped-key` tells. */
function defaultedReads(intake: IntakeSymbol, model: Model): ReadonlyMap<string, Expansion> {
  const request = intake.commands.get("request");
  const found = new Map<string, Expansion>();
  for (const expansion of partOfUnit(intake, model).expansions) {
    const { root, syntax, command } = expansion;
    const [, segment, ...below] = syntax.path;
    if (root !== "polling_state" || segment === undefined || below.length > 0) continue;
    if (syntax.filters.length === 0 || command?.key !== "!http" || outermostCommand(command) !== request)
      continue;
    found.set(segment.text, expansion);
  }
  return found;
}

/** The states that `pre_poll` gives, where it always gives one and reads nothing of the one before. */
function droppingWrite(intake: IntakeSymbol, model: Model) {
  const command = intake.commands.get("pre_poll")!;
  const readsState = partOfUnit(intake, model).expansions.some(
    (each) =>
      each.root === "polling_state" &&
      each.command !== undefined &&
      outermostCommand(each.command) === command,
  );
  if (readsState || /\bpolling_state\b(?!["']?\s*:)/.test(outcomesText(command, model))) return undefined;
  const [first, ...others] = writesIn(intake, "pre_poll", model) ?? [];
  const isAlways = outcomesOf(command, model)?.every(({ members }) => members.has("polling_state"));
  return first === undefined || isAlways !== true ? undefined : ([first, ...others] as const);
}

const outcomesText = (command: Parameters<typeof outcomesOf>[0], model: Model): string =>
  (outcomesOf(command, model) ?? []).map(({ program }) => program.node.value).join("\n");

/** Whether the request moves a key to what it was answered. */
function isPlace(key: string, intake: IntakeSymbol, model: Model): boolean {
  return (writesIn(intake, "request", model) ?? []).some(({ keys, program }) => {
    const value = keys.get(key);
    return value !== undefined && stateDependence(program, [value]).input;
  });
}

/** Why a key must be there in the next cycle, too; undefined where it may be meant for one cycle alone. */
function meantToStay(
  key: string,
  intake: IntakeSymbol,
  model: Model,
): { readonly because: string; readonly clause?: DocumentedClause } | undefined {
  const after = writesIn(intake, "post_poll", model) ?? [];
  if (after.some((write) => write.keys.has(key) && keepsKey(write, key)))
    return { because: "`post_poll` keeps it for the next cycle" };
  const setUp = writesIn(intake, "initial_setup", model) ?? [];
  if (setUp.some(({ keys }) => keys.has(key) && constantOf(keys.get(key)!) === undefined))
    return { because: "`initial_setup` sets it" };
  const clause = hasComments(model)
    ? documentedClauses(intake.node, []).find(({ text }) => isOfLastRead(key, text))
    : undefined;
  return clause === undefined
    ? undefined
    : { because: "a comment says that it is the place of the last record", clause };
}
