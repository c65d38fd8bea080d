import type { WorldLog } from "../polling/run.ts";
import type { Law } from "./law.ts";

/**
 * A new version that takes over brings nothing again which neither version alone brings again in the same world.
 *
 * @param after the last cycle of the old version, of a log
 * @param alone what each version did by itself in the world of a log
 */
export function nothingAgain(
  after: (log: WorldLog) => number,
  alone: (log: WorldLog) => readonly WorldLog[],
): Law {
  return {
    name: "nothing-again",
    summary: "A new version that takes over brings nothing again but what each version alone brings again.",
    broken(log) {
      // After a failure anything may come again.
      if (log.world.faults.length > 0) return undefined;
      const from = after(log) + 1;
      const again = againFrom(log, from);
      const usual = alone(log).map((each) => againFrom(each, from));
      const records = [...again].filter((record) => !usual.some((each) => each.has(record)));
      if (records.length === 0) return undefined;
      return {
        message: `After the new version took over, ${records.length === 1 ? "one record" : `${records.length} records`} that had arrived came again.`,
        records,
        cycles: [from - 1, from],
      };
    },
  };
}

/** Records that come in a cycle from this one on as they came before. */
function againFrom({ cycles }: WorldLog, from: number): ReadonlySet<number> {
  const known = new Set<string>();
  const again = new Set<number>();
  for (const { number, arrivals } of cycles)
    for (const { record, version } of arrivals) {
      const key = `${record} ${version}`;
      if (number >= from && known.has(key)) again.add(record);
      known.add(key);
    }
  return again;
}
