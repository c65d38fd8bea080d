import { forgetPassing } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import type { Diagnostic } from "../findings/diagnostic.ts";
import type { Finding } from "../findings/rule.ts";
import type { Severity } from "../options/settings.ts";
import { spanOf } from "../parse/document.ts";
import { check } from "./checker.ts";
import type { Report } from "./checks.ts";
import { suppress } from "./suppress.ts";

/**
 * The diagnostics of a model: every rule's findings at the level of the settings, without what the author suppressed, in
 * document order.
 */
export function diagnose(model: Model): Diagnostic[] {
  const diagnostics = leveled(model, check(model));
  const aboutSuppressions: Finding[] = [];
  const report: Report = (rule, at, args, related = []) => {
    aboutSuppressions.push({ rule, at, args, related } as Finding);
  };
  const kept = suppress(model, diagnostics, report);
  forgetPassing(model);
  return [...kept, ...leveled(model, aboutSuppressions)].sort(inDocumentOrder);
}

export function inDocumentOrder(a: Diagnostic, b: Diagnostic): number {
  return (
    a.span.start - b.span.start || a.span.end - b.span.end || compared(a.finding.rule.id, b.finding.rule.id)
  );
}

/** Findings at the levels of the settings, without what these turn off. */
export function leveled(model: Model, findings: readonly Finding[]): Diagnostic[] {
  return findings.flatMap((finding) => {
    const severity = severityOf(model, finding);
    return severity === "off" ? [] : [{ finding, severity, span: spanOf(model.document, finding.at) }];
  });
}

function severityOf({ settings }: Model, { rule }: Finding): Severity | "off" {
  if (Object.hasOwn(settings.rules, rule.id)) return settings.rules[rule.id]!;
  if (rule.id === "structure/unknown-member" && settings.unknownMembers === "warning") return "warning";
  return settings.language === "core" ? (rule.core ?? rule.severity) : rule.severity;
}

function compared(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
