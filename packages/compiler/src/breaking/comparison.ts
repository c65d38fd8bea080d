import type { Report, RuleModule } from "../check/checks.ts";
import type { Versions } from "./versions.ts";

/** A rule about two versions, or a tight family of them, with what finds them. */
export interface Comparison extends RuleModule {
  /** Findings are about the current version: they stand where it differs. */
  compare(versions: Versions, report: Report): void;
}

/** A comparison has nothing to say of one version alone, so `check` gets no hooks from it. */
export function comparison(
  rules: RuleModule["rules"],
  compare: (versions: Versions, report: Report) => void,
): Comparison {
  return { rules, checks: {}, compare };
}
