import type { Failure } from "../files/source.ts";
import type { CheckedFile } from "./report.ts";

/** What became of one file. */
export type Outcome =
  | { readonly file: CheckedFile; readonly original: string }
  | { readonly failure: Failure };
