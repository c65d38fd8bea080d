import { rangeOf, render } from "@configc/compiler";
import {
  coverageSummary,
  knownApi,
  missingSummary,
  type Progress,
  partSummary,
  placesIn,
  simulate,
  withFindings,
  withKnown,
} from "@configc/simulate";
import { compiled } from "./compiled.ts";
import type { SimulationReport, Source } from "./protocol.ts";

/**
 * Runs an app against a simulated service: with the same seeds the same report as on the command line.
 *
 * @param seeds random worlds for each workflow
 */
export async function simulated(
  source: Source,
  seeds: number,
  onProgress: (progress: Progress) => void,
): Promise<SimulationReport> {
  const { app: plain, model, diagnostics } = compiled(source);
  const app = withKnown(plain, knownApi(model));
  const report = withFindings(
    await simulate(app, { seeds, onProgress }),
    app,
    diagnostics.map((each) => render(model, each, { fixes: false })),
  );
  const places = placesIn(app, model);
  const lineOf = (pointer: string, offset?: number): string => {
    const span = places(pointer, offset);
    if (span === undefined) return "";
    const { line, column } = rangeOf(model.document, span).start;
    return ` (${line}:${column})`;
  };
  const { coverage } = report;
  return {
    report,
    told: report.parts.map(partSummary),
    ran: coverage === undefined ? "" : coverageSummary(coverage),
    neverRan: coverage === undefined ? [] : missingSummary(coverage, lineOf),
  };
}
