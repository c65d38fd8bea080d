import { type Document, type Model, type Range, type RenderedDiagnostic, rangeOf } from "@configc/compiler";
import { findNode } from "@configc/compiler/internal";
import { type Failure, partSummary, type Report as SimulationReport } from "@configc/simulate";
import { makeReport, type Note, type Report } from "../check/report.ts";
import { PlacedCoverage } from "../coverage/placed-coverage.ts";
import type { LoadedConfig } from "../run/config.ts";

/** What a simulation found as findings at their places in the config, for the formats of `check`. */
export function reportOf(simulated: SimulationReport, loaded: LoadedConfig): Report {
  const { parts } = simulated;
  const { file, model } = loaded;
  const diagnostics = parts.flatMap(({ workflow, failures }) =>
    failures.map((failure) => diagnosticOf(failure, workflow, model)),
  );
  const report = makeReport([{ path: file, text: model.document.text, diagnostics, fixed: 0 }], {
    maxWarnings: Number.POSITIVE_INFINITY,
    known: 0,
  });
  return { ...report, notes: notesOf(simulated, loaded) };
}

/** What was tried, and what wasn't: a simulation never says that an app is correct. */
function notesOf({ parts, coverage }: SimulationReport, loaded: LoadedConfig): readonly Note[] {
  const path = loaded.file;
  const tried = parts.map((part) => ({
    path,
    title: `Simulated: ${part.workflow}`,
    text: partSummary(part).join("\n"),
  }));
  if (coverage === undefined) return tried;
  const text = new PlacedCoverage(coverage, loaded).lines().join("\n");
  return [...tried, { path, title: "What ran in any world", text }];
}

function diagnosticOf(
  { law, way, message, needs, isDoubtful, story, cure, pointer }: Failure,
  workflow: string,
  model: Model,
): RenderedDiagnostic {
  return {
    rule: `simulate/${law}`,
    severity: isDoubtful ? "info" : "error",
    message: needs.length === 0 ? message : `${message} It takes ${needs.join(", ")}.`,
    range: rangeAt(model, pointer),
    pointer,
    fingerprint: `${law} ${way} ${workflow} ${pointer}`,
    help: [...story, cure].join("\n"),
    docs: `docs/simulate.md#${law}`,
  };
}

/** Where a pointer stands; the nearest part of it that is there. */
export function rangeAt(model: Model, pointer: string): Range {
  const { document }: { document: Document } = model;
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf("/"))) {
    const found = findNode(model, at);
    if ("node" in found) return rangeOf(document, found.node);
    if (at === "") return rangeOf(document, { start: 0, end: 0 });
  }
}
