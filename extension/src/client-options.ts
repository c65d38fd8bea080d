import { type ExtensionContext, Range, Uri, WorkspaceEdit } from "vscode";
import type {
  BaseLanguageClient,
  DiagnosticProviderMiddleware,
  LanguageClientOptions,
} from "vscode-languageclient";
import { LastingLenses } from "./lenses/lasting.ts";
import { renewLenses, shownLenses } from "./lenses/shown.ts";
import { inUnsavedTexts } from "./renamed-in-tests.ts";
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
  context: ExtensionContext,
  pull: NonNullable<DiagnosticProviderMiddleware["provideWorkspaceDiagnostics"]>,
  client: () => BaseLanguageClient,
): LanguageClientOptions {
  const { extensionUri, subscriptions } = context;
  const lists = new ToldLists(client);
  const lenses = new LastingLenses(context, {
    at: (document, place) => lists.lenses(document, new Range(place, place)),
    commandOf: (lens) => lists.commandOf(lens),
    renew: (document) => renewLenses(client(), document),
  });
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
        lenses.provide(document, () =>
          shownLenses(
            document,
            async () => (await next(document, token)) ?? undefined,
            (range) => lists.lenses(document, range),
          ),
        ),
      resolveCodeLens: async (lens, token, next) => lenses.resolved(lens, (await next(lens, token)) ?? lens),
      provideDocumentSymbols: (document) => lists.symbols(document),
      workspace: {
        willRenameFiles: async (event, next) => {
          const edit = await next(event);
          return edit instanceof WorkspaceEdit ? await inUnsavedTexts(edit) : edit;
        },
      },
    },
  };
}
