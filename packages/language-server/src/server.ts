import {
  CodeActionKind,
  type Connection,
  DocumentDiagnosticReportKind,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { Compilations, isConfig } from "./documents.ts";
import { codeActions } from "./features/code-actions.ts";
import { diagnosticsOf } from "./features/diagnostics.ts";

export interface ServerOptions {
  /** Shown to the client. */
  readonly version?: string;
  /** Base of the rule pages, for links in diagnostics. */
  readonly docsBase?: string;
}

/**
 * Serves a connection: diagnostics, pushed once per version (also when empty) unless the client announces pull, pull always
 * answered; quick fixes that carry their edit. See `docs/editors.md` for the methods.
 *
 * @param connection made by the entry for Node or the browser; it is listened to here
 */
export function startServer(connection: Connection, options: ServerOptions = {}): void {
  const documents = new TextDocuments(TextDocument);
  const compilations = new Compilations();
  let push = true;

  connection.onInitialize(({ capabilities }) => {
    push = capabilities.textDocument?.diagnostic === undefined;
    return {
      serverInfo: { name: "configc", ...(options.version === undefined ? {} : { version: options.version }) },
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        diagnosticProvider: {
          identifier: "configc",
          interFileDependencies: false,
          workspaceDiagnostics: false,
        },
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
      },
    };
  });

  documents.onDidChangeContent(({ document }) => {
    if (!push || !isConfig(document)) return;
    const diagnostics = diagnosticsOf(document, compilations.of(document), options);
    void connection.sendDiagnostics({ uri: document.uri, version: document.version, diagnostics });
  });

  documents.onDidClose(({ document }) => {
    compilations.forget(document.uri);
    if (push && isConfig(document)) void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] });
  });

  connection.languages.diagnostics.on(({ textDocument }) => {
    const document = documents.get(textDocument.uri);
    const items =
      document === undefined || !isConfig(document)
        ? []
        : diagnosticsOf(document, compilations.of(document), options);
    return { kind: DocumentDiagnosticReportKind.Full, items };
  });

  connection.onCodeAction((params) => {
    const document = documents.get(params.textDocument.uri);
    if (document === undefined || !isConfig(document)) return [];
    return codeActions(document, compilations.of(document), params);
  });

  documents.listen(connection);
  connection.listen();
}
