import type { WorldLog } from "../polling/run.ts";
import { faultTold } from "./fault.ts";
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
  const { hypotheses, happenings, faults, first, sameTime, page, form } = log.world;
  const { cycles } = log;
  const within = happenedBetweenPages(cycles);
  const most = Math.max(1, ...happenings.map(({ times }) => times));
  const isCut = cycles.some(({ reason, isQuiet }) => reason === "max-requests" && !isQuiet);
  const usual = (topic: string, told: string): Condition => ({ topic, told, isUsual: true });
  const special = (topic: string, told: string, need?: string): Condition => ({
    topic,
    told,
    isUsual: false,
    ...(need === undefined ? {} : { need }),
  });
  const pages =
    within.size === 0
      ? [usual("changes between two pages", "none")]
      : [
          ...kinds
            .filter(([what]) => within.has(what))
            .map(([, name]) => special("changes between two pages", name)),
          hypotheses.paging === "live"
            ? special("pages that change meanwhile", "live")
            : usual("pages that change meanwhile", "frozen"),
        ];
  return [
    ...pages,
    hypotheses.boundary === "exclusive"
      ? special("bounds", "exclusive", "a bound that leaves out what lies on it")
      : usual("bounds", "inclusive"),
    hypotheses.rounding > 1
      ? special(
          "times",
          `to the ${unitOf(hypotheses.rounding)}`,
          `times rounded to the ${unitOf(hypotheses.rounding)}`,
        )
      : usual("times", "to the millisecond"),
    hypotheses.order === "reverse"
      ? special("order", "the other one", "a list in the other order")
      : usual("order", "as the app takes it"),
    hypotheses.ties === "creation"
      ? usual("records of the same time", "in the order of creation")
      : special(
          "records of the same time",
          hypotheses.ties === "any" ? "in any order" : "the last one first",
          "records of the same time in any order",
        ),
    hypotheses.lag > 0
      ? special(
          "lists show a change",
          `up to ${hypotheses.lag / 1_000} s late`,
          `lists that show a change up to ${hypotheses.lag / 1_000} s late`,
        )
      : usual("lists show a change", "at once"),
    most >= MANY
      ? special("changes at one time", `${most}`, `${most} changes at one time`)
      : usual("changes at one time", "few"),
    isCut
      ? special("a cycle", "too short for the list", "a list that doesn't fit into one cycle")
      : usual("a cycle", "long enough"),
    sameTime && first > 1
      ? special("records at first", "all of one time", `${first} records of the same time`)
      : usual("records at first", firstTold(first, page)),
    hypotheses.gaps === false
      ? usual("optional members", "there")
      : special(
          "optional members",
          gapsTold[`${hypotheses.gaps}`],
          `optional members that are ${gapsTold[`${hypotheses.gaps}`]}`,
        ),
    hypotheses.texts === "plain"
      ? usual("texts", "short")
      : special(
          "texts",
          hypotheses.texts === "foreign" ? "in other scripts" : "long",
          hypotheses.texts === "foreign" ? "texts in other scripts" : "long texts",
        ),
    ...(form === ""
      ? [usual("the form", "as a customer fills it in")]
      : [special("the form", form, `a form with ${form}`)]),
    ...(faults.length === 0
      ? [usual("failures", "none")]
      : [...new Set(faults.map(faultTold))].map((told) => special("failures", told, told))),
  ];
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

/** So many make a burst. */
const MANY = 200;

const kinds: readonly (readonly [Happening["what"], string])[] = [
  ["create", "creations"],
  ["update", "updates"],
  ["delete", "deletions"],
];

const gapsTold = { true: "absent or null", null: "null", absent: "absent" } as const;

function unitOf(rounding: number): string {
  return rounding === 1_000 ? "second" : "minute";
}

/** How a list begins, against the size of a page: what lies on the edge is often wrong. */
function firstTold(first: number, page: number): string {
  if (first === 0) return "none";
  if (first < page) return "less than a page";
  if (first % page === 0) return first === page ? "one full page" : "full pages";
  return first === page + 1 ? "one more than a page" : "several pages";
}
