import { groupBy } from "@configc/jq/internal";
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
    for (const cycle of cycles) {
      const pages = cycle.shares.filter(({ of }) => of === "page");
      const counts = [...groupBy(pages, ({ records }) => records).values()]
        .map((group) => group.map(({ requests }) => requests))
        .find(growsOn);
      if (counts !== undefined) return grown("page", counts, "of the same size ", cycle);
    }
    // An item is one record, so it costs what any other does, also one of another cycle.
    const items = cycles.flatMap((cycle) =>
      cycle.shares.filter(({ of }) => of === "item").map(({ requests }) => ({ cycle, requests })),
    );
    for (const group of [...groupBy(items, ({ cycle }) => cycle).values(), items]) {
      const counts = group.map(({ requests }) => requests);
      if (growsOn(counts)) return grown("item", counts, "", group.at(-1)!.cycle);
    }
    const alike = groupBy(cycles, (cycle) => `${shownIn(cycle)} ${cycle.arrivals.length}`);
    for (const group of alike.values()) {
      const counts = group.map(({ exchanges: sent }) => sent.length);
      if (growsOn(counts)) return grown("cycle", counts, "of the same size ", group.at(-1)!);
    }
    return overLimit(exchanges, app);
  },
};

/** @param alike in what those that are compared are alike */
function grown(
  what: Share["of"] | "cycle",
  counts: readonly number[],
  alike: string,
  { number, exchanged, arrivals }: CycleLog,
): Breach {
  const [first] = counts;
  const byCommand = groupBy(exchanged, ({ exchange }) => exchange?.command.pointer);
  const [most] = [...byCommand.values()].sort((a, b) => b.length - a.length);
  const sent = most?.[0];
  const items = arrivals.length === 1 ? "one item" : `${arrivals.length} items`;
  return {
    message: `The first ${what} took ${first} ${first === 1 ? "request" : "requests"}, the ${counts.length}th ${alike}${counts.at(-1)}.`,
    records: [],
    cycles: [number],
    ...(sent === undefined
      ? {}
      : {
          shownBy: `cycle ${number} sends ${sent.method} ${sent.url.pathname} ${most!.length} times for ${items}.`,
        }),
  };
}

function shownIn({ exchanged }: CycleLog): number {
  return exchanged.reduce((sum, { page }) => sum + (page?.records.length ?? 0), 0);
}
