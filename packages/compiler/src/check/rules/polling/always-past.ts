import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isNeverBelowNone } from "../../../flow/never-below-none.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { waysOf } from "../../../flow/protocol/forms.ts";
import { isKept } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const alwaysPast = defineRule<{ text: string; key: string; least: number; always: boolean }>({
  id: "polling/always-past",
  severity: "warning",
  summary: "A condition asks whether a counter of the state is past a number that it never goes below",
  why: "A cycle that a limit ends goes on where it was, and a finished one begins anew. If the condition that tells them apart is always the same, one of the two never happens.",
  guards: ["polling.polling_state", "D33"],
  message: ({ text, key, least, always }) =>
    `\`${text}\` is always ${always}: \`${key}\` is never below ${least}.`,
  because: ({ key, least, always }) => [
    `\`${key}\` begins at ${least} and is only counted on from there`,
    `the branch for ${!always} never runs`,
  ],
  help: ({ key, least }) => `Compare \`${key}\` with what it is when all is read, or with ${least}.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {page: 1, since: (now - 86400 | todate)}}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: {page: (if .has_more then ${polling_state.page} + 1 else 1 end), since: ${polling_state.since}}}"',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"!jq": "if «.polling_state.page > 0» then {polling_state: .polling_state} else {polling_state: {page: 1, since: (now - 1800 | todate)}} end"}',
      good: '{"!jq": "if .polling_state.page > 1 then {polling_state: .polling_state} else {polling_state: {page: 1, since: (now - 1800 | todate)}} end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [alwaysPast],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      let counters: ReadonlyMap<string, number> | undefined;
      for (const program of partOfUnit(intake, model).programs) {
        if (program.command.unit !== intake || program.diagnostics.length > 0) continue;
        for (const node of nodesOfKind(program, "Comparison")) {
          const key = keptKey(bare(node.left), program);
          const limit = constantOf(node.right);
          if (key === undefined || typeof limit !== "number") continue;
          counters ??= countersOf(intake, model);
          const least = counters.get(key);
          const always = least === undefined ? undefined : outcome(node.operator, least, limit);
          if (least === undefined || always === undefined) continue;
          const text = excerpt(textAt(node, program), 40);
          report(alwaysPast, partAt(program, node), { text, key, least, always });
        }
      }
    },
  },
};
export default module;

/** What a comparison gives for every number from the least on; undefined where it depends. */
function outcome(operator: string, least: number, limit: number): boolean | undefined {
  if (operator === ">" || operator === "<=") return least > limit ? operator === ">" : undefined;
  if (operator === ">=" || operator === "<") return least >= limit ? operator === ">=" : undefined;
  return least > limit ? operator === "!=" : undefined;
}

/** Keys that are set to numbers and counted on from there, with the least number. */
function countersOf(intake: IntakeSymbol, model: Model): ReadonlyMap<string, number> {
  const counters = new Map<string, number>();
  const others = new Set<string>();
  for (const command of ["initial_setup", "pre_poll", "request", "post_poll"]) {
    const writes = writesIn(intake, command, model);
    if (writes === undefined) return new Map();
    for (const { keys, program } of writes)
      for (const [key, value] of keys)
        for (const way of waysOf(value, program)) {
          const number = constantOf(way);
          if (isKept(way, key, program) || isCountedOn(way, key, program)) continue;
          if (typeof number === "number") counters.set(key, Math.min(number, counters.get(key) ?? number));
          else others.add(key);
        }
  }
  // A key that `initial_setup` leaves out is null at first.
  const first = writesIn(intake, "initial_setup", model) ?? [];
  for (const key of counters.keys())
    if (others.has(key) || first.length === 0 || first.some(({ keys }) => !keys.has(key)))
      counters.delete(key);
  return counters;
}

/** `${polling_state.page} + 1`, `.page += 1`, `$s.offset + (.rows | length)` */
function isCountedOn(way: Expression, key: string, program: JqProgram): boolean {
  const node = bare(way);
  const isMore = (each: Expression): boolean => {
    const number = constantOf(bare(each));
    return typeof number === "number" ? number >= 0 : isNeverBelowNone(each, program);
  };
  if (node.kind === "Assignment") return node.operator === "+=" && isMore(node.value);
  if (node.kind !== "Arithmetic" || node.rest.some(({ operator }) => operator !== "+")) return false;
  const operands = [node.first, ...node.rest.map(({ operand }) => operand)];
  const own = operands.findIndex((each) => keptKey(bare(each), program) === key);
  return own >= 0 && operands.every((each, at) => at === own || isMore(each));
}
