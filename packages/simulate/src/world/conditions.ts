import type { WorldLog } from "../polling/run.ts";
import { faultTold } from "./fault.ts";
import type { Hypotheses } from "./hypotheses.ts";
import type { Happening } from "./world.ts";

/** What a world supposes of its service, or of the customer, about one topic. */
export interface Condition {
  readonly topic: string;
  /** Behind the topic: “pages: cut from a list that moves”. */
  readonly told: string;
  /** As easy as can be: nothing breaks because of it. */
  readonly isUsual: boolean;
  /** As what a failure takes, where it isn't told with another condition. */
  readonly need?: string;
}

/** All that a world supposes, in the order in which it is told. */
export function conditionsOf(log: WorldLog): readonly Condition[] {
  return topics.flatMap((conditions) => conditions(log));
}

const topics: readonly ((log: WorldLog) => Condition | readonly Condition[])[] = [
  changesBetweenPages,
  ({ world: { hypotheses } }) =>
    hypotheses.boundary === "exclusive"
      ? special("bounds", "exclusive", "a bound that leaves out what lies on it")
      : usual("bounds", "inclusive"),
  ({ world: { hypotheses } }) => roundedTimes(hypotheses.rounding),
  ({ world: { hypotheses } }) =>
    hypotheses.order === "reverse"
      ? special("order", "the other one", "a list in the other order")
      : usual("order", "as the app takes it"),
  ({ world: { hypotheses } }) => tied(hypotheses.ties),
  ({ world: { hypotheses } }) => lateLists(hypotheses.lag),
  ({ world: { happenings } }) => burst(Math.max(1, ...happenings.map(({ times }) => times))),
  cut,
  recordsAtFirst,
  ({ world: { hypotheses } }) => missingMembers(hypotheses.gaps),
  ({ world: { hypotheses } }) => filledWith(hypotheses.texts),
  ({ world: { form } }) =>
    form === ""
      ? usual("the form", "as a customer fills it in")
      : special("the form", form, `a form with ${form}`),
  failures,
];

function usual(topic: string, told: string): Condition {
  return { topic, told, isUsual: true };
}

function special(topic: string, told: string, need?: string): Condition {
  return { topic, told, isUsual: false, ...(need === undefined ? {} : { need }) };
}

function changesBetweenPages({ world: { hypotheses }, cycles }: WorldLog): readonly Condition[] {
  const within = happenedBetweenPages(cycles);
  if (within.size === 0) return [usual("changes between two pages", "none")];
  return [
    ...kinds
      .filter(([what]) => within.has(what))
      .map(([, name]) => special("changes between two pages", name)),
    hypotheses.paging === "live"
      ? special("pages that change meanwhile", "live")
      : usual("pages that change meanwhile", "frozen"),
  ];
}

function roundedTimes(rounding: number): Condition {
  if (rounding <= 1) return usual("times", "to the millisecond");
  const unit = rounding === 1_000 ? "second" : "minute";
  return special("times", `to the ${unit}`, `times rounded to the ${unit}`);
}

function tied(ties: Hypotheses["ties"]): Condition {
  const topic = "records of the same time";
  if (ties === "creation") return usual(topic, "in the order of creation");
  const told = ties === "any" ? "in any order" : "the last one first";
  return special(topic, told, "records of the same time in any order");
}

function lateLists(lag: number): Condition {
  const topic = "lists show a change";
  if (lag <= 0) return usual(topic, "at once");
  const late = `up to ${lag / 1_000} s late`;
  return special(topic, late, `lists that show a change ${late}`);
}

/** So many make a burst. */
const MANY = 200;

/** @param most changes at one time */
function burst(most: number): Condition {
  const topic = "changes at one time";
  return most >= MANY ? special(topic, `${most}`, `${most} changes at one time`) : usual(topic, "few");
}

function cut({ cycles }: WorldLog): Condition {
  const isCut = cycles.some(({ reason, isQuiet }) => reason === "max-requests" && !isQuiet);
  return isCut
    ? special("a cycle", "too short for the list", "a list that doesn't fit into one cycle")
    : usual("a cycle", "long enough");
}

function recordsAtFirst({ world: { first, sameTime, page } }: WorldLog): Condition {
  const topic = "records at first";
  return sameTime && first > 1
    ? special(topic, "all of one time", `${first} records of the same time`)
    : usual(topic, firstTold(first, page));
}

function missingMembers(gaps: Hypotheses["gaps"]): Condition {
  const topic = "optional members";
  if (gaps === false) return usual(topic, "there");
  const told = gapsTold[`${gaps}`];
  return special(topic, told, `optional members that are ${told}`);
}

function filledWith(texts: Hypotheses["texts"]): Condition {
  if (texts === "plain") return usual("texts", "short");
  return texts === "foreign"
    ? special("texts", "in other scripts", "texts in other scripts")
    : special("texts", "long", "long texts");
}

function failures({ world: { faults } }: WorldLog): readonly Condition[] {
  if (faults.length === 0) return [usual("failures", "none")];
  return [...new Set(faults.map(faultTold))].map((told) => special("failures", told, told));
}

/** What has to be so at the service for a world to be as it is, a phrase each; none where it is as kind as can be. */
export function needsOf(log: WorldLog): readonly string[] {
  const within = happenedBetweenPages(log.cycles);
  const between = kinds.filter(([what]) => within.has(what)).map(([, name]) => name);
  const moves = log.world.hypotheses.paging === "live" ? " of a list that moves with them" : "";
  return [
    ...(between.length === 0 ? [] : [`${between.join(" and ")} between two pages${moves}`]),
    ...conditionsOf(log).flatMap(({ need }) => need ?? []),
  ];
}

/** What happened while the pages of a list were read. */
export function happenedBetweenPages(cycles: WorldLog["cycles"]): ReadonlySet<Happening["what"]> {
  const within = new Set<Happening["what"]>();
  for (const { happened, exchanged } of cycles) {
    const pages = exchanged.filter(({ page }) => page !== undefined).length;
    for (const { happening, afterRequest } of happened)
      if (afterRequest > 0 && afterRequest < pages) within.add(happening.what);
  }
  return within;
}

const kinds: readonly (readonly [Happening["what"], string])[] = [
  ["create", "creations"],
  ["update", "updates"],
  ["delete", "deletions"],
];

const gapsTold = { true: "absent or null", null: "null", absent: "absent" } as const;

/** How a list begins, against the size of a page: what lies on the edge is often wrong. */
function firstTold(first: number, page: number): string {
  if (first === 0) return "none";
  if (first < page) return "less than a page";
  if (first % page === 0) return first === page ? "one full page" : "full pages";
  return first === page + 1 ? "one more than a page" : "several pages";
}
