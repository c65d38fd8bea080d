import type { App, RenderedDiagnostic } from "@configc/compiler";
import type { PartReport, Report } from "./report.ts";

/**
 * The report, in which a part that couldn't be tried names what `check` calls an error in it: that is a likelier reason than a service
 * that was derived wrongly, and the part fails with every service.
 */
export function withErrors(report: Report, app: App, diagnostics: readonly RenderedDiagnostic[]): Report {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return {
    ...report,
    parts: report.parts.map((part) => {
      const [first, ...others] = part.untried === undefined ? [] : errorsIn(part, app, errors);
      if (first === undefined) return part;
      const more = others.length === 0 ? "" : `, and ${others.length} more`;
      const { line, column } = first.range.start;
      const message = first.message.replace(/\.$/, "");
      const untried = `\`configc check\` finds an error at ${line}:${column}${more}: ${message} (${first.rule})`;
      return { ...part, untried, failsAnyway: true };
    }),
  };
}

/** Whether a law is broken, or a part fails with every service. */
export function hasFailed({ parts }: Pick<Report, "parts">): boolean {
  return parts.some(({ failures, failsAnyway = false }) => failures.length > 0 || failsAnyway);
}

function errorsIn(
  { workflow: name }: PartReport,
  { workflows, intakes }: App,
  errors: readonly RenderedDiagnostic[],
): readonly RenderedDiagnostic[] {
  const workflow = workflows.find((each) => each.name === name);
  if (workflow === undefined) return [];
  const { intake, historicalIntake, pointer } = workflow;
  const own = [
    pointer,
    ...[intake, historicalIntake].flatMap((index) => intakes[index ?? -1]?.pointer ?? []),
  ];
  return errors.filter((error) => own.some((each) => `${error.pointer}/`.startsWith(`${each}/`)));
}
