import { setFlagsFromString } from "node:v8";

/**
 * Lets the engine translate functions to plain machine code again, where `bin/load.js` has turned that off: it pays from some dozen files, or
 * 100 kB, on.
 *
 * To be called when everything is loaded: with other flags the engine refuses the code that it has kept.
 */
export function allowBaselineCode(): void {
  if (process.versions.v8.startsWith("11.3.")) setFlagsFromString("--sparkplug");
}

/**
 * One of several threads has loaded the compiler; with the last one, baseline code is allowed.
 *
 * @param counters shared; the second one says how many threads are still loading
 */
export function compilerLoaded(counters: Int32Array): void {
  if (Atomics.sub(counters, 1, 1) === 1) allowBaselineCode();
}
