import type { App } from "@configc/compiler";
import type { Progress, Report, WorldCase } from "@configc/simulate";
import type { ProgressToken, Range, TextDocumentIdentifier } from "vscode-languageserver";

/** Runs the app of an open document against a simulated service. Cancelled like any request. */
export const SIMULATE = "configc/simulate";

/** What `configc/simulate` takes. */
export interface SimulateParams {
  readonly textDocument: TextDocumentIdentifier;
  /** JSON Pointer of a workflow or an intake; by default all are simulated. */
  readonly node?: string;
  /** Milliseconds for all of it. Default 10,000. */
  readonly time?: number;
  /** Worlds for each workflow: then the same report comes however long it takes. */
  readonly seeds?: number;
  /** The first of them. Default 1. */
  readonly seed?: number;
  /** Of the longest world. Default 7. */
  readonly days?: number;
  /** Given: how far it is, by `$/progress` with this token. */
  readonly partialResultToken?: ProgressToken;
}

/** How far a simulation is. */
export type SimulateProgress = Progress;

/** What a simulation found. */
export interface SimulateResult {
  /** Of the document that was simulated. */
  readonly version: number;
  readonly report: Report;
  /** For people: of each part what was supposed, tried and not tried; then what ran of the config. */
  readonly told: { readonly parts: readonly (readonly string[])[]; readonly coverage: readonly string[] };
  /** Where the guilty places stand, by their JSON Pointers. */
  readonly ranges: Readonly<Record<string, Range>>;
  /** A case of a test file for each failure of each part, as `configc test` runs it. */
  readonly testCases: readonly (readonly WorldCase[])[];
}

/**
 * Simulates an app beside the server, which goes on answering meanwhile. Whoever starts the server decides where; without one,
 * `configc/simulate` is refused.
 */
export type Simulator = (options: {
  readonly app: App;
  /** Of the document: what is known of its service stands beside it. */
  readonly uri: string;
  readonly only: readonly string[];
  readonly given: Pick<SimulateParams, "time" | "seeds" | "seed" | "days">;
  readonly onProgress: (progress: Progress) => void;
  readonly signal: AbortSignal;
}) => Promise<Report>;
