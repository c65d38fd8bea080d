import { type ExtensionContext, Uri } from "vscode";
import type {
  BaseLanguageClient,
  DiagnosticProviderMiddleware,
  LanguageClientOptions,
} from "vscode-languageclient";
import { shownLenses } from "./lens-filter.ts";
import { settingsMistakesOnce } from "./settings-mistakes.ts";
import { ToldLists } from "./told-lists.ts";

/**
 * Which documents the server is told about: by language, and by name where another extension gave it another one; and where the
 * pages of the rules are.
 *
 * @param pull answers the client when it asks for the findings of all configs
 * @param client that these are the options of
 */
export function clientOptions(
  { extensionUri, subscriptions }: ExtensionContext,
  pull: NonNullable<DiagnosticProviderMiddleware["provideWorkspaceDiagnostics"]>,
  client: () => BaseLanguageClient,
): LanguageClientOptions {
  const lists = new ToldLists(client);
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
      provideCodeLenses: (document, token, next) =>
        shownLenses(
          document,
          async () => (await next(document, token)) ?? undefined,
          (range) => lists.lenses(document, range),
        ),
      provideDocumentSymbols: (document) => lists.symbols(document),
    },
  };
}
