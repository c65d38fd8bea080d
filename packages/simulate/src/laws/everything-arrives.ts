import type { WorldLog } from "../polling/run.ts";
import { latest } from "../service/collection.ts";
import type { Law } from "./law.ts";

/** Nothing is lost: late is told apart by waiting until nothing comes any more. */
export const everythingArrives: Law = {
  name: "everything-arrives",
  summary: "The last version of every record that still exists arrives, sooner or later.",
  broken({ collection, cycles, world }, { leftOut, isHistory }) {
    const arrived = new Map<number, number>();
    for (const { record, version } of cycles.flatMap(({ arrivals }) => arrivals))
      arrived.set(record, Math.max(arrived.get(record) ?? 0, version ?? 0));
    const reached = reachedBy(cycles);
    const never: number[] = [];
    const old: number[] = [];
    for (const record of collection.live) {
      if (leftOut.has(record.number) || latest(record).at > reached) continue;
      // What changes during an import comes by webhook.
      if (isHistory && (record.number > world.first || record.versions.length > 1)) continue;
      const version = arrived.get(record.number);
      if (version === undefined) never.push(record.number);
      else if (version < latest(record).number) old.push(record.number);
    }
    const lost = [...never, ...old];
    if (lost.length === 0) return undefined;
    const parts = [
      ...(never.length > 0 ? [`${count(never.length)} never arrived`] : []),
      ...(old.length > 0 ? [`the last change of ${count(old.length)} never arrived`] : []),
    ];
    return {
      message: `Of ${collection.live.length} records, ${parts.join(", and ")}.`,
      records: lost,
      cycles: [],
    };
  },
};

/** Up to when the app has asked, where a window moves on from cycle to cycle: what lies behind it is late and not lost. */
function reachedBy(cycles: WorldLog["cycles"]): number {
  const ends = cycles
    .slice(-2)
    .map(({ exchanged }) =>
      exchanged.flatMap(({ page }) =>
        (page?.query.bounds ?? []).filter(({ side }) => side === "to").map(({ value }) => value),
      ),
    );
  const [before = [], last = []] = ends;
  const isMoving = before.length > 0 && last.length > 0 && Math.max(...last) > Math.max(...before);
  return isMoving ? Math.max(...last) : Number.POSITIVE_INFINITY;
}

function count(number: number): string {
  return number === 1 ? "one" : `${number}`;
}
