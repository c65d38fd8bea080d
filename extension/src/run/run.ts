import type { RunInfo, RunStepParams, RunStepProgress, RunStepResult } from "@configc/language-server";
import type { CancellationToken, TextDocument } from "vscode";
import type { AskKept, RunValues } from "./run-values.ts";

/** Asks a server that can run things about a document; which one depends on where the extension runs. */
export type Ask = <Result>(
  document: TextDocument,
  method: "configc/setup" | "configc/login",
  params: object,
  token: CancellationToken,
) => Promise<Result>;

/** Starts a run of a document, whose values are kept until it is ended. */
export type Start = (
  document: TextDocument,
  params: RunStepParams,
  token: CancellationToken,
  onProgress: (progress: RunStepProgress) => void,
) => KeptRun;

/** A run, and whoever has its values. */
export interface KeptRun {
  readonly result: Promise<RunStepResult>;
  /** Asks for its values. @throws Error when it was ended */
  readonly ask: AskKept;
  /** Its values can go. */
  end(): void;
}

/** A token that was renewed in a run (D30). */
export interface Renewed {
  readonly textDocument: { readonly uri: string };
  readonly auth: string;
  readonly credential: Credential;
}

/** An entry of the config's `auth`. */
export type Auth = RunInfo["auths"][number];

export type Credential = NonNullable<RunStepParams["credentials"]>[string];

/** What is left of a run when the next one of the same node has begun. */
export interface Previous {
  readonly result: RunStepResult;
  /** Its output whole, as JSON text; absent where it was too long to be kept. */
  readonly output?: string;
}

/** A finished run, with what it was asked. */
export interface Finished {
  /** What a person calls it. */
  readonly title: string;
  readonly document: TextDocument;
  readonly params: RunStepParams;
  readonly result: RunStepResult;
  readonly values: RunValues;
  /** Of the same node, before it. */
  readonly previous: Previous | undefined;
}
