import { type ClientCapabilities, type Connection, TextDocuments } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { announced } from "./announced.ts";
import { DocumentListeners } from "./document-listeners.ts";
import { isConfig, OpenConfigs } from "./documents.ts";
import type { Server, ServerOptions } from "./feature.ts";
import { features } from "./features/index.ts";
import { ProgramDocuments } from "./program/program-documents.ts";
import { programAddress } from "./program/program-uri.ts";
import { ServerSettings } from "./settings.ts";
import { SettingsFiles } from "./settings-files.ts";
import { WatchedFiles } from "./watched-files.ts";

/**
 * Serves a connection. All capabilities stand in the `initialize` result, whatever the client announces; `docs/editors.md`
 * lists the methods.
 *
 * @param connection made by the entry for Node or the browser; it is listened to here
 */
export function startServer(connection: Connection, options: ServerOptions = {}): void {
  const documents = new TextDocuments(TextDocument);
  const settings = new ServerSettings(options.settingsOf);
  const configs = new OpenConfigs(
    documents,
    settings,
    new SettingsFiles(connection),
    (uri) => options.samplesOf?.(uri, () => outside.lookAgain()) ?? {},
  );
  const programs = new ProgramDocuments(
    documents,
    (uri) => configs.get(uri),
    (uri) => configs.optionsOf(uri),
  );
  const listeners = new DocumentListeners(programs);
  const outside = new WatchedFiles(connection, settings, configs, (config) => listeners.tell(config));
  const client: Client = { capabilities: {}, docsBase: options.docsBase };
  const parts: Parts = { documents, settings, configs, programs, listeners, outside };

  const server = serverOf(connection, options, client, parts);
  for (const feature of features) feature.register(server);
  connection.onInitialize((params) => {
    client.capabilities = params.capabilities;
    client.docsBase = docsBaseIn(params.initializationOptions) ?? client.docsBase;
    outside.listen(params);
    return {
      serverInfo: { name: "configc", ...(options.version === undefined ? {} : { version: options.version }) },
      capabilities: announced(),
    };
  });
  followDocuments(parts);
  documents.listen(connection);
  connection.listen();
}

/** What the client says of itself. */
interface Client {
  capabilities: ClientCapabilities;
  docsBase: string | undefined;
}

interface Parts {
  readonly documents: TextDocuments<TextDocument>;
  readonly settings: ServerSettings;
  readonly configs: OpenConfigs;
  readonly programs: ProgramDocuments;
  readonly listeners: DocumentListeners;
  readonly outside: WatchedFiles;
}

/** The server as features see it. */
function serverOf(
  connection: Connection,
  options: ServerOptions,
  client: Client,
  { settings, configs, programs, listeners, outside }: Parts,
): Server {
  return {
    connection,
    options,
    get client() {
      return client.capabilities;
    },
    get docsBase() {
      return client.docsBase;
    },
    get pullsDiagnostics() {
      return client.capabilities.textDocument?.diagnostic !== undefined;
    },
    config: (uri) => configs.get(uri),
    part: (uri) => configs.get(uri) ?? programs.get(uri),
    programs,
    configs: () => configs.all(),
    get settled() {
      return outside.settled;
    },
    get folders() {
      return [...settings.folders];
    },
    lookAgain: () => outside.lookAgain(),
    compileClosed: (uri, text) => configs.closed(uri, text),
    onOutsideChange: (listener) => outside.onChange(listener),
    onChange: (listener) => listeners.onChange(listener),
    onClose: (listener) => listeners.onClose(listener),
  };
}

/** Tells features of each version of a document, and of the end of it. */
function followDocuments({ documents, configs, programs, listeners, outside }: Parts): void {
  const tellOf = (document: TextDocument): void => {
    const config = configs.compiledOf(document);
    if (config !== undefined) listeners.tell(config);
    else listeners.tellOfProgram(document.uri);
  };
  documents.onDidChangeContent(({ document }) => {
    const { settled } = outside;
    if (settled === undefined) return tellOf(document);
    // It may have changed again until then, and each version is told of.
    const { uri, languageId, version } = document;
    const copy = TextDocument.create(uri, languageId, version, document.getText());
    void settled.then(() => documents.get(uri) !== undefined && tellOf(copy));
  });
  documents.onDidClose(({ document }) => {
    const isProgram = programAddress(document.uri) !== undefined;
    if (isProgram) programs.forget(document.uri);
    if (!isConfig(document) && !isProgram) return;
    configs.forget(document.uri);
    listeners.tellClosed(document.uri);
  });
}

/** Clients that bring the pages of the rules say where, in `initializationOptions`: `{docsBase: URL}`. */
function docsBaseIn(initializationOptions: unknown): string | undefined {
  if (typeof initializationOptions !== "object" || initializationOptions === null) return undefined;
  const { docsBase } = initializationOptions as { readonly docsBase?: unknown };
  return typeof docsBase === "string" && URL.canParse(docsBase) ? docsBase : undefined;
}
