import { type CodeLens, type ExtensionContext, Range, type TextDocument, window, workspace } from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";

const SETTING = "configc.lenses";

/**
 * In a document of more lines, only the lenses around what is visible are shown: VS Code makes room for each lens of a document, seen or
 * not, and with thousands of them it takes seconds from a key to its suggestions.
 */
const LARGE = 2_000;
/** Lines that are asked for together. */
const BLOCK = 200;

function wanted(document: TextDocument): "all" | "cursor" | "none" {
  return workspace.getConfiguration(undefined, document.uri).get(SETTING) ?? "all";
}

/**
 * The lenses that a person wants to see: all, those of the command at the cursor, or none.
 *
 * @param all asks for all of a document
 * @param some asks for those of some lines
 */
export async function shownLenses(
  document: TextDocument,
  all: () => Promise<CodeLens[] | undefined>,
  some: (range: Range) => Promise<CodeLens[] | undefined> = all,
): Promise<CodeLens[] | undefined> {
  const shown = wanted(document);
  if (shown === "none") return [];
  const lenses = document.lineCount > LARGE ? await some(around(document)) : await all();
  if (shown === "all" || lenses === undefined) return lenses;
  const editor = window.visibleTextEditors.find((each) => each.document === document);
  return atLine(lenses, editor?.selection.active.line ?? 0);
}

/** The blocks of lines that some editor of a document shows, with one more on each side. */
function around(document: TextDocument): Range {
  const visible = window.visibleTextEditors
    .filter((editor) => editor.document === document)
    .flatMap(({ visibleRanges }) => visibleRanges);
  const first = Math.min(...visible.map(({ start }) => start.line), document.lineCount - 1);
  const last = Math.max(...visible.map(({ end }) => end.line), 0);
  const from = Math.max(0, (Math.floor(first / BLOCK) - 1) * BLOCK);
  return new Range(from, 0, (Math.floor(last / BLOCK) + 2) * BLOCK, 0);
}

/** Those of the nearest line with any, at the cursor or above it. */
function atLine(all: readonly CodeLens[], line: number): CodeLens[] {
  const nearest = Math.max(...all.map(({ range }) => range.start.line).filter((each) => each <= line));
  return all.filter(({ range }) => range.start.line === nearest);
}

/** Has the editor ask for the server's lenses of a document again. */
export function renewLenses(client: BaseLanguageClient, document: TextDocument): void {
  client.getFeature("textDocument/codeLens")?.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
}

/** Asks for them anew when the cursor goes to another line or other lines are shown, if that matters, and when the setting changes. */
export function refreshLenses(context: ExtensionContext, client: BaseLanguageClient): void {
  const refresh = (document: TextDocument): void => renewLenses(client, document);
  const lines = new WeakMap<TextDocument, number>();
  const ranges = new WeakMap<TextDocument, Range>();
  context.subscriptions.push(
    window.onDidChangeTextEditorSelection(({ textEditor: { document, selection } }) => {
      const { line } = selection.active;
      if (document.languageId !== "appconfig" || lines.get(document) === line) return;
      lines.set(document, line);
      if (wanted(document) === "cursor") refresh(document);
    }),
    window.onDidChangeTextEditorVisibleRanges(({ textEditor: { document } }) => {
      if (document.languageId !== "appconfig" || document.lineCount <= LARGE) return;
      const range = around(document);
      if (ranges.get(document)?.isEqual(range)) return;
      ranges.set(document, range);
      refresh(document);
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SETTING))
        for (const { document } of window.visibleTextEditors) refresh(document);
    }),
  );
}
