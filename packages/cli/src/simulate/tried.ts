import type { PartReport } from "@configc/simulate";
import { plural } from "../command-line/words.ts";
import type { Style } from "../terminal/style.ts";

/** What was tried of a workflow and what wasn't, with the laws that held in it. */
export function triedLines(part: PartReport, style: Style): string[] {
  const { kind, untried, notTried, laws, worlds, cycles, requests, arrived, again } = part;
  if (untried !== undefined) return [`${style.yellow("not tried")}: ${untried}`];
  const held = laws.filter(({ isBroken }) => !isBroken).map(({ name }) => name);
  return [
    `Tried: ${plural(worlds, "world")} with ${plural(cycles, kind === "polling" || kind === "history" ? "cycle" : "step")} and ${plural(requests, "request")}; ${plural(arrived, "item")} arrived, ${again} of them again.`,
    `Not broken in these: ${held.join(", ") || "none"}.`,
    ...(notTried.length === 0 ? [] : [`Not tried: ${notTried.join("; ")}.`]),
  ];
}
