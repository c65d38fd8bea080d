import type { WorldLog } from "../polling/run.ts";
import { faultTold } from "./fault.ts";
import type { Happening } from "./world.ts";

/** What has to be so at the service for a world to be as it is, a phrase each; none where it is as kind as can be. */
export function needsOf({ world: { hypotheses, happenings, faults }, cycles }: WorldLog): readonly string[] {
  const needs: string[] = [];
  const within = happenedBetweenPages(cycles);
  const between = kinds.filter(([what]) => within.has(what));
  if (between.length > 0)
    needs.push(
      `${between.map(([, name]) => name).join(" and ")} between two pages${hypotheses.paging === "live" ? " of a list that moves with them" : ""}`,
    );
  if (hypotheses.boundary === "exclusive") needs.push("a bound that leaves out what lies on it");
  if (hypotheses.rounding > 1)
    needs.push(`times rounded to the ${hypotheses.rounding === 1_000 ? "second" : "minute"}`);
  if (hypotheses.order === "reverse") needs.push("a list in the other order");
  if (hypotheses.ties !== "creation") needs.push("records of the same time in any order");
  if (hypotheses.lag > 0) needs.push(`lists that show a change up to ${hypotheses.lag / 1_000} s late`);
  const most = Math.max(1, ...happenings.map(({ times }) => times));
  if (most >= MANY) needs.push(`${most} changes at one time`);
  if (cycles.some(({ reason, isQuiet }) => reason === "max-requests" && !isQuiet))
    needs.push("a list that doesn't fit into one cycle");
  if (hypotheses.gaps) needs.push("optional members that are absent or null");
  if (hypotheses.texts === "foreign") needs.push("texts in other scripts");
  needs.push(...new Set(faults.map(faultTold)));
  return needs;
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
