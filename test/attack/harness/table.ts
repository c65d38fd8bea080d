import { expect, test } from "vitest";

/** One thing that a stranger tries. What it is tried with are further members. */
export interface Attack {
  /** What is tried, in a few words; unique in its table. */
  readonly name: string;
  /** MiB that the process which is attacked may have resident at most. */
  readonly ceiling?: number;
}

/** Tells what came of it. */
export type Trial<Case extends Attack> = (attack: Case) => Promise<{ readonly peak?: number } | undefined>;

/**
 * Tries each case of a table and asks whether what must hold does: `trial` throws where it doesn't. Where a case has a ceiling, the trial
 * gives the peak of the process in bytes, as `runChild` does.
 */
export function attacks<Case extends Attack>(
  group: string,
  cases: readonly Case[],
  trial: Trial<Case>,
  /** ms that one may take; default as in all suites. */
  patience?: number,
): void {
  test.each(cases.map((each) => [each.name, each] as const))(
    `${group}: %s`,
    async (_, each) => {
      const result = await trial(each);
      if (each.ceiling === undefined) return;
      expect(result?.peak, "the peak was measured").toBeGreaterThan(0);
      expect((result?.peak ?? 0) / 2 ** 20, "MiB resident").toBeLessThan(each.ceiling);
    },
    patience,
  );
}
