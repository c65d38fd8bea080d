import type { PlacedCoverage } from "./placed.ts";

/** Coverage as it stands in reports for programs. */
export function coverageJson({ commands, switchCases, jqBranches }: PlacedCoverage) {
  return { commands, switchCases, jqBranches };
}
