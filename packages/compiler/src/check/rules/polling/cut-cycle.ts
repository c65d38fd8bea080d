import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import type { Cycle } from "../../../flow/machine/cycle.ts";
import { type Leaf, leavesOf } from "../../../flow/machine/leaves.ts";
import { areEqual, isTrue, memberOf, resolved, UNKNOWN, type Value } from "../../../flow/machine/value.ts";
import { nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { stateWritesOf, writesIn } from "../../../flow/protocol/state-writes.ts";
import type { Location } from "../../../parse/document.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { placeSetBack, windowClosedEachCycle, windowClosedUnread, windowMovedAway } from "./cut-places.ts";
import { areAlike, type Cycles, counts, cyclesOf, follows, isBound, valueIn } from "./cycles.ts";
import { type ArgsOf, type Found, inAll, nameOf } from "./found.ts";

const place = {
  in: "inbound-polling",
  with: {
    "/data_intake/0/initial_setup":
      '{"!jq": "{polling_state: {page: 1, since: (now - 86400 | todate), started: null, done: true}}"}',
    "/data_intake/0/pre_poll":
      '{"!jq": "if .polling_state.done then {polling_state: {page: 1, since: .polling_state.since, started: (now - 60 | floor | todate), done: false}} else {polling_state: .polling_state} end"}',
    "/data_intake/0/request/!pipe/0/!http/params":
      '{"page": "${polling_state.page}", "updated_since": "${polling_state.since}"}',
    "/data_intake/0/request/!pipe/1/!jq":
      '"{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (${polling_state.page} + 1), done: (.has_more | not)})}"',
    "/data_intake/0/post_poll":
      '{"!jq": "if .polling_state.done then {polling_state: {page: 1, since: .polling_state.started, started: null, done: true}} else {polling_state: .polling_state} end"}',
  },
} as const;

const cutCycle = defineRule<{ name: string; course: "restarts" | "moves" | "leaves"; position: string }>({
  id: "polling/cut-cycle",
  severity: "warning",
  summary: "After a cycle that ended before the last page, the next one doesn't go on there",
  why: "A cycle ends at 1,000 results, also in the middle of a list. The state says whether all pages were read. If the next cycle begins at page 1 again, it never gets further than this one. If it begins at page 1 of a later window, the pages that weren't read never arrive.",
  guards: ["polling.pre_poll", "polling.post_poll", "polling.polling_state", "D33"],
  message: ({ name, course, position }) =>
    course === "restarts"
      ? `After a cycle that was cut, \`${name}\` is the same as in its first request, so no cycle gets further than the first one.`
      : course === "leaves"
        ? `After a cycle that was cut, \`${name}\` moves, but \`${position}\` still stands in the window that it was given for.`
        : `After a cycle that was cut, \`${name}\` moves as if all pages had been read, and \`${position}\` starts again.`,
  because: ({ name, course, position }) => [
    "page 1 is read, the cycle is cut at its limit, and there are more pages",
    course === "leaves"
      ? `the next cycle asks with another \`${name}\` and the old \`${position}\`: what is between the two ends is never read`
      : course === "restarts"
        ? `the next cycle asks with the first \`${name}\` again`
        : `the next cycle asks with a later \`${name}\` and the first \`${position}\``,
  ],
  help: ({ name, course }) =>
    course === "restarts"
      ? `Leave \`${name}\` as it is where the pages weren't all read.`
      : `Move \`${name}\` only where all pages were read.`,
  examples: [
    {
      title: "The first page again",
      ...place,
      at: "/data_intake/0/pre_poll/!jq",
      bad: '"if .polling_state.done then {polling_state: {page: 1, since: .polling_state.since, started: (now - 60 | floor | todate), done: false}} else {polling_state: (.polling_state + {page: «1»})} end"',
      good: '"if .polling_state.done then {polling_state: {page: 1, since: .polling_state.since, started: (now - 60 | floor | todate), done: false}} else {polling_state: .polling_state} end"',
    },
    {
      title: "The next window",
      ...place,
      at: "/data_intake/0/post_poll/!jq",
      bad: '"{polling_state: {page: 1, since: «.polling_state.started», started: null, done: true}}"',
      good: '"if .polling_state.done then {polling_state: {page: 1, since: .polling_state.started, started: null, done: true}} else {polling_state: .polling_state} end"',
    },
  ],
});

const module: RuleModule = {
  rules: [cutCycle],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling") return;
      const cycles = cyclesOf(intake, model);
      const found = cycles === undefined ? undefined : coursesIn(cycles, intake, model);
      if (found !== undefined) return report(cutCycle, placeOf(found.leaf, intake, model), found.args);
      tellByForm(intake, report, model);
    },
  },
};
export default module;

/** What is told by the form of the programs alone. */
function tellByForm(intake: IntakeSymbol, report: Report, model: Model): void {
  const goesOnAfterCut = hasComments(model) && saysToGoOn(intake);
  const back = placeSetBack(intake, goesOnAfterCut, model);
  if (back !== undefined)
    return report(cutCycle, back.at, { name: back.name, course: "restarts", position: back.position });
  const said = goesOnAfterCut || (hasComments(model) && saysTied(intake));
  const away = windowClosedEachCycle(intake, model) ?? (said ? windowMovedAway(intake, model) : undefined);
  if (away === undefined) {
    const closed = windowClosedUnread(intake, model);
    if (closed !== undefined)
      report(cutCycle, closed.at, { name: closed.name, course: "moves", position: closed.position });
    return;
  }
  report(cutCycle, away.at, { name: away.name, course: "leaves", position: away.position });
}

/** What becomes of what is sent, after a cycle that was cut, in all cycles that may be meant. */
function coursesIn(
  cycles: Cycles,
  intake: IntakeSymbol,
  model: Model,
): Found<ArgsOf<typeof cutCycle>> | undefined {
  const polls = usersOf(intake).some((workflow) => workflow.intake?.target === intake);
  const isTied = hasComments(model) && saysTied(intake);
  return inAll(cycles, (cycle) => {
    // A place in a list that isn't asked for any more is wrong whether or not cuts were thought of.
    const left = leftBehind(cycle, isTied);
    if (left !== undefined) return left;
    const course = courseOf(cycle);
    // The limit of 1,000 results ends a cycle, not an import of what was before: that goes on with the next cycle (D34).
    if (!polls) return course?.args.course === "restarts" ? course : undefined;
    if (course === undefined) return undefined;
    // A poll that keeps nothing from one cycle to the next begins anew each time.
    const isCut =
      tellsCuts(cycle, keysAsked(intake, model)) ||
      (tellsCuts(cycle, keysCleared(intake, model)) && !areAlike(cycle.pages[0], cycle.next));
    return isCut || saysToGoOn(intake) ? course : undefined;
  });
}

function courseOf(cycle: Cycle): Found<ArgsOf<typeof cutCycle>> | undefined {
  const { pages, next } = cycle;
  const [first, second] = pages;
  if (isTrue(first.iterate) !== true) return undefined;
  const leaf = leavesOf(second).find(
    (each) => counts(each, cycle) || follows(each, cycle) || leadsOn(each, cycle),
  );
  const resumed = leaf === undefined ? undefined : cycle.resumed;
  if (leaf === undefined || resumed === undefined) return undefined;
  const position = nameOf(leaf);
  const from = valueIn(first, leaf);
  const again = valueIn(resumed, leaf);
  if (from === undefined || again === undefined || !areEqual(from, again)) return undefined;
  if (areAlike(first, resumed)) return { leaf, args: { name: position, course: "restarts", position } };
  const ends = (each: Leaf): boolean => boundName(nameOf(each))?.end === "upper";
  const [bound, ...others] = leavesOf(first).filter((each) => isBound(each) && !ends(each));
  if (bound === undefined || others.length > 0) return undefined;
  // A window that grows at its end is the same one for whoever reads it from its start.
  if (leavesOf(first).some(ends) && areEqual(bound.value, valueIn(resumed, bound) ?? UNKNOWN))
    return { leaf, args: { name: position, course: "restarts", position } };
  const [before, cut, whole] = [first, resumed, next].map((each) => valueIn(each, bound));
  if (before === undefined || cut === undefined || whole === undefined || typeof cut !== typeof before)
    return undefined;
  // A time of a record that was read is a place to go on from.
  if (areEqual(before, cut) || !areEqual(cut, whole) || cycle.originOf(cut) !== undefined) return undefined;
  return { leaf: bound, args: { name: nameOf(bound), course: "moves", position } };
}

/**
 * A token or a count that goes on after a cut, while the next cycle begins at another time, although each page of this one began at the same: the window is
 * worked out anew, the place in the old one is kept. Where the times alone tell the windows apart, a token may have its own.
 */
function leftBehind(cycle: Cycle, isTied: boolean): Found<ArgsOf<typeof cutCycle>> | undefined {
  const [first, second] = cycle.pages;
  if (isTrue(first.iterate) !== true) return undefined;
  const leaf = leavesOf(second).find((each) => follows(each, cycle) || counts(each, cycle));
  const resumed = leaf === undefined ? undefined : cycle.resumed;
  if (leaf === undefined || resumed === undefined) return undefined;
  if (!areEqual(valueIn(resumed, leaf) ?? UNKNOWN, leaf.value)) return undefined;
  // What is counted is counted in one list.
  const isPlace = isTied || counts(leaf, cycle);
  const moved = leavesOf(first).filter((each) => {
    const [begun, then, again] = [first, second, resumed].map((one) => valueIn(one, each));
    if (begun === undefined || then === undefined || again === undefined || again === UNKNOWN) return false;
    return isTime(begun) && isTime(again) && areEqual(begun, then) && !areEqual(begun, again);
  });
  const start = moved.find((each) => boundName(nameOf(each))?.end === "lower");
  const end = moved.find((each) => boundName(nameOf(each))?.end === "upper");
  if (start === undefined || (end === undefined && !isPlace)) return undefined;
  return { leaf: start, args: { name: nameOf(start), course: "leaves", position: nameOf(leaf) } };
}

const isTime = (value: Value): boolean =>
  typeof value === "string" ? /^\d{4}-\d\d-\d\d/.test(value) : typeof value === "number" && value > 1e9;

/** Whether a value is nothing for the first page, and then the number of the next one. */
function leadsOn(leaf: Leaf, { pages }: Cycle): boolean {
  const [first, second, third] = pages.map((page) => valueIn(page, leaf));
  return first === null && typeof second === "number" && typeof third === "number" && third > second;
}

/** What is said of a cycle that ends before its list, and that the next one goes on. */
const cuts =
  /\bcut\b|\blimits?\b|\b1[,.]?000\b|\b(?:several|more than one|over the) cycles?\b|\bthan one cycle\b|\bone cycle takes\b|\bto its end\b|\binterrupted\b|\b(?:cycle|round) that ends early\b|(?:\bnot|n't) (?:end|ended|finish|finished|be finished|through)\b.{0,20}\bcycle\b|\bcycle (?:\w+ )?(?:(?:did|has|had|could|was) not|(?:did|has|had|could|was)n't) (?:get through|finish|finished|complete|completed|reach)\b|\bcycle left (?:\w+ )?unfinished\b|\bunfinished (?:cycle|window|list|walk|round)\b/i;
const goesOn =
  /\b(?:goes|go|gone|going|carr(?:y|ies|ied|ying)) on\b|\bread on\b|\bcontinue[sd]?\b|\bresume[sd]?\b|\bkeeps its\b|\bkept over\b|\boutlives?\b|\bover several cycles\b|\bpick(?:s|ed)? up\b|\btak(?:es|en) up\b|\bwhere (?:it|this one|that one|the last one) (?:stopped|ended|was cut|broke off|left off)\b|\buntil the last page\b|\bonly (?:moves?|counts?|advances?)\b|\bleft off\b|\b(?:read|finished|completed) (?:to (?:its|the|their) end )?first\b/i;

/** Whether a comment of the intake says that the next cycle goes on where one was cut. */
const saysToGoOn = ({ node }: IntakeSymbol): boolean =>
  [...commentsBelow(node)].some(({ value }) =>
    // `A cycle may end by its limits; the next one then goes on` is one thing, and so it is in two sentences.
    value
      .split(
        /[.;]\s(?!(?:and |so )?(?:then )?(?:the|that|this|its|our) (?:next|new|one|cycle|poll|run|following)\b|then (?:the|it|we)\b)/i,
      )
      .some((sentence) => cuts.test(sentence) && goesOn.test(sentence)),
  );

/** Whether a comment says that a token is good for one window or list alone: `A token only fits its own window`. */
const saysTied = ({ node }: IntakeSymbol): boolean =>
  [...commentsBelow(node)].some(({ value }) =>
    value.split(/[.;]\s/).some((sentence) => tokenWord.test(sentence) && tied.test(sentence)),
  );

const tokenWord = /\b(?:\w*[_ ]?(?:token|cursor|key|bookmark|marker)|\w+(?:Token|Cursor|Key|Marker))s?\b/;
const tied =
  /\b(?:belongs? to|goes with|go with|fits?|(?:good|valid|made|meant) (?:only )?for|tied to|bound to|works? (?:only )?(?:for|with|in))\b.*\b(?:windows?|bounds|range|quer(?:y|ies)|parameters|filters?)\b/i;

/** The keys of the state by which a cycle's beginning or end decides. */
function keysAsked(intake: IntakeSymbol, model: Model): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const name of ["pre_poll", "post_poll"]) {
    const command = intake.commands.get(name);
    for (const { program } of (command === undefined ? undefined : stateWritesOf(command, model)) ?? [])
      for (const { branches } of nodesOfKind(program, "If"))
        for (const { condition } of branches)
          for (const key of stateDependence(program, [condition]).keys) keys.add(key);
  }
  return keys;
}

/** The keys that `post_poll` sets to null in every case. */
function keysCleared(intake: IntakeSymbol, model: Model): ReadonlySet<string> {
  const [write, ...others] = writesIn(intake, "post_poll", model) ?? [];
  const cleared = others.length > 0 ? [] : [...(write?.keys ?? [])];
  return new Set(cleared.flatMap(([key, value]) => (constantOf(value) === null ? [key] : [])));
}

/** Whether one of the keys says that a cycle was cut, as a flag or by being null: it is another one after the first page than after the last. */
function tellsCuts(cycle: Cycle, keys: ReadonlySet<string>): boolean {
  const { pages } = cycle;
  return [...keys].some((key) => {
    const begun = resolved(memberOf(pages[0].before, key));
    const [first, last] = [pages[0]!, pages[2]!].map(({ state }) => resolved(memberOf(state, key)));
    if (first === undefined || last === undefined || first === UNKNOWN || last === UNKNOWN) return false;
    if (areEqual(first, last)) return false;
    // A page that is 1 again behind the last one is another one only after a cut.
    if (typeof first === "number" && typeof last === "number") return begun === last && keepsAfterCut(cycle);
    return [first, last].some((each) => each === null || typeof each === "boolean");
  });
}

/** Whether something else that is sent stays as it was after a cut, and moves where all was read: the cycle is meant to go on. */
function keepsAfterCut({ pages: [first], next, resumed }: Cycle): boolean {
  return (
    resumed !== undefined &&
    leavesOf(first).some((leaf) => {
      const [cut, whole] = [resumed, next].map((each) => valueIn(each, leaf));
      if (cut === undefined || whole === undefined || cut === UNKNOWN || whole === UNKNOWN) return false;
      return areEqual(leaf.value, cut) && !areEqual(leaf.value, whole);
    })
  );
}

/** Where the beginning or the end of a cycle writes what is sent. */
function placeOf({ expansion }: Leaf, intake: IntakeSymbol, model: Model): Location {
  const { root, syntax, node } = expansion;
  const key = root === "polling_state" ? syntax.path[1]?.text : undefined;
  for (const name of ["pre_poll", "post_poll"]) {
    const command = intake.commands.get(name);
    const writes = (command === undefined ? undefined : stateWritesOf(command, model)) ?? [];
    const write = writes.findLast(({ keys, program }) => {
      const value = keys.get(key ?? "");
      return value !== undefined && keptKey(value, program) !== key;
    });
    const value = write?.keys.get(key ?? "");
    if (write !== undefined && value !== undefined) return partAt(write.program, value);
  }
  return partAt({ node }, syntax);
}
