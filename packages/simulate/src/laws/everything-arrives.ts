import { latest } from "../service/collection.ts";
import type { Law } from "./law.ts";
import { reachedBy } from "./reached.ts";

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

function count(number: number): string {
  return number === 1 ? "one" : `${number}`;
}
