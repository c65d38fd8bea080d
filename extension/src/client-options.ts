import { type ExtensionContext, Uri } from "vscode";
import type { DiagnosticProviderMiddleware, LanguageClientOptions } from "vscode-languageclient";
import { lensFilter } from "./lens-filter.ts";
import { settingsMistakesOnce } from "./settings-mistakes.ts";

/**
 * Which documents the server is told about: by language, and by name where another extension gave it another one; and where the
 * pages of the rules are.
 *
 * @param pull answers the client when it asks for the findings of all configs
 */
export function clientOptions(
  { extensionUri, subscriptions }: ExtensionContext,
  pull: NonNullable<DiagnosticProviderMiddleware["provideWorkspaceDiagnostics"]>,
): LanguageClientOptions {
  return {
    initializationOptions: { docsBase: Uri.joinPath(extensionUri, "dist/").toString() },
    documentSelector: [
      { language: "appconfig" },
      { pattern: "**/*.app.{json,jsonc}" },
      { scheme: "configc-jq" },
    ],
    diagnosticCollectionName: "configc",
    middleware: {
      handleDiagnostics: settingsMistakesOnce(subscriptions),
      provideWorkspaceDiagnostics: pull,
      provideCodeLenses: lensFilter,
    },
  };
}
