import type { RenderedDiagnostic } from "@configc/compiler";

export interface CheckedFile {
  /** As given. */
  readonly path: string;
  /** The text that the diagnostics are about. */
  readonly text: string;
  readonly diagnostics: readonly RenderedDiagnostic[];
  /** How many fixes were applied. */
  readonly fixed: number;
}

interface Summary {
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  readonly hints: number;
}

/** What a run found: the input of every format. */
export interface Report {
  readonly files: readonly CheckedFile[];
  readonly summary: Summary;
  /** Whether there are more warnings than were accepted. */
  readonly tooManyWarnings: boolean;
  /** Findings that the baseline hides. */
  readonly known: number;
  /** What the run tells beside findings. */
  readonly notes?: readonly Note[];
}

/** Something about a whole file that is no finding. */
export interface Note {
  readonly path: string;
  readonly title: string;
  /** Lines. */
  readonly text: string;
}

export function makeReport(
  files: readonly CheckedFile[],
  { maxWarnings, known }: { readonly maxWarnings: number; readonly known: number },
): Report {
  const summary = { files: files.length, errors: 0, warnings: 0, infos: 0, hints: 0 };
  for (const { diagnostics } of files) {
    for (const { severity } of diagnostics) summary[`${severity}s`]++;
  }
  return { files, summary, tooManyWarnings: summary.warnings > maxWarnings, known };
}

export function hasFailed({ summary, tooManyWarnings }: Report): boolean {
  return summary.errors > 0 || tooManyWarnings;
}
