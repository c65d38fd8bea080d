import type { Report } from "../check/report.ts";

/** @returns the whole text of a report, with a line break at its end unless it is empty */
export type Formatter = (report: Report, options: FormatOptions) => string;

/** Loads a format when it is wanted. */
export type LoadFormatter = () => Promise<Formatter>;

interface FormatOptions {
  readonly colour: boolean;
  /** Columns that a line should fit into. */
  readonly width: number;
}
