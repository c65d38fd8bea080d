import { nearest } from "@configc/jq";
import type { Model, Suppression } from "../bind/model.ts";
import type { Diagnostic } from "../findings/diagnostic.ts";
import type { Location } from "../parse/document.ts";
import type { Report } from "./checks.ts";
import { suppressionRules } from "./rules/suppression/rules.ts";

/**
 * Takes out what the author silenced by `configc-ignore` (D3), and reports suppressions that silence nothing, name no known
 * rule or give no reason.
 *
 * @param ruleIds every id of the registry
 */
export function suppress(
  model: Model,
  diagnostics: readonly Diagnostic[],
  ruleIds: ReadonlySet<string>,
  report: Report,
): Diagnostic[] {
  const { suppressions } = model;
  if (suppressions.length === 0) return [...diagnostics];
  const used = new Set<Suppression["rules"][number]>();
  const kept = diagnostics.filter(({ finding, span }) => {
    const silencing = suppressions.flatMap(({ object, rules }) =>
      object.start <= span.start && span.start < object.end
        ? rules.filter(({ id }) => id === finding.rule.id)
        : [],
    );
    for (const entry of silencing) used.add(entry);
    return silencing.length === 0;
  });
  for (const suppression of suppressions) {
    const { node, rules, reason } = suppression;
    if (rules.length === 0) report(suppressionRules.noRule, node, {});
    // What silences nothing can go, with or without a reason.
    else if (reason === "" && rules.some((entry) => used.has(entry)))
      report(suppressionRules.noReason, node, {});
    for (const entry of rules) {
      const at: Location = { node, from: entry.from, to: entry.to };
      if (!ruleIds.has(entry.id)) {
        report(suppressionRules.unknownRule, at, { rule: entry.id, suggestion: nearest(entry.id, ruleIds) });
      } else if (!used.has(entry)) report(suppressionRules.unused, at, { rule: entry.id });
    }
  }
  return kept;
}
