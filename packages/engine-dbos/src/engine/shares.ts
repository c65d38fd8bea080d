import { fairPart, mostInAll, mostOf } from "@configc/host/internal";

/** What waits for a share of the places, and what it has. */
export interface Share {
  readonly name: string;
  /** Jobs that it has in the engine: under way, or about to be. */
  readonly active: number;
  /** Of these, jobs that have a place of the queue. */
  readonly placed: number;
  /** Of these, jobs on top of the places. */
  readonly onTop: number;
  /** `open`: its service doesn't answer. `probe`: one job may try whether it does again. */
  readonly circuit: "closed" | "open" | "probe";
}

/** The jobs of all shares, those that aren't among the ones given too. */
interface Places extends Pick<Share, "active" | "placed" | "onTop"> {
  /** Jobs that all workers do at once. */
  readonly places: number;
  /** Shares that there are at all. */
  readonly shares: number;
}

/** The next jobs of a share. */
interface Turns {
  readonly jobs: number;
  /** The first so many of them run on top of the places. */
  readonly onTop: number;
}

/** Jobs in the engine for each place: the next one is there when one is over. */
const AHEAD = 2;

/**
 * Which jobs each share is given next (E38): those that have least come first, so that all have as many in the end, or as many as they need.
 * Whoever has less than an even part, because others still hold more than theirs, has the rest of it on top of the places (E247).
 */
export function divide(given: readonly Share[], all: Places): Map<string, Turns> {
  const { places } = all;
  const others = holds(all) - given.reduce((sum, share) => sum + holds(share), 0);
  const part = fairPart(places, given.length + (others > 0 ? 1 : 0));
  const isHeld = others > part || given.some((share) => holds(share) > part);
  const most = all.shares > 1 ? mostOf(places, all.shares) : AHEAD * places;
  const line = given
    .map((share) => {
      const gives = holds(all) > places && holds(share) > part;
      const limit = share.circuit === "closed" && !gives ? most : share.circuit === "probe" ? 1 : 0;
      return { ...share, has: share.active, limit, begun: holds(share), jobs: 0, more: 0 };
    })
    .filter(({ has, limit }) => has < limit);
  let free = places - (all.active - all.onTop);
  let top = mostInAll(places) - places - all.onTop;
  for (let room = AHEAD * places - (all.active - all.onTop); room > 0; ) {
    let least: (typeof line)[number] | undefined;
    for (const each of line) if (each.has < each.limit && (!least || each.has < least.has)) least = each;
    if (least === undefined) break;
    least.has++;
    least.jobs++;
    if (free > 0) {
      free--;
      room--;
      least.begun++;
    } else if (isHeld && top > 0 && least.begun < part) {
      top--;
      least.more++;
      least.begun++;
    } else room--;
  }
  return new Map(
    line.filter(({ jobs }) => jobs > 0).map(({ name, jobs, more }) => [name, { jobs, onTop: more }]),
  );
}

function holds({ placed, onTop }: Pick<Share, "placed" | "onTop">): number {
  return placed + onTop;
}
