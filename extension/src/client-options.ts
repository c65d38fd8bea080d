import { type ExtensionContext, Uri } from "vscode";
import type { LanguageClientOptions } from "vscode-languageclient";
import { settingsMistakesOnce } from "./settings-mistakes.ts";

/**
 * Which documents the server is told about: by language, and by name where another extension gave it another one; and where the
 * pages of the rules are.
 */
export function clientOptions({ extensionUri, subscriptions }: ExtensionContext): LanguageClientOptions {
  return {
    initializationOptions: { docsBase: Uri.joinPath(extensionUri, "dist/").toString() },
    documentSelector: [{ language: "appconfig" }, { pattern: "**/*.app.{json,jsonc}" }],
    diagnosticCollectionName: "configc",
    middleware: { handleDiagnostics: settingsMistakesOnce(subscriptions) },
  };
}
