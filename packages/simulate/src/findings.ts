import type { App, RenderedDiagnostic } from "@configc/compiler";
import type { PartReport, Report } from "./report.ts";

/**
 * The report, in which a part that couldn't be tried names what `check` calls an error in it: that is a likelier reason than a service
 * that was derived wrongly, and the part fails with every service. Where `check` finds an error or a warning, nothing that broke is doubtful: two
 * reasons speak against the app.
 */
export function withFindings(report: Report, app: App, diagnostics: readonly RenderedDiagnostic[]): Report {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const loud = diagnostics.filter(({ severity }) => severity === "error" || severity === "warning");
  return {
    ...report,
    parts: report.parts.map((part) => {
      if (part.failures.some(({ isDoubtful }) => isDoubtful) && findingsIn(part, app, loud).length > 0) {
        const failures = part.failures.map(({ isDoubtful: _, ...failure }) => failure);
        return { ...part, failures };
      }
      const [first, ...others] = part.untried === undefined ? [] : findingsIn(part, app, errors);
      if (first === undefined) return part;
      const more = others.length === 0 ? "" : `, and ${others.length} more`;
      const { line, column } = first.range.start;
      const message = first.message.replace(/\.$/, "");
      const untried = `\`configc check\` finds an error at ${line}:${column}${more}: ${message} (${first.rule})`;
      return { ...part, untried, failsAnyway: true };
    }),
  };
}

/** Whether a law is broken, with no doubt about the service, or a part fails with every service. */
export function hasFailed({ parts }: Pick<Report, "parts">): boolean {
  return parts.some(
    ({ failures, failsAnyway = false }) => failsAnyway || failures.some(({ isDoubtful }) => !isDoubtful),
  );
}

/** What `check` finds in a workflow and its intakes. */
function findingsIn(
  { workflow: name }: PartReport,
  { workflows, intakes }: App,
  diagnostics: readonly RenderedDiagnostic[],
): readonly RenderedDiagnostic[] {
  const workflow = workflows.find((each) => each.name === name);
  if (workflow === undefined) return [];
  const { intake, historicalIntake, pointer } = workflow;
  const own = [
    pointer,
    ...[intake, historicalIntake].flatMap((index) => intakes[index ?? -1]?.pointer ?? []),
  ];
  return diagnostics.filter(({ pointer: at }) => own.some((each) => `${at}/`.startsWith(`${each}/`)));
}
