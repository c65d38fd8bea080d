import { nearest } from "@configc/jq/internal";
import type { Suppression } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import { breakingRuleIds } from "../findings/breaking-rule-ids.ts";
import type { Diagnostic } from "../findings/diagnostic.ts";
import type { Location } from "../parse/document.ts";
import type { Report } from "./checks.ts";
import { ruleModules } from "./registry.ts";
import { suppressionRules } from "./rules/suppression/rules.ts";

/** Few documents suppress anything. */
let known: ReadonlySet<string> | undefined;
const ruleIds = (): ReadonlySet<string> =>
  (known ??= new Set([...ruleModules.flatMap(({ rules }) => rules.map(({ id }) => id)), ...breakingRuleIds]));

/**
 * Takes out what the author silenced by `configc-ignore` (D3), and reports suppressions that silence nothing, name no known
 * rule or give no reason.
 */
export function suppress(model: Model, diagnostics: readonly Diagnostic[], report: Report): Diagnostic[] {
  const { suppressions } = model;
  if (suppressions.length === 0) return [...diagnostics];
  const used = new Set<Suppression["rules"][number]>();
  const kept = diagnostics.filter((diagnostic) => {
    const silencing = silencingOf(model, diagnostic);
    for (const entry of silencing) used.add(entry);
    return silencing.length === 0;
  });
  for (const suppression of suppressions) {
    const { node, rules, reason } = suppression;
    if (rules.length === 0) report(suppressionRules.noRule, node, {});
    // What silences nothing can go, with or without a reason. What rules about two versions find isn't known here.
    else if (reason === "" && rules.some((entry) => used.has(entry)))
      report(suppressionRules.noReason, node, {});
    for (const entry of rules) {
      const at: Location = { node, from: entry.from, to: entry.to };
      if (!ruleIds().has(entry.id)) {
        report(suppressionRules.unknownRule, at, {
          rule: entry.id,
          suggestion: nearest(entry.id, ruleIds()),
        });
      } else if (!used.has(entry) && !breakingRuleIds.has(entry.id))
        report(suppressionRules.unused, at, { rule: entry.id });
    }
  }
  return kept;
}

/** Whether the author silenced a finding. */
export function isSuppressed(model: Model, diagnostic: Diagnostic): boolean {
  return silencingOf(model, diagnostic).length > 0;
}

function silencingOf({ suppressions }: Model, { finding, span }: Diagnostic) {
  return suppressions.flatMap(({ object, rules }) =>
    object.start <= span.start && span.start < object.end
      ? rules.filter(({ id }) => id === finding.rule.id)
      : [],
  );
}
