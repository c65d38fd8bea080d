import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { defineRule } from "../../../findings/rule.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import type { Cycle } from "../../../flow/machine/cycle.ts";
import { type Leaf, leavesOf } from "../../../flow/machine/leaves.ts";
import { pagingOf } from "../../../flow/machine/paging.ts";
import type { Begun } from "../../../flow/machine/polling-program.ts";
import { areEqual, isTrue, type Origin, UNKNOWN, type Value } from "../../../flow/machine/value.ts";
import { bare, isExpression, nodesIn, partAt } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { boundedBy, sentAs } from "../../../flow/protocol/bounded-subjects.ts";
import { definitionInStep } from "../../../flow/protocol/definition-site.ts";
import { keepsKey, keepsWhileGoingOn, mayGoOn } from "../../../flow/protocol/kept-state.ts";
import { askedBy, paramOf } from "../../../flow/protocol/request-reads.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { isTimeName } from "../../../flow/protocol/time-names.ts";
import { areOtherTimes, areSameTimes } from "../../../flow/protocol/time-subjects.ts";
import { watermarksOf } from "../../../flow/protocol/watermarks.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { boundedByOther } from "./bounded-time.ts";
import { type Cycles, cyclesOf, valueIn } from "./cycles.ts";
import { type ArgsOf, type Found, inAll, nameOf, teller } from "./found.ts";
import { endIsToldOf } from "./last-for-latest.ts";
import { isSaidDownwards } from "./said-of-parameter.ts";

const state = (value: string): string =>
  `"{results: .entries, iterate: .has_more, polling_state: {after: ${value}}}"`;
const feed = {
  in: "inbound-polling",
  at: "/data_intake/0/request/!pipe/1/!jq",
  with: {
    "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {after: 1}}"}',
    "/data_intake/0/pre_poll": undefined,
    "/data_intake/0/post_poll": undefined,
    "/data_intake/0/request/!pipe/0/!http/params": '{"after": "${polling_state.after}", "limit": 50}',
  },
} as const;

const forgottenBound = defineRule<{ name: string; value: string }>({
  id: "polling/forgotten-bound",
  severity: "warning",
  summary: "After an answer without records, the bound of the next request is lost",
  why: "Most cycles find nothing new. The last record of an empty list is null, and so is its greatest number or time. If that becomes the bound, the next cycle reads everything from the beginning, and customers get all of it again.",
  guards: ["polling.request", "polling.polling_state", "D33"],
  message: ({ name, value }) =>
    `After an answer without records, \`${name}\` is ${value}: the next cycle reads everything again.`,
  because: ({ name, value }) => [
    `cycle 1 reads records, and \`${name}\` is where it came to`,
    "cycle 2 gets an empty list",
    `cycle 3 asks with \`${name}\` ${value}`,
  ],
  help: () => "Keep the old value where there is no new one: `// ${polling_state.KEY}`.",
  examples: [
    {
      ...feed,
      bad: state("«.entries[-1].seq»"),
      good: state("(.entries[-1].seq // ${polling_state.after})"),
      samples: { world: { intakes: {} } },
    },
  ],
});

const wrongEnd = defineRule<{ name: string; member: string; inCycle: boolean }>({
  id: "polling/wrong-end",
  severity: "warning",
  summary: "The next request begins at the wrong end of the page that was read",
  why: "What comes next begins where the page ended. From its other end on, the next request gets the same records again, or none at all, and the cycle ends at a limit without what is new.",
  guards: ["polling.request", "polling.polling_state", "D33"],
  message: ({ name, member, inCycle }) =>
    inCycle
      ? `Page 2 begins behind the last record of page 1, but its \`${name}\` is taken from the first one.`
      : `The next cycle asks with the earliest \`${member}\` that was read as \`${name}\`, so all later records come again.`,
  because: ({ name, member, inCycle }) =>
    inCycle
      ? [`page 1 has records 1 to 100`, `page 2 is asked for with \`${name}\` of record 1`]
      : [
          `records come with \`${member}\` 12:01, 12:02 and 12:03`,
          `the next cycle asks with \`${name}\` 12:01, and gets them again`,
        ],
  help: ({ inCycle }) =>
    inCycle ? "Take it from the last record of the page: `[-1]`." : "Keep the latest one: `max`.",
  examples: [
    {
      title: "Within a cycle",
      ...feed,
      bad: state("(«.entries[0].seq» // ${polling_state.after})"),
      good: state("(.entries[-1].seq // ${polling_state.after})"),
      samples: { world: { intakes: {} } },
    },
    {
      title: "From cycle to cycle",
      ...feed,
      with: {
        ...feed.with,
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"after": "${polling_state.after}", "sort": "seq", "page": "${polling_state.page}"}',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {after: 1, page: 1}}"}',
      },
      bad: '"{results: .entries, iterate: .has_more, polling_state: (if .has_more then {after: ${polling_state.after}, page: (${polling_state.page} + 1)} else {after: ((«[.entries[].seq] | min») // ${polling_state.after}), page: 1} end)}"',
      good: '"{results: .entries, iterate: .has_more, polling_state: (if .has_more then {after: ${polling_state.after}, page: (${polling_state.page} + 1)} else {after: (([.entries[].seq] | max) // ${polling_state.after}), page: 1} end)}"',
      samples: { world: { intakes: {} } },
    },
  ],
});

const otherTime = defineRule<{ name: string; member: string; by: string; isSorted: boolean }>({
  id: "polling/other-time",
  severity: "warning",
  summary: "The bound is a time of another kind than the one that the request asks by",
  why: "A list that is asked for by one time has the others in any order. A bound taken from another time of its records goes back or jumps ahead: records come again in each cycle, or never.",
  guards: ["polling.request", "polling.polling_state", "D33"],
  message: ({ name, member, by, isSorted }) =>
    isSorted
      ? `The list is sorted by \`${by}\`, but \`${name}\` becomes the \`${member}\` of a record.`
      : `\`${name}\` bounds \`${by}\`, but becomes the \`${member}\` of a record.`,
  because: ({ name, member, by, isSorted }) => [
    isSorted
      ? `by \`${by}\`, the last record isn't the one with the latest \`${member}\``
      : `the service compares \`${name}\` with \`${by}\``,
    "records between the two times come again, or are left out",
  ],
  help: ({ by }) => `Take \`${by}\` of the records.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {since: (now - 86400 | todate)}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"ended_from": "${polling_state.since}", "sort": "ended_at", "limit": 50}',
      },
      bad: '"{results: .items, iterate: .has_more, polling_state: {since: («.items[-1].started_at» // ${polling_state.since})}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {since: (.items[-1].ended_at // ${polling_state.since})}}"',
      samples: { world: { intakes: {} } },
    },
  ],
});

const module: RuleModule = {
  rules: [forgottenBound, wrongEnd, otherTime],
  checks: {
    intake(intake, report, model) {
      const cycles = cyclesOf(intake, model);
      if (cycles === undefined) return tellByNames(intake, report, model);
      const tell = teller(report, intake, model);
      const within = inAll(cycles, (cycle) => firstOfPage(cycle, cycles.order, intake, model));
      if (within !== undefined) return endIsToldOf(intake, model) ? undefined : tell(wrongEnd, within);
      const written = firstAsWritten(intake, cycles.order, model);
      if (written !== undefined) {
        const { at, name, member } = written;
        return endIsToldOf(intake, model) ? undefined : report(wrongEnd, at, { name, member, inCycle: true });
      }
      // An import of what was before runs once.
      if (!usersOf(intake).some((workflow) => workflow.intake?.target === intake))
        return tellByNames(intake, report, model, cycles.by, true);
      const lost = inAll(cycles, forgotten);
      if (lost !== undefined) tell(forgottenBound, lost);
      if (endIsToldOf(intake, model)) return;
      const { by } = cycles;
      const other = by === undefined ? undefined : inAll(cycles, (cycle) => otherTimeOf(cycle, by));
      if (other !== undefined) return tell(otherTime, other);
      tellByNames(intake, report, model, by);
      const early = inAll(cycles, earliest);
      if (early !== undefined && !isSaidToFall(early.leaf, model)) tell(wrongEnd, early);
    },
  },
};
export default module;

/** Whether a comment says that a list goes down from what is sent. */
const isSaidToFall = (leaf: Leaf, model: Model): boolean =>
  hasComments(model) && isSaidDownwards([nameOf(leaf)], leaf.expansion.node);

/** What the names say alone: where nothing says how the list is sorted, or by the time that is bounded, and cycles can't be read as far as that. */
function tellByNames(
  intake: IntakeSymbol,
  report: Report,
  model: Model,
  sortedBy?: string,
  onlyPages = false,
): void {
  const found = boundedByOther(intake, model);
  if (found === undefined || (onlyPages && !found.pages)) return;
  if (sortedBy !== undefined && !areSameTimes(sortedBy, found.by)) return;
  const { at, name, member, by } = found;
  report(otherTime, at, { name, member, by, isSorted: false });
}

/** All that an iteration sends, with what `pre_poll` sent before it. */
const allLeavesOf = ({ prepared, sent }: Begun): readonly Leaf[] =>
  leavesOf({ sent: [...prepared, ...sent] });

/** What page 2 is asked for with, where that is of the first record of page 1 and nothing else tells the two apart. */
function firstOfPage(
  { pages, originOf }: Cycle,
  order: Cycles["order"],
  intake: IntakeSymbol,
  model: Model,
): Found<ArgsOf<typeof wrongEnd>> | undefined {
  const [first, second] = pages;
  const isGoingOn = isTrue(first.iterate);
  // Where it isn't known whether there is a page 2, it may be a list that has the newest first and is never read on, unless that is said.
  if (isGoingOn === false || (isGoingOn === undefined && order !== "ascending")) return undefined;
  const listed = pagingOf(intake, model)?.asks.node.end ?? Infinity;
  const moved = leavesOf(second).filter((leaf) => {
    const { root, node } = leaf.expansion;
    // What is looked up for the records of a page.
    if (node.start > listed) return false;
    if ((root !== "polling_state" && root !== "piped_content") || isChosen(leaf)) return false;
    // What `pre_poll` got of the service for the whole cycle isn't known, but the same on all pages.
    if (leaf.value === UNKNOWN && isKeptBetween(leaf, intake, model)) return false;
    const before = valueIn(first, leaf);
    return before === undefined || !areEqual(before, leaf.value) || leaf.value === UNKNOWN;
  });
  const origins = moved.map(({ value }) => originOf(value));
  // A time and an id may be the cursor together: then both are of one record.
  const begins = origins.map((each) => each?.place === "first" && each.page === 0);
  const isFirst = begins.every(
    (isOfFirst, at) =>
      isOfFirst || (moved[at]!.value === UNKNOWN && isWrittenAsFirst(moved[at]!, intake, model)),
  );
  const isMixed =
    order !== "descending" &&
    origins.every((each, at) => begins[at] || (each?.place === "last" && each.page === 0)) &&
    moved.every(
      (each, at) => order === "ascending" || begins[at] || /(?:^|_)after(?:_|$)/i.test(nameOf(each)),
    );
  const leaf = isFirst ? moved[0] : moved[begins.indexOf(true)];
  if (leaf === undefined || !(isFirst || isMixed)) return undefined;
  const origin = isFirst ? origins.find((each) => each !== undefined) : origins[begins.indexOf(true)];
  // Of what is reckoned with it, `.rows[0].id + 1`, the program has the name.
  const member = origin?.name ?? (order === "ascending" ? memberAsWritten(leaf, intake, model) : undefined);
  return member === undefined ? undefined : { leaf, args: { name: nameOf(leaf), member, inCycle: true } };
}

/** `id` of `.rows[0].id + 1`, where that is all that moves a key. */
function memberAsWritten({ expansion }: Leaf, intake: IntakeSymbol, model: Model): string | undefined {
  const [way, ...others] = watermarksOf(intake, expansion.syntax.path[1]?.text ?? "", model) ?? [];
  const value = way === undefined || others.length > 0 ? undefined : bare(way.node);
  return value?.kind === "Arithmetic" && isOfFirst(value.first) ? way?.member : undefined;
}

/**
 * The same as the programs are written, where the records aren't known well enough to follow them: a comment says which end of the list comes first,
 * the parameter's name says that page 2 is on the other side of it, and nothing else that is sent moves.
 */
function firstAsWritten(
  intake: IntakeSymbol,
  order: Cycles["order"],
  model: Model,
): { readonly at: StringPart; readonly name: string; readonly member: string } | undefined {
  const asked = order === undefined ? undefined : askedBy(intake, model);
  if (asked === undefined || asked.varies || asked.through.size > 0) return undefined;
  const behind = order === "ascending" ? "lower" : "upper";
  const going = (writesIn(intake, "request", model) ?? []).filter(mayGoOn);
  const moves = (key: string): boolean => going.some((write) => !keepsWhileGoingOn(write, key));
  const moving = asked.reads.filter(({ key }) => moves(key));
  const [read, ...others] = moving;
  const name = read === undefined ? undefined : paramOf(read);
  if (read === undefined || name === undefined || others.length > 0) return undefined;
  if (boundName(name)?.end !== behind) return undefined;
  const ways = watermarksOf(intake, read.key, model) ?? [];
  const isFirst = ways.every(
    ({ from, command, key, node }) =>
      from === "first" && command === "request" && key === read.key && isOfFirst(node),
  );
  const [way] = ways;
  if (way?.member === undefined || !isFirst) return undefined;
  return { at: partAt(way.program, way.node), name, member: way.member };
}

/** `.rows[0].id`, `$rows | first | .id` */
function isOfFirst(node: Expression): boolean {
  const value = bare(node);
  if (value.kind === "Postfix") {
    const [index, field, ...others] = value.suffixes.slice(-2);
    const isMember = others.length === 0 && field?.kind === "Field";
    return isMember && index?.kind === "Index" && constantOf(index.index) === 0;
  }
  const [first, field] = value.kind === "Pipeline" ? value.stages.slice(-2) : [];
  return (
    first?.kind === "Call" &&
    first.name.text === "first" &&
    first.arguments.length === 0 &&
    field?.kind === "Postfix" &&
    field.head.kind === "Identity"
  );
}

/** Whether `request` leaves a key of the state as it is. */
function isKeptBetween({ expansion }: Leaf, intake: IntakeSymbol, model: Model): boolean {
  const [root, key] = expansion.syntax.path;
  const writes = writesIn(intake, "request", model) ?? [];
  return (
    root?.text === "polling_state" &&
    key !== undefined &&
    writes.length > 0 &&
    writes.every((write) => keepsKey(write, key.text))
  );
}

/** Whether the first record of a page is all that moves a key, as the programs are written: times in a form of their own are in no made-up record. */
function isWrittenAsFirst({ expansion }: Leaf, intake: IntakeSymbol, model: Model): boolean {
  const [root, key, ...below] = expansion.syntax.path;
  if (root?.text !== "polling_state" || key === undefined || below.length > 0) return false;
  const ways = watermarksOf(intake, key.text, model) ?? [];
  return ways.length > 0 && ways.every(({ from, command }) => from === "first" && command === "request");
}

/** Whether an earlier step makes a value of what customers chose alone: `${custom_data.kinds.value} | join(",")` is the same on all pages. */
function isChosen({ expansion }: Leaf): boolean {
  const made = definitionInStep(expansion);
  if (made === undefined) return false;
  const { node, program } = made;
  const body = bare(node);
  const first = bare(body.kind === "Pipeline" && isExpression(body.stages[0]!) ? body.stages[0] : body);
  if (first.kind !== "Hole" && first.kind !== "String") return false;
  return nodesIn(body).every((each) => {
    if (each.kind === "Hole") return program.holes[each.hole]?.root === "custom_data";
    return each.kind !== "Variable" && !(each.kind === "Call" && each.name.text === "now");
  });
}

/** A bound that the next cycle has, and the one after an answer without records hasn't. */
function forgotten({
  pages,
  next,
  afterNone,
  originOf,
}: Cycle): Found<ArgsOf<typeof forgottenBound>> | undefined {
  if (afterNone === undefined || isTrue(pages[2]!.iterate) !== false) return undefined;
  for (const leaf of leavesOf(afterNone)) {
    const [first, second, then] = [pages[0]!, pages[1]!, next].map((each) => valueIn(each, leaf));
    // What the service says between two cycles may set it back: then that of a page shows what it is.
    const before = then === UNKNOWN && second !== undefined && originOf(second) !== undefined ? second : then;
    if (before === undefined || before === UNKNOWN || isNothing(before)) continue;
    const isFirst =
      originOf(before) !== undefined &&
      first !== undefined &&
      isConstant(leaf.value) &&
      areEqual(first, leaf.value);
    if (isNothing(leaf.value) || isFirst)
      return { leaf, args: { name: nameOf(leaf), value: JSON.stringify(leaf.value) } };
  }
  return undefined;
}

const isConstant = (value: Value): boolean => typeof value === "string" || typeof value === "number";

/** Nothing, or a time before all records. */
const isNothing = (value: Value): boolean =>
  value === null ||
  value === "" ||
  value === 0 ||
  (typeof value === "string" && /^(?:0001|1900|1970)-01-01(?!\d)/.test(value));

function otherTimeOf(
  { next, resumed, originOf }: Cycle,
  by: string,
): Found<ArgsOf<typeof otherTime>> | undefined {
  // A cycle that was cut goes on from a time of its first page, and what was unread may have earlier ones.
  for (const leaf of resumed === undefined ? [] : allLeavesOf(resumed)) {
    const origin = originOf(leaf.value);
    if (origin === undefined || !isTimeName(origin.name)) continue;
    if (origin.place !== "only" && origin.page === 0 && areOtherTimes(by, origin.name))
      return { leaf, args: { name: nameOf(leaf), member: origin.name, by, isSorted: true } };
  }
  for (const leaf of allLeavesOf(next)) {
    const origin = originOf(leaf.value);
    if (origin === undefined || !isTimeName(origin.name)) continue;
    const isOther = areOtherTimes(by, origin.name);
    const isSorted = isOther && (origin.place === "first" || origin.place === "last");
    const bounded = isOther ? boundedBy(sentAs(leaf)) : undefined;
    const isBounded = bounded !== undefined && !areOtherTimes(by, bounded);
    if (isSorted || isBounded)
      return { leaf, args: { name: nameOf(leaf), member: origin.name, by, isSorted } };
  }
  return undefined;
}

/** A bound that is the earliest that was read of a list of one page. */
function earliest(
  { pages, afterOne, resumed, originOf }: Cycle,
  order: "ascending" | "descending",
): Found<ArgsOf<typeof wrongEnd>> | undefined {
  const begin = order === "ascending" ? "first" : "last";
  const found = (leaf: Leaf): Origin | undefined => {
    const origin = originOf(leaf.value);
    return origin?.place === begin && typeof leaf.value !== "object" ? origin : undefined;
  };
  for (const leaf of afterOne === undefined ? [] : allLeavesOf(afterOne)) {
    const origin = found(leaf);
    if (origin !== undefined)
      return { leaf, args: { name: nameOf(leaf), member: origin.name, inCycle: false } };
  }
  // A cycle that was cut goes on from where it came to; a token that leads on doesn't need that.
  const cut = order === "ascending" && resumed !== undefined ? leavesOf(resumed) : [];
  for (const leaf of cut) {
    const origin = found(leaf);
    const begun = valueIn(pages[0], leaf);
    if (origin?.page === 0 && boundName(nameOf(leaf))?.end === "lower" && isConstant(begun ?? null))
      return { leaf, args: { name: nameOf(leaf), member: origin.name, inCycle: false } };
  }
  return undefined;
}
