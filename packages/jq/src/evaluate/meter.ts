import type { JsonObject } from "../json.ts";

/** What limits a run. */
export interface Meter {
  /** Counts steps of work; fails if there are too many. */
  spend(steps: number): void;
  /** Checks the size of a text or array that is about to be made. */
  fits(size: number): void;
  /** Counts a copy of an object. */
  copies(object: JsonObject): void;
}

/**
 * The meter of the run that is going on. A small value can be huge when it is walked, since values share their parts
 * (`[., .]` sixty times over), so whatever walks or copies whole values counts its work. Comparing, printing and updating
 * are called from everywhere, also outside of runs, where nothing limits them: hence the meter isn't one of their
 * parameters. Runs are synchronous; one that is started in the `emit` of another ends before that goes on.
 */
let running: Meter | undefined;

export function metered(meter: Meter, run: () => void): void {
  const outer = running;
  running = meter;
  try {
    run();
  } finally {
    running = outer;
  }
}

/** One container is walked. A turn of a native loop is much less than a step. */
export function countWalk(length: number): void {
  if (running !== undefined) running.spend(1 + Math.floor(length / 4));
}

export function countSort(length: number): void {
  if (running !== undefined && length > 1) countWalk(length * Math.log2(length));
}

/** Something of a certain length is read or copied at once. */
export function countScan(length: number): void {
  if (running !== undefined && length > 15) running.spend(length >> 4);
}

export function countCopy(object: JsonObject): void {
  if (running !== undefined) running.copies(object);
}

export function countSize(size: number): void {
  if (running !== undefined) running.fits(size);
}
