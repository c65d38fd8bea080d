import type { Model } from "../bind/model.ts";
import type { Report } from "../check/checks.ts";
import { inDocumentOrder, leveled } from "../check/diagnose.ts";
import { isSuppressed } from "../check/suppress.ts";
import type { Diagnostic } from "../findings/diagnostic.ts";
import type { Concern, Finding } from "../findings/rule.ts";
import { breakingRules } from "./rules/index.ts";
import { versionsOf } from "./versions.ts";

/** What of the breaking changes is asked for (D40). */
export interface BreakingOptions {
  /** Only changes that concern one of these; all by default. */
  readonly concerns?: readonly Concern[];
}

/**
 * What a new version of an app breaks for customers who use the published one (D40).
 *
 * Pure. Both versions should be free of syntax mistakes: what can't be read would count as removed. A version compared with
 * itself gives nothing, and what the author of the new version silenced by `configc-ignore` is left out (D3).
 *
 * @returns findings about the new version in document order, at the levels of its settings
 */
export function breakingChanges(
  previous: Model,
  current: Model,
  { concerns }: BreakingOptions = {},
): Diagnostic[] {
  const versions = versionsOf(previous, current);
  const findings: Finding[] = [];
  const report: Report = (rule, at, args, related = []) => {
    findings.push({ rule, at, args, related } as Finding);
  };
  for (const { compare } of breakingRules) compare(versions, report);
  const concerned = findings.filter(
    ({ rule }) => concerns === undefined || rule.concerns?.some((concern) => concerns.includes(concern)),
  );
  return leveled(current, concerned)
    .filter((diagnostic) => !isSuppressed(current, diagnostic))
    .sort(inDocumentOrder);
}
