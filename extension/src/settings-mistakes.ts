import { type Diagnostic, type Disposable, extensions, type Uri, workspace } from "vscode";
import type { HandleDiagnosticsSignature, Middleware } from "vscode-languageclient";

/**
 * The server tells of the mistakes in a settings file as it was saved. While such a file is open, VS Code's own JSON service
 * finds the same ones by the schema, as they are typed: then they are left to it, so that each stands there once.
 *
 * @param disposables takes what listens for files that are opened and closed
 */
export function settingsMistakesOnce(
  disposables: Disposable[],
): NonNullable<Middleware["handleDiagnostics"]> {
  const told = new Map<string, () => void>();
  const tellAgain = ({ uri }: { readonly uri: Uri }): void => told.get(uri.toString())?.();
  disposables.push(workspace.onDidOpenTextDocument(tellAgain), workspace.onDidCloseTextDocument(tellAgain));
  return (uri: Uri, diagnostics: Diagnostic[], next: HandleDiagnosticsSignature): void => {
    const tell = (): void => next(uri, isLeftToJson(uri) ? [] : diagnostics);
    if (uri.path.endsWith("/configc.config.json")) told.set(uri.toString(), tell);
    tell();
  };
}

function isLeftToJson(uri: Uri): boolean {
  const hasService =
    extensions.getExtension("vscode.json-language-features") !== undefined &&
    workspace.getConfiguration("json", uri).get("validate.enable") !== false;
  const open = workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  return hasService && /^jsonc?$/.test(open?.languageId ?? "");
}
