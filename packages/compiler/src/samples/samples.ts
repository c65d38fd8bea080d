import type { Json } from "@configc/jq";

/**
 * What is known of the responses of an API: recorded ones, and documents that describe it. The compiler reads no files:
 * `@configc/language-server/samples` does.
 */
export interface Samples {
  readonly responses: readonly Sample[];
  readonly documents: readonly ApiDocument[];
}

/** One response that was recorded. */
export interface Sample {
  /** What messages call it: its file's name, with its number where there are several in it. */
  readonly name: string;
  /** In capitals. */
  readonly method: string;
  /** An absolute URL, or a path from `api.base_url`; with its query. */
  readonly url: string;
  readonly status: number;
  /** JSON; a text where the body was none, `null` where it was empty (D20). */
  readonly body: Json;
}

/** An OpenAPI 3.x document. */
export interface ApiDocument {
  /** What messages call it: its file's name. */
  readonly name: string;
  /** As parsed; references to its own parts (`#/…`) may be left in it, those to other files not. */
  readonly content: unknown;
}

export const noSamples: Samples = { responses: [], documents: [] };
