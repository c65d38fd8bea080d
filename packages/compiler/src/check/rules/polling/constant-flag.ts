import type { Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { isKept } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";

const constantFlag = defineRule<{ key: string; value: boolean }>({
  id: "polling/constant-flag",
  severity: "warning",
  summary: "A condition reads a flag of the state that never changes",
  why: "A flag tells the next command what happened before. If it never changes, one branch never runs: the window never moves, or each cycle starts again.",
  guards: ["polling.polling_state", "D33"],
  message: ({ key, value }) => `A condition reads \`${key}\`, but every command sets it to ${value}.`,
  because: ({ key, value }) => [
    `\`${key}\` is ${value} in each cycle`,
    `the branch for ${!value} never runs`,
  ],
  help: ({ value }) => `Set it to ${!value} in the command that should change it.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {page: 1, since: (now - 86400 | todate), done: false}}"}',
        "/data_intake/0/pre_poll":
          '{"!jq": "if .polling_state.done then {polling_state: {page: 1, since: (now - 1800 | todate), done: false}} else {polling_state: .polling_state} end"}',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}, done: «false»}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}, done: (.has_more | not)}}"',
    },
  ],
});

const module: RuleModule = {
  rules: [constantFlag],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const flags = constantFlags(intake, model);
      if (flags.size === 0) return;
      for (const { program, node, key } of conditions(intake, model)) {
        const flag = flags.get(key);
        if (flag === undefined) continue;
        flags.delete(key);
        const asked = { node: program.node, from: node.start, to: node.end };
        report(constantFlag, flag.at, { key, value: flag.value }, [{ message: "read here", at: asked }]);
      }
    },
  },
};
export default module;

interface Flag {
  readonly value: boolean;
  /** Where it is written: in `request`, if it is there. */
  readonly at: StringPart;
}

/** Keys that are true or false, the same on every way of every command. */
function constantFlags(intake: IntakeSymbol, model: Model): Map<string, Flag> {
  const flags = new Map<string, Flag>();
  const others = new Set<string>();
  for (const command of ["initial_setup", "pre_poll", "post_poll", "request"]) {
    const writes = writesIn(intake, command, model);
    if (writes === undefined) return new Map();
    for (const { keys, program } of writes)
      for (const [key, value] of keys) {
        if (isKept(value, key, program)) continue;
        const given = constantOf(value);
        if (typeof given !== "boolean" || (flags.get(key)?.value ?? given) !== given) others.add(key);
        else flags.set(key, { value: given, at: { node: program.node, from: value.start, to: value.end } });
      }
  }
  for (const key of others) flags.delete(key);
  return flags;
}

/** Conditions that ask for nothing but a key of the state. */
function* conditions(intake: IntakeSymbol, model: Model) {
  for (const program of partOfUnit(intake, model).programs) {
    if (program.command.unit !== intake) continue;
    for (const { condition } of nodesOfKind(program, "Branch")) {
      const [key, ...more] = keyOf(condition, program);
      if (key !== undefined && more.length === 0) yield { program, node: condition, key };
    }
  }
}

function keyOf(
  condition: Extract<Node, { kind: "Branch" }>["condition"],
  program: JqProgram,
): readonly string[] {
  const kept = keptKey(condition, program);
  if (kept !== undefined) return [kept];
  const { keys, all, input, clock } = stateDependence(program, [condition]);
  return all || input || clock ? [] : [...keys];
}
