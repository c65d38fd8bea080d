import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isNeverBelowNone } from "../../../flow/never-below-none.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { stateCommands } from "../../../flow/polling-state.ts";
import { waysOf } from "../../../flow/protocol/forms.ts";
import { isKept } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { machineOf } from "./key-dependence.ts";

const settledCondition = defineRule<{ text: string; key: string; least: number; always: boolean }>({
  id: "polling/settled-condition",
  severity: "warning",
  summary: "A condition on a number of the state is always the same",
  why: "A page number that begins at 1 and only grows is never 0. A condition that asks for that tells nothing: one way is never taken, such as the one that goes on with what was read in part.",
  guards: ["polling.polling_state", "D33"],
  message: ({ text, key, least, always }) =>
    `\`${key}\` is never below ${least}, so \`${text}\` is always ${always}.`,
  because: ({ key, least, always }) => [
    `\`${key}\` begins at ${least}, and no command makes it less`,
    `the way for ${!always} is never taken`,
  ],
  help: ({ key }) => `Ask for what tells the cases apart, such as \`${key}\` and the number of all pages.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/post_poll",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {page: 1, pages: 0}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: (${polling_state.page} < .pages), polling_state: {page: (${polling_state.page} + 1), pages: .pages}}"',
      },
      bad: '{"!switch": {"jq": "if «${polling_state.page} > 0» then 0 else 1 end", "cases": [{"!jq": "{polling_state: {page: 1, pages: 0}}"}, {"!jq": "{polling_state: ${polling_state}}"}]}}',
      good: '{"!switch": {"jq": "if ${polling_state.page} > ${polling_state.pages} then 0 else 1 end", "cases": [{"!jq": "{polling_state: {page: 1, pages: 0}}"}, {"!jq": "{polling_state: ${polling_state}}"}]}}',
    },
  ],
});

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
  rules: [settledCondition, emptyKey],
  checks: {
    // What a machine depends on may be a saved value.
    reach: "saved",
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const values = valuesWritten(intake, model);
      if (values === undefined) return;
      tellSettled(values, intake, report, model);
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

/** The number below which a key never is: it begins there, and otherwise is kept or grows. */
function leastOf(key: string, values: readonly Given[]): number | undefined {
  let least: number | undefined;
  for (const { node, program } of values) {
    const constant = constantOf(bare(node));
    if (typeof constant === "number") least = Math.min(least ?? constant, constant);
    else if (!isKept(node, key, program) && !grows(node, key, program)) return undefined;
  }
  return least;
}

/** `${polling_state.page} + 1`, `.page += 1`, `$s.offset + (.rows | length)` */
function grows(given: Expression, key: string, program: JqProgram): boolean {
  const node = bare(given);
  const isMore = (each: Expression): boolean => {
    const constant = constantOf(bare(each));
    return typeof constant === "number" ? constant >= 0 : isNeverBelowNone(each, program);
  };
  // A key that is set by what it was is itself what is added to.
  if (node.kind === "Assignment") return node.operator === "+=" && isMore(node.value);
  if (node.kind !== "Arithmetic" || node.rest.some(({ operator }) => operator !== "+")) return false;
  const all = [node.first, ...node.rest.map(({ operand }) => operand)];
  const own = all.findIndex((each) => isKept(each, key, program));
  return own >= 0 && all.every((each, at) => at === own || isMore(each));
}

function tellSettled(
  values: ReadonlyMap<string, readonly Given[]>,
  intake: IntakeSymbol,
  report: Report,
  model: Model,
): void {
  const known = new Map<string, number | undefined>();
  for (const program of partOfUnit(intake, model).programs) {
    if (program.command.unit !== intake || program.diagnostics.length > 0) continue;
    if (!program.node.value.includes("polling_state") || !/[<>=]/.test(program.node.value)) continue;
    for (const node of nodesOfKind(program, "Comparison")) {
      const limit = constantOf(bare(node.right));
      const key = typeof limit === "number" ? keptKey(node.left, program) : undefined;
      const given = key === undefined ? undefined : values.get(key);
      if (key === undefined || given === undefined || typeof limit !== "number") continue;
      // What is iterated by is told by what it does.
      if (program.command.place.name === "intake.request") continue;
      if (!known.has(key)) known.set(key, leastOf(key, given));
      const least = known.get(key);
      const always = least === undefined ? undefined : alwaysOf(node.operator, limit, least);
      if (least === undefined || always === undefined) continue;
      const text = excerpt(textAt(node, program), 40);
      report(settledCondition, partAt(program, node), { text, key, least, always });
    }
  }
}

/** What a comparison with a limit gives for all numbers that aren't below the least one. */
function alwaysOf(operator: string, limit: number, least: number): boolean | undefined {
  if (operator === ">=" || operator === "<") return limit <= least ? operator === ">=" : undefined;
  if (limit >= least) return undefined;
  return operator === ">" || operator === "!="
    ? true
    : operator === "<=" || operator === "=="
      ? false
      : undefined;
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
