import {
  Diagnostic,
  type DiagnosticCollection,
  DiagnosticSeverity,
  type ExtensionContext,
  languages,
  Range,
  type Uri,
  workspace,
} from "vscode";
import { rangeOf } from "../files.ts";
import type { Finished } from "./run.ts";

/** Characters of a message: an answer can be a page, which the panel shows. */
const LONGEST = 300;

/** The failure of the last run, at the step that failed, until the document changes. */
export class RunProblems {
  readonly #collection: DiagnosticCollection = languages.createDiagnosticCollection("configc run");

  constructor(context: ExtensionContext) {
    context.subscriptions.push(
      this.#collection,
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.clear(document.uri);
      }),
    );
  }

  show({ document, result: { failure } }: Finished): void {
    if (failure === undefined || failure.kind === "Cancelled") return this.clear(document.uri);
    const problem = new Diagnostic(
      failure.range === undefined ? new Range(0, 0, 0, 1) : rangeOf(failure.range),
      short(`${failure.message}${failure.cause === undefined ? "" : `\nbecause: ${failure.cause}`}`),
      DiagnosticSeverity.Error,
    );
    problem.source = "configc run";
    problem.code = failure.kind;
    this.#collection.set(document.uri, [problem]);
  }

  clear(uri: Uri): void {
    this.#collection.delete(uri);
  }
}

function short(message: string): string {
  return message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message;
}
