/**
 * How much of generated cases and of long tables a test tries: `npm test` a few, CI's long suite (`CONFIGC_CASES=part`, set by `.ci/run`) a
 * third, and `npm run test:long`, which somebody starts by hand, all.
 */
const tried = process.env["CONFIGC_CASES"] ?? "few";

/** How many generated cases a test tries; the long suite runs such tests once more (`manyCases` in test/suites.ts). */
export function cases(all: number, some = Math.ceil(all / 6)): number {
  if (tried === "all") return all;
  return tried === "part" ? Math.max(some, Math.ceil(all / 3)) : some;
}

/**
 * Which cases of a list a test tries: one in so many, spread over it, always the same. CI's long suite takes others than `npm test`.
 */
export function share<Case>(all: readonly Case[], oneIn = 3): Case[] {
  return all.filter((_, index) => isTried(index, oneIn));
}

/** … by the place of a case in its list. */
export function isTried(index: number, oneIn = 3): boolean {
  return tried === "all" || index % oneIn === (tried === "part" ? 1 : 0);
}
