import { latest } from "../service/collection.ts";
import type { Law } from "./law.ts";
import { reachedBy } from "./reached.ts";

/** Where nothing ever arrives, nothing can be said to be left out on purpose. */
export const somethingArrives: Law = {
  name: "something-arrives",
  summary: "A record that is created while the app polls an otherwise empty service arrives.",
  broken({ cycles, collection, world }, { isHistory }) {
    const reached = reachedBy(cycles);
    const live = collection.live.filter((record) => latest(record).at <= reached);
    if (
      isHistory ||
      live.length === 0 ||
      world.first > 0 ||
      cycles.some(({ arrivals }) => arrivals.length > 0)
    )
      return undefined;
    // Another answer decides whether the list is asked for, and what it says is made up.
    const exchanged = cycles.flatMap((cycle) => cycle.exchanged);
    if (exchanged.length > 0 && exchanged.every(({ page }) => page === undefined)) return undefined;
    return {
      message: `${live.length === 1 ? "One record was" : `${live.length} records were`} created, and nothing ever arrived.`,
      records: live.map(({ number }) => number),
      cycles: [1],
    };
  },
};
