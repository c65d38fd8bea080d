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
  readonly document: TextDocument;
  readonly params: RunStepParams;
  readonly result: RunStepResult;
  /** Of the same node, before it. */
  readonly previous: RunStepResult | undefined;
}

/** What a run is called: the last names of its JSON Pointer; an index only where it ends in one. */
export function titleOf(node: string): string {
  const [, ...parts] = node.split("/");
  const names = parts.filter((name) => !/^\d+$/.test(name)).slice(-3);
  const last = parts.at(-1) ?? "";
  return `${names.join(" › ")}${names.at(-1) === last ? "" : `[${last}]`}`;
}
