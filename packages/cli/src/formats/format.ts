import type { Report } from "../check/report.ts";

/** A way to print a report. */
export interface Format {
  readonly summary: string;
  /** Whether it shows fixes, which are computed only if asked for. */
  readonly fixes: boolean;
  load(): Promise<{ readonly format: Formatter }>;
}

/** @returns the whole text, with a line break at its end unless it is empty */
export type Formatter = (report: Report, options: FormatOptions) => string;

export interface FormatOptions {
  readonly colour: boolean;
  /** Columns that a line should fit into. */
  readonly width: number;
}
