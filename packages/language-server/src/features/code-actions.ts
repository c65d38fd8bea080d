import { type Compilation, fixesOf } from "@configc/compiler";
import { type CodeAction, CodeActionKind, type CodeActionParams } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { Feature } from "../feature.ts";
import { toRange } from "../range.ts";

export const codeActions: Feature = {
  capabilities: { codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] } },
  register(server) {
    server.connection.onCodeAction((params) => {
      const config = server.config(params.textDocument.uri);
      return config === undefined ? [] : quickFixes(config.document, config.compilation, params);
    });
  },
};

/** Quick fixes for the findings that touch the range; a safe one is preferred. */
function quickFixes(
  document: TextDocument,
  compilation: Compilation,
  { range, context }: CodeActionParams,
): CodeAction[] {
  const from = document.offsetAt(range.start);
  const to = document.offsetAt(range.end);
  return compilation.diagnostics
    .filter(({ span }) => span.start <= to && from <= span.end)
    .flatMap((diagnostic) => {
      const known = context.diagnostics.filter(
        ({ code, range: at }) =>
          code === diagnostic.finding.rule.id && document.offsetAt(at.start) === diagnostic.span.start,
      );
      return fixesOf(compilation.model, diagnostic).map(
        (fix, index): CodeAction => ({
          title: fix.title,
          kind: CodeActionKind.QuickFix,
          isPreferred: fix.safe && index === 0,
          diagnostics: known,
          edit: {
            changes: {
              [document.uri]: fix.edits.map((edit) => ({
                range: toRange(document, edit),
                newText: edit.newText,
              })),
            },
          },
        }),
      );
    });
}
