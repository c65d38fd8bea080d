import type { CycleLog, Share } from "../polling/run.ts";
import type { Breach, Law } from "./law.ts";
import { growsOn, overLimit, requestsStayLinear } from "./requests-stay-linear.ts";

/**
 * What a page, an item or a cycle costs doesn't depend on what was read before it, so an import of twice as much takes twice the requests.
 * Only what has as many records is held against each other: a page of a hundred may well take more than a page of one (E212).
 */
export const pollingStaysLinear: Law = {
  name: requestsStayLinear.name,
  summary: requestsStayLinear.summary,
  broken({ cycles, exchanges }, { app }) {
    for (const { number, shares } of cycles)
      for (const of of ["page", "item"] as const) {
        const counts = growing(shares.filter((each) => each.of === of));
        if (counts !== undefined) return grown(of, counts, [number]);
      }
    const alike = groupedBy(cycles, (cycle) => `${shownIn(cycle)} ${cycle.arrivals.length}`);
    for (const group of alike) {
      const counts = group.map(({ exchanges: sent }) => sent.length);
      if (growsOn(counts)) return grown("cycle", counts, [group.at(-1)!.number]);
    }
    return overLimit(exchanges, app);
  },
};

function grown(what: Share["of"] | "cycle", counts: readonly number[], cycles: readonly number[]): Breach {
  return {
    message: `The first ${what} took ${counts[0]} requests, the ${counts.length}th of the same size ${counts.at(-1)}.`,
    records: [],
    cycles,
  };
}

/** The counts of pages with as many records, or of items, that grow and grow; undefined where none do. */
function growing(shares: readonly Share[]): readonly number[] | undefined {
  return groupedBy(shares, ({ records }) => `${records}`)
    .map((group) => group.map(({ requests }) => requests))
    .find(growsOn);
}

function shownIn({ exchanged }: CycleLog): number {
  return exchanged.reduce((sum, { page }) => sum + (page?.records.length ?? 0), 0);
}

function groupedBy<T>(of: readonly T[], keyOf: (each: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const each of of) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return [...groups.values()];
}
