import type { SimulateResult } from "@configc/language-server";
import {
  Diagnostic,
  DiagnosticSeverity,
  type ExtensionContext,
  languages,
  Range,
  type TextDocument,
  workspace,
} from "vscode";
import { rangeOf } from "../files.ts";

type Failure = SimulateResult["report"]["parts"][number]["failures"][number];

/** What a simulation found, at the guilty places, until the document changes. */
export class SimulationProblems {
  readonly #collection = languages.createDiagnosticCollection("configc simulate");

  constructor(context: ExtensionContext) {
    context.subscriptions.push(
      this.#collection,
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.clear(document);
      }),
    );
  }

  /** @param shows whether a failure is shown; by default all are */
  show(
    document: TextDocument,
    { version, report, ranges }: SimulateResult,
    shows: (failure: Failure) => boolean = () => true,
  ): void {
    if (document.version !== version) return this.clear(document);
    const found = report.parts.flatMap(({ failures }) =>
      failures.filter(shows).map(({ law, message, needs, isDoubtful, cure, pointer }) => {
        const range = ranges[pointer];
        const takes = needs.length === 0 ? "" : ` It takes ${needs.join(", ")}.`;
        const problem = new Diagnostic(
          range === undefined ? new Range(0, 0, 0, 1) : lineOf(rangeOf(range)),
          `${message}${takes}\n${cure}`,
          isDoubtful ? DiagnosticSeverity.Information : DiagnosticSeverity.Warning,
        );
        problem.source = "configc simulate";
        problem.code = law;
        return problem;
      }),
    );
    this.#collection.set(document.uri, found);
  }

  clear({ uri }: Pick<TextDocument, "uri">): void {
    this.#collection.delete(uri);
  }
}

/** A command goes on for pages: its first line says which it is. */
function lineOf(range: Range): Range {
  return range.isSingleLine ? range : new Range(range.start, range.start.translate(0, 1));
}
