import type { Candidate, Found } from "./look.ts";

/** How an app is served, as a look finds it. Times are milliseconds since 1970. */
export interface Looked {
  readonly app: string;
  readonly at: number;
  /** Active installations that nobody holds. */
  readonly installations: number;
  /** Those of them whose connection has to be made anew: nothing is polled for them. */
  readonly broken: number;
  /** Jobs that are due. */
  readonly due: number;
  /** Since when the most overdue one is; undefined if none is, or its time isn't known. */
  readonly dueSince?: number;
  /** When the item came that waits longest, of installations whose connection works. */
  readonly oldestItem?: number;
}

/** What a look knows of an app after some more of its installations. */
export function looked(before: Looked, candidates: readonly Candidate[], due: readonly Found[]): Looked {
  const working = candidates.filter(({ connection }) => connection?.broken === undefined);
  const dueSince = earliest([before.dueSince, ...due.map(({ since }) => since)]);
  const oldestItem = earliest([before.oldestItem, ...working.map(({ waiting }) => waiting?.receivedAt)]);
  return {
    app: before.app,
    at: before.at,
    installations: before.installations + candidates.length,
    broken: before.broken + candidates.length - working.length,
    due: before.due + due.length,
    ...(dueSince === undefined ? {} : { dueSince }),
    ...(oldestItem === undefined ? {} : { oldestItem }),
  };
}

/** 0 stands for a time that isn't known. */
function earliest(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce((first, time) => {
    if (time === undefined || time === 0) return first;
    return first === undefined || time < first ? time : first;
  }, undefined);
}
