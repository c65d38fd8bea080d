import type { Credential } from "@configc/runtime";

/**
 * What a run asked of the world and was told: enough to run it again to the same trace, without a network. No secrets: they
 * are masked before it is written (D29).
 */
export interface Recording {
  readonly version: 1;
  /** Every reading of the clock: the first in milliseconds since 1970, the others as milliseconds since the one before. */
  readonly clock: readonly number[];
  readonly timeZone?: string;
  readonly random: readonly number[];
  readonly ids: readonly string[];
  /** The credentials that were there, masked: their kind decides what is asked. */
  readonly credentials: Readonly<Record<string, Credential>>;
  /** In the order in which they were sent. */
  readonly http: readonly RecordedExchange[];
  readonly platform: readonly RecordedCall[];
  /** Hashes that were made with a secret, which isn't here. */
  readonly signatures?: readonly string[];
}

/** A request and its response, or why there was none: an item of a recording and of a case's `http`. */
export interface RecordedExchange {
  readonly request: RecordedRequest;
  readonly response?: RecordedResponse;
  /** Why there was no response: a kind of `HttpFailure`, or `error`. */
  readonly failure?: { readonly kind: string; readonly message: string };
}

/** A request in a recording; in a test case it says what has to be asked. */
export interface RecordedRequest {
  /** Default: GET. */
  readonly method?: string;
  readonly url: string;
  /** Names in lower case. Those that are written have to be sent; others may be. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. A text is written as `text`. Without either, a request has no body, or one that doesn't matter. */
  readonly body?: unknown;
  readonly text?: string;
}

/** A response in a recording. */
export interface RecordedResponse {
  /** Default: 200. */
  readonly status?: number;
  /** Default: `application/json` for a `body`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. Another body is written as `text`, or in base64 where it is no text. */
  readonly body?: unknown;
  readonly text?: string;
  readonly base64?: string;
}

/** One call of the platform, and what it gave. */
export interface RecordedCall {
  readonly call: "fields" | "upsert" | "sync";
  readonly resource: string;
  readonly result?: unknown;
  readonly error?: string;
  /** Of the error, where it is a `RunError`. */
  readonly kind?: string;
}
