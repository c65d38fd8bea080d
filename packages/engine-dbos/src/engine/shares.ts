import { mostOf } from "@configc/host";

/** What waits for a share of the places, and what it has. */
export interface Share {
  readonly name: string;
  /** Jobs that it has in the engine: under way, or about to be. */
  readonly active: number;
  /** `open`: its service doesn't answer. `probe`: one job may try whether it does again. */
  readonly circuit: "closed" | "open" | "probe";
}

export interface Places {
  /** Jobs that all workers do at once. */
  readonly places: number;
  /** Of all shares, those that aren't among the ones given too. */
  readonly active: number;
  /** Shares that there are at all. */
  readonly shares: number;
}

/** Jobs in the engine for each place: the next one is there when one is over. */
const AHEAD = 2;

/**
 * How many more jobs each share is given (E38): those that have least come first, so that all have as many in the end, or as many as
 * they need.
 */
export function divide(given: readonly Share[], { places, active, shares }: Places): Map<string, number> {
  const most = shares > 1 ? mostOf(places, shares) : AHEAD * places;
  const line = given
    .map(({ name, active, circuit }) => {
      const limit = circuit === "closed" ? most : circuit === "probe" ? 1 : 0;
      return { name, has: active, limit, more: 0 };
    })
    .filter(({ has, limit }) => has < limit);
  for (let room = AHEAD * places - active; room > 0; room--) {
    let least: (typeof line)[number] | undefined;
    for (const each of line)
      if (each.has + each.more < each.limit && (!least || each.has + each.more < least.has + least.more))
        least = each;
    if (least === undefined) break;
    least.more++;
  }
  return new Map(line.filter(({ more }) => more > 0).map(({ name, more }) => [name, more]));
}
