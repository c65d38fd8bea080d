import { type Compilation, fixesOf } from "@configc/compiler";
import { type CodeAction, CodeActionKind, type CodeActionParams } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { toRange } from "../range.ts";

/** Quick fixes for the findings that touch the range; a safe one is preferred. */
export function codeActions(
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
