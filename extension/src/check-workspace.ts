import {
  commands,
  type DiagnosticCollection,
  type ExtensionContext,
  languages,
  ProgressLocation,
  type Uri,
  window,
  workspace,
} from "vscode";
import { type BaseLanguageClient, DocumentDiagnosticRequest } from "vscode-languageclient";

let found: DiagnosticCollection | undefined;

/** Checks every config of the workspace, open or not, and shows the problems, where the server can read no files itself. */
export async function checkWorkspace(context: ExtensionContext, client: BaseLanguageClient): Promise<void> {
  const problems = (found ??= collection(context));
  const files = await workspace.findFiles("**/*.app.{json,jsonc}", "**/node_modules/**");
  if (files.length === 0) {
    void window.showInformationMessage(
      "There are no configs here: no file is named *.app.json or *.app.jsonc.",
    );
    return;
  }
  let checked = 0;
  await window.withProgress(
    { location: ProgressLocation.Notification, title: "configc: checking", cancellable: true },
    async (progress, token) => {
      for (const uri of files) {
        if (token.isCancellationRequested) return;
        progress.report({ message: workspace.asRelativePath(uri), increment: 100 / files.length });
        await check(uri, client, problems);
        checked++;
      }
    },
  );
  await commands.executeCommand("workbench.panel.markers.view.focus");
  window.setStatusBarMessage(`configc: ${checked} of ${files.length} configs checked`, 5_000);
}

async function check(uri: Uri, client: BaseLanguageClient, problems: DiagnosticCollection): Promise<void> {
  // The server knows open documents only; this opens it without showing it.
  const document = await workspace.openTextDocument(uri);
  if (isShown(uri)) return;
  const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
  const report = await client.sendRequest(DocumentDiagnosticRequest.type, { textDocument });
  if (report.kind === "full")
    problems.set(uri, await client.protocol2CodeConverter.asDiagnostics(report.items));
}

/** What is shown in an editor has problems of its own, which change as one types. */
function isShown(uri: Uri): boolean {
  return window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri.toString());
}

function collection(context: ExtensionContext): DiagnosticCollection {
  const problems = languages.createDiagnosticCollection("configc workspace");
  context.subscriptions.push(
    problems,
    window.onDidChangeVisibleTextEditors((editors) => {
      for (const { document } of editors) problems.delete(document.uri);
    }),
    workspace.onDidChangeTextDocument(({ document }) => problems.delete(document.uri)),
  );
  return problems;
}
