import { maskSample, readSamples, sampleContent, sampleFileName } from "@configc/compiler/internal";
import type { TextDocumentIdentifier } from "vscode-languageserver";
import type { Feature } from "../feature.ts";
import { refusal } from "../run/environment.ts";

const SAMPLES = "configc/samples";

/** What `configc/samples` takes. */
export interface SamplesParams {
  readonly textDocument: TextDocumentIdentifier;
  /** Requests and answers, as `configc/runStep` gives them. */
  readonly http: readonly unknown[];
  /** The files that are there already, by name: what one of them says isn't said again. */
  readonly present?: Readonly<Record<string, string>>;
}

/** A file for the folder `NAME.samples` beside `NAME.app.json`. */
export interface SampleFile {
  readonly name: string;
  readonly text: string;
}

/**
 * `configc/samples`: what a run has shown of the API, as sample files; masked as `configc run --record` does it, with only the kinds
 * of values left. None for answers that aren't successful: types aren't learned from those.
 */
export const samples: Feature = {
  capabilities: {},
  register({ connection, config }) {
    connection.onRequest(SAMPLES, ({ textDocument, http, present = {} }: SamplesParams): SampleFile[] => {
      const model = config(textDocument.uri)?.compilation.model;
      const read = readSamples("run", http);
      if ("problem" in read) throw refusal(`These are no requests and answers: ${read.problem}.`);
      const known = new Map(Object.entries(present));
      return read.samples.flatMap((sample) => {
        if (sample.status < 200 || sample.status > 299) return [];
        const masked = maskSample(sample, model);
        const text = sampleContent(masked);
        const name = sampleFileName(masked, (each) => known.has(each) && known.get(each) !== text);
        if (known.has(name)) return [];
        known.set(name, text);
        return { name, text };
      });
    });
  },
};
