const everything = process.env["CONFIGC_CASES"] === "all";

/**
 * How many generated cases a test tries: all of them in the long suite, which runs such tests once more (`manyCases` in test/suites.ts), and in
 * `npm test` some.
 */
export function cases(all: number, some = Math.ceil(all / 6)): number {
  return everything ? all : some;
}
