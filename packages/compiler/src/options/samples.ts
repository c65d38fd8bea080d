import type { Json } from "@configc/jq";
import type { WorldFile } from "./world-file.ts";

/**
 * What is known of an API: responses and webhook payloads that were recorded, documents that describe it, and what an author says of it. The compiler
 * reads no files: `@configc/language-server/samples` does.
 */
export interface Samples {
  readonly responses: readonly Sample[];
  readonly payloads: readonly PayloadSample[];
  readonly documents: readonly ApiDocument[];
  /** Names of the samples that are kept beside this one config; others may be meant for several. */
  readonly own: readonly string[];
  /** Of `NAME.world.json` beside this one config. */
  readonly world?: WorldFile | undefined;
}

/** One response that was recorded. */
export interface Sample {
  /** What messages call it: its file's name, with its number where there are several in it. */
  readonly name: string;
  /** Of its file, for who wants to look at it; absent where it is in none. */
  readonly uri?: string;
  /** In capitals. */
  readonly method: string;
  /** An absolute URL, or a path from `api.base_url`; with its query. */
  readonly url: string;
  readonly status: number;
  /** JSON; a text where the body was none, `null` where it was empty (D20). */
  readonly body: Json;
}

/** What a webhook sent once. */
export interface PayloadSample {
  /** What messages call it, as for responses. */
  readonly name: string;
  /** As for responses. */
  readonly uri?: string;
  /** The name of the webhook intake. */
  readonly webhook: string;
  /** The body of the delivery: JSON, or the fields of a form (D31). */
  readonly payload: Json;
  /** Whether the request had a number of its sender's, by which it is known when it is sent again (D51); absent if nobody looked. */
  readonly numbered?: boolean;
}

/** An OpenAPI 3.x document. */
export interface ApiDocument {
  /** What messages call it: its file's name. */
  readonly name: string;
  /** As parsed; references to its own parts (`#/…`) may be left in it, those to other files not. */
  readonly content: unknown;
  /** Of its file, for who wants to look at it. */
  readonly uri?: string;
  /** The line of an operation in its file, from 0; undefined where it isn't found there. */
  readonly lineOf?: (path: string, method: string) => number | undefined;
}

/** Nothing is known of the API: what `!http` gives may be anything. */
export const noSamples: Samples = { responses: [], payloads: [], documents: [], own: [], world: undefined };
