import { type CodeLens, type ExtensionContext, type TextDocument, window, workspace } from "vscode";
import type { BaseLanguageClient, CodeLensMiddleware } from "vscode-languageclient";

const SETTING = "configc.lenses";

function wanted(document: TextDocument): "all" | "cursor" | "none" {
  return workspace.getConfiguration(undefined, document.uri).get(SETTING) ?? "all";
}

/** The lenses that a person wants to see: all, those of the command at the cursor, or none. */
export const lensFilter: NonNullable<CodeLensMiddleware["provideCodeLenses"]> = async (
  document,
  token,
  next,
) => {
  const shown = wanted(document);
  if (shown === "none") return [];
  const all = await next(document, token);
  if (shown === "all" || !all) return all;
  const editor = window.visibleTextEditors.find((each) => each.document === document);
  return atLine(all, editor?.selection.active.line ?? 0);
};

/** Those of the nearest line with any, at the cursor or above it. */
function atLine(all: readonly CodeLens[], line: number): CodeLens[] {
  const nearest = Math.max(...all.map(({ range }) => range.start.line).filter((each) => each <= line));
  return all.filter(({ range }) => range.start.line === nearest);
}

/** Asks for them anew when the cursor goes to another line, if that matters, and when the setting changes. */
export function refreshLenses(context: ExtensionContext, client: BaseLanguageClient): void {
  const refresh = (document: TextDocument): void => {
    client.getFeature("textDocument/codeLens")?.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
  };
  const lines = new WeakMap<TextDocument, number>();
  context.subscriptions.push(
    window.onDidChangeTextEditorSelection(({ textEditor: { document, selection } }) => {
      const { line } = selection.active;
      if (document.languageId !== "appconfig" || lines.get(document) === line) return;
      lines.set(document, line);
      if (wanted(document) === "cursor") refresh(document);
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SETTING))
        for (const { document } of window.visibleTextEditors) refresh(document);
    }),
  );
}
