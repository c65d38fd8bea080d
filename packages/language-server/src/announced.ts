import { PositionEncodingKind, type ServerCapabilities, TextDocumentSyncKind } from "vscode-languageserver";
import { features } from "./features/index.ts";

/** What the server answers to `initialize`, whatever the client announces. */
export function announced(): ServerCapabilities {
  return Object.assign(
    {
      positionEncoding: PositionEncodingKind.UTF16,
      textDocumentSync: TextDocumentSyncKind.Incremental,
    },
    ...features.map(({ capabilities }) => capabilities),
  );
}

/** The methods that come with each capability, by its path. */
const methods: readonly (readonly [path: string, ...methods: string[]])[] = [
  ["textDocumentSync", "textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"],
  ["diagnosticProvider", "textDocument/diagnostic"],
  ["diagnosticProvider.workspaceDiagnostics", "workspace/diagnostic"],
  ["completionProvider", "textDocument/completion"],
  ["completionProvider.resolveProvider", "completionItem/resolve"],
  ["hoverProvider", "textDocument/hover"],
  ["signatureHelpProvider", "textDocument/signatureHelp"],
  ["definitionProvider", "textDocument/definition"],
  ["typeDefinitionProvider", "textDocument/typeDefinition"],
  ["referencesProvider", "textDocument/references"],
  ["documentHighlightProvider", "textDocument/documentHighlight"],
  ["renameProvider", "textDocument/rename"],
  ["renameProvider.prepareProvider", "textDocument/prepareRename"],
  ["linkedEditingRangeProvider", "textDocument/linkedEditingRange"],
  [
    "callHierarchyProvider",
    "textDocument/prepareCallHierarchy",
    "callHierarchy/incomingCalls",
    "callHierarchy/outgoingCalls",
  ],
  ["codeActionProvider", "textDocument/codeAction"],
  ["codeActionProvider.resolveProvider", "codeAction/resolve"],
  ["documentSymbolProvider", "textDocument/documentSymbol"],
  ["workspaceSymbolProvider", "workspace/symbol"],
  ["foldingRangeProvider", "textDocument/foldingRange"],
  ["selectionRangeProvider", "textDocument/selectionRange"],
  ["semanticTokensProvider.full", "textDocument/semanticTokens/full"],
  ["semanticTokensProvider.full.delta", "textDocument/semanticTokens/full/delta"],
  ["semanticTokensProvider.range", "textDocument/semanticTokens/range"],
  ["inlayHintProvider", "textDocument/inlayHint"],
  ["inlineValueProvider", "textDocument/inlineValue"],
  ["codeLensProvider", "textDocument/codeLens"],
  ["codeLensProvider.resolveProvider", "codeLens/resolve"],
  ["documentLinkProvider", "textDocument/documentLink"],
  ["documentFormattingProvider", "textDocument/formatting"],
  ["documentRangeFormattingProvider", "textDocument/rangeFormatting"],
  ["documentRangeFormattingProvider.rangesSupport", "textDocument/rangesFormatting"],
  ["documentOnTypeFormattingProvider", "textDocument/onTypeFormatting"],
  ["workspace.workspaceFolders.changeNotifications", "workspace/didChangeWorkspaceFolders"],
  ["workspace.fileOperations.willRename", "workspace/willRenameFiles"],
  ["workspace.fileOperations.didRename", "workspace/didRenameFiles"],
];

/** Capabilities that bring no method with them. */
const without: ReadonlySet<string> = new Set(["positionEncoding"]);

/**
 * The methods of the standard that a server with some capabilities answers or listens to.
 *
 * @throws Error for a capability whose methods aren't known here
 */
export function methodsOf(capabilities: ServerCapabilities): readonly string[] {
  const known = new Set(methods.map(([path]) => path.split(".")[0]));
  const strange = Object.keys(capabilities).find((name) => !known.has(name) && !without.has(name));
  if (strange !== undefined) throw new Error(`The methods of \`${strange}\` aren't known.`);
  return methods.flatMap(([path, ...names]) => (isAnnounced(capabilities, path) ? names : []));
}

function isAnnounced(capabilities: ServerCapabilities, path: string): boolean {
  let value: unknown = capabilities;
  for (const name of path.split("."))
    value =
      typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return value !== undefined && value !== null && value !== false;
}
