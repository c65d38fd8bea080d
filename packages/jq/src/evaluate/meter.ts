import type { JsonObject } from "../json.ts";

/** What limits a run. */
export interface Meter {
  /** Counts steps of work; fails if there are too many. */
  spend(steps: number): void;
  /** Checks the size of a text or array that is about to be made. */
  fits(size: number): void;
  /** Counts bytes of what is made; fails if they are too many. */
  makes(bytes: number): void;
  /** Counts a copy of an object. */
  copies(object: JsonObject): void;
}

/**
 * What values take in memory, in bytes, estimated upwards: arrays have room to grow, characters may take two bytes,
 * numbers may stand alone. The sum bounds what is in use at any time without knowing what still is.
 */
export const bytes = {
  array: 48,
  /** One that is added to: the first addition makes room for more. */
  growing: 192,
  /** Of an array that is made at once, and of one that grows. */
  slot: 8,
  item: 24,
  object: 56,
  /** Of an object with known names, and of one whose names are data. */
  member: 16,
  entry: 128,
  text: 32,
  character: 2,
  closure: 96,
  /** What knowing an owner takes: see `Ownership`. */
  owned: 48,
} as const;

/**
 * The meter of the run that is going on. A small value can be huge when it is walked, since values share their parts
 * (`[., .]` sixty times over), so whatever walks or copies whole values counts its work. Comparing, printing and updating
 * are called from everywhere, also outside of runs, where nothing limits them: hence the meter isn't one of their
 * parameters. Runs are synchronous; one that is started in the `emit` of another ends before that goes on.
 */
let running: Meter | undefined;

/** @returns the one before, which is to be given back when the run is over */
export function meterOf(run: Meter | undefined): Meter | undefined {
  const outer = running;
  running = run;
  return outer;
}

/** Work that takes many times as long as a step. */
export function countSteps(steps: number): void {
  if (running !== undefined) running.spend(steps);
}

/** One container is walked. A turn of a native loop is less than a step. */
export function countWalk(length: number): void {
  if (running !== undefined) running.spend(1 + Math.floor(length / 4));
}

export function countSort(length: number): void {
  if (running === undefined || length < 2) return;
  running.spend(Math.ceil((length * Math.log2(length)) / 2));
  running.makes(length * bytes.slot * 2);
}

/** Something of a certain length is read or copied at once. */
export function countScan(length: number): void {
  if (running !== undefined && length > 15) running.spend(length >> 4);
}

/**
 * A text is read. The engine joins the parts that it was added up from only now, so that counts as making it; what
 * was counted then is only the addition.
 */
export function countText(length: number): void {
  if (running === undefined || length < 16) return;
  running.spend(length >> 4);
  running.makes(length * bytes.character);
}

/** An array of a known length is made. */
export function countArray(length: number): void {
  if (running !== undefined) running.makes(bytes.array + length * bytes.slot);
}

export function countMade(size: number): void {
  if (running !== undefined) running.makes(size);
}

export function countCopy(object: JsonObject): void {
  if (running !== undefined) running.copies(object);
}

export function countSize(size: number): void {
  if (running !== undefined) running.fits(size);
}
