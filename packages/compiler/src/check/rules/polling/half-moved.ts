import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { isIdName } from "../../../flow/id-names.ts";
import type { Cycle } from "../../../flow/machine/cycle.ts";
import { type Leaf, leavesOf } from "../../../flow/machine/leaves.ts";
import { areEqual, isTrue, type Origin, UNKNOWN } from "../../../flow/machine/value.ts";
import { partAt } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { boundedBy, sentAs } from "../../../flow/protocol/bounded-subjects.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { isChangeTime, isTimeName } from "../../../flow/protocol/time-names.ts";
import { areSameTimes } from "../../../flow/protocol/time-subjects.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { cyclesOf, isBound, leafIn, valueIn } from "./cycles.ts";
import { type ArgsOf, type Found, inAll, nameOf } from "./found.ts";

const halfMoved = defineRule<{ name: string; moved: string; isSaid: boolean }>({
  id: "polling/half-moved",
  severity: "warning",
  summary: "Of a time and an id that say together where to go on, only one moves",
  why: "A list that is sorted by a time, and by the id where times are equal, goes on behind both. If the time stays what it was at first, all records are behind it again: each cycle delivers the same ones, or those that changed later never come.",
  guards: ["polling.request", "polling.polling_state", "D33"],
  message: ({ name, moved }) =>
    `\`${moved}\` goes on to the last record, but \`${name}\` is the same in each request and in each cycle.`,
  because: ({ name, moved, isSaid }) => [
    isSaid
      ? `a comment says that \`${name}\` and \`${moved}\` go together`
      : `\`${name}\` asks for what was changed, and a change doesn't give a record another id`,
    `the next cycle asks with the new \`${moved}\` and the first \`${name}\``,
  ],
  help: ({ name }) => `Take \`${name}\` of the last record too.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {since: (now - 86400 | todate), after: null}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"updated_since": "${polling_state.since}", "after_id": "${polling_state.after}", "sort": "updated_at", "limit": 50}',
      },
      bad: '"{results: .items, iterate: .has_more, polling_state: {since: «${polling_state.since}», after: (.items[-1].id // ${polling_state.after})}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {since: (.items[-1].updated_at // ${polling_state.since}), after: (.items[-1].id // ${polling_state.after})}}"',
      samples: { world: { intakes: {} } },
    },
  ],
});

const module: RuleModule = {
  rules: [halfMoved],
  checks: {
    intake(intake, report, model) {
      const cycles = cyclesOf(intake, model);
      if (cycles === undefined) return;
      // An import of what was before runs once.
      const isImport = !usersOf(intake).some((workflow) => workflow.intake?.target === intake);
      // What logs changes has a new id for each.
      const isLog = (askedBy(intake, model)?.requests ?? []).some(({ argument }) =>
        logs.test((textOf(argument, "path") ?? "").replace(/\?.*$/, "")),
      );
      const isKept = (leaf: Leaf): boolean => keptAt(leaf, intake, model) !== undefined;
      const found = inAll(cycles, (cycle) => halfOf(cycle, isImport || isLog, isKept));
      if (found === undefined) return;
      const at = keptAt(found.leaf, intake, model);
      // One that loses against what is kept is told as that.
      if (at !== undefined) report(halfMoved, at, found.args);
    },
  },
};
export default module;

const logs =
  /\b(?:changes|events|logs?|audit|history|revisions|versions|activit(?:y|ies)|journal|entries)\/?$/i;

function halfOf(
  { pages, next, originOf }: Cycle,
  isWithoutChanges: boolean,
  isKept: (leaf: Leaf) => boolean,
): Found<ArgsOf<typeof halfMoved>> | undefined {
  const [first, second] = pages;
  if (isTrue(first.iterate) === false) return undefined;
  const leaves = leavesOf(first).filter(({ expansion }) => expansion.root === "polling_state");
  const moved = leaves.filter((leaf) => {
    const then = leafIn(second, leaf);
    if (then !== undefined && areEqual(then.given, leaf.given)) return false;
    // Nothing is known of the end of a window that a service says, but it is kept.
    return leaf.value !== UNKNOWN || !isKept(leaf);
  });
  const [one, ...others] = moved;
  const after = one === undefined ? undefined : valueIn(second, one);
  const origin = after === undefined ? undefined : originOf(after);
  if (one === undefined || others.length > 0 || origin?.place !== "last") return undefined;
  for (const leaf of leaves) {
    const stays = [second, pages[2]!, next].every((each) =>
      areEqual(valueIn(each, leaf) ?? UNKNOWN, leaf.value),
    );
    if (leaf === one || !stays) continue;
    const by = boundedBy(sentAs(leaf));
    const isSaid = areSaidTogether(leaf, one, origin, by);
    const isOfChanges =
      !isWithoutChanges &&
      isIdName(origin.name) &&
      isBound(leaf) &&
      by !== undefined &&
      boundName(by)?.end === "lower" &&
      isChangeTime(by);
    if (isSaid || isOfChanges) return { leaf, args: { name: nameOf(leaf), moved: nameOf(one), isSaid } };
  }
  return undefined;
}

const pairWords = /\b(?:pair|tuple|together|both)\b/i;

/** Whether a comment names both values as one place, or the members of a record that they are as one order. */
function areSaidTogether(stays: Leaf, moves: Leaf, origin: Origin, by: string | undefined): boolean {
  const place = moves.expansion.node;
  const [name, other] = [stays, moves].map((leaf) => nameOf(leaf));
  return commentsAround(place, []).some(({ value }) =>
    value.split(/[.;]\s+/).some((sentence) => {
      const words = [...sentence.matchAll(listed)].map(([, one, two]) => [one!, two!] as const);
      return words.some(([one, two]) => {
        if ((one === name && two === other) || (one === other && two === name))
          return pairWords.test(sentence) || sentence.includes(`(${one}, ${two})`);
        const isOrder = two === origin.name && by !== undefined && areSameTimes(by, one) && isTimeName(one);
        return isOrder && /\b(?:order|sort|ascend|after|behind|goes on)/i.test(sentence);
      });
    }),
  );
}

/** `(modified_ms, id)`, `updated_at, then id`, `since and after_id`. */
const listed =
  /\b([A-Za-z_]\w*)[`"]?(?:,? (?:and )?then (?:by )?|, ?| and (?:by |the )?| \+ )[`"]?([A-Za-z_]\w*)\b/g;

/** Where the program writes the old value again. */
function keptAt({ expansion }: Leaf, intake: IntakeSymbol, model: Model) {
  const key = expansion.syntax.path[1]?.text ?? "";
  for (const { keys, program } of writesIn(intake, "request", model) ?? []) {
    const value = keys.get(key);
    if (value !== undefined && keptKey(value, program) === key) return partAt(program, value);
  }
  return undefined;
}
