import type { PlacedCoverage } from "../coverage/placed-coverage.ts";
import type { CaseResult } from "./case-result.ts";

import type { Verified } from "./verify/verify.ts";

/** What a run of tests found. */
export interface TestReport {
  readonly files: readonly TestedFile[];
  /** By the config's path, if it was asked for. */
  readonly coverage: ReadonlyMap<string, PlacedCoverage> | undefined;
  /** What was compared with jq itself, if it was asked for. */
  readonly verified: Verified | undefined;
  readonly milliseconds: number;
}

export interface TestedFile {
  readonly path: string;
  /** Path of the config. */
  readonly config: string;
  readonly cases: readonly CaseResult[];
}

export function casesOf({ files }: TestReport): CaseResult[] {
  return files.flatMap(({ cases }) => cases);
}

export function hasFailed(report: TestReport): boolean {
  return casesOf(report).some(({ passed }) => !passed);
}
