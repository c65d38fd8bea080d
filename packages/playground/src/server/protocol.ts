/** Tells the language server's worker what is recorded for the document that is opened next. */
export const SAMPLES = "playground/samples";

export interface SamplesParams {
  /** What messages call the recording. */
  readonly name: string;
  /** `{request, response}`, as in a test file. */
  readonly exchanges: readonly unknown[];
}
