import type { RunInfo, RunStepParams, RunStepProgress, RunStepResult } from "@configc/language-server";
import type { CancellationToken, TextDocument } from "vscode";

/** Asks a server that can run things about a document; which one depends on where the extension runs. */
export type Ask = <Result>(
  document: TextDocument,
  method: "configc/runStep" | "configc/setup" | "configc/login",
  params: object,
  token: CancellationToken,
  /** Is told of a run while it goes on. */
  onProgress?: (progress: RunStepProgress) => void,
) => Promise<Result>;

/** A token that was renewed in a run (D30). */
export interface Renewed {
  readonly textDocument: { readonly uri: string };
  readonly auth: string;
  readonly credential: Credential;
}

/** An entry of the config's `auth`. */
export type Auth = RunInfo["auths"][number];

export type Credential = NonNullable<RunStepParams["credentials"]>[string];

/** A finished run, with what it was asked. */
export interface Finished {
  /** What a person calls it. */
  readonly title: string;
  readonly document: TextDocument;
  readonly params: RunStepParams;
  readonly result: RunStepResult;
  /** Of the same node, before it. */
  readonly previous: RunStepResult | undefined;
}
