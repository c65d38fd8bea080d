import { type CodeLens, type ExtensionContext, type TextDocument, window, workspace } from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";

const SETTING = "configc.lenses";

function wanted(document: TextDocument): "all" | "cursor" | "none" {
  return workspace.getConfiguration(undefined, document.uri).get(SETTING) ?? "all";
}

/**
 * The lenses that a person wants to see: all, those of the command at the cursor, or none.
 *
 * @param all asks for them
 */
export async function shownLenses(
  document: TextDocument,
  all: () => Promise<CodeLens[] | undefined>,
): Promise<CodeLens[] | undefined> {
  const shown = wanted(document);
  if (shown === "none") return [];
  const lenses = await all();
  if (shown === "all" || lenses === undefined) return lenses;
  const editor = window.visibleTextEditors.find((each) => each.document === document);
  return atLine(lenses, editor?.selection.active.line ?? 0);
}

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
