import { type ClientCapabilities, type Connection, TextDocuments } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { announced } from "./announced.ts";
import { isConfig, OpenConfigs } from "./documents.ts";
import type { OpenConfig, Server, ServerOptions } from "./feature.ts";
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
  const changed: ((config: OpenConfig) => void)[] = [];
  const tell = (config: OpenConfig): void => {
    for (const listener of changed) listener(config);
    for (const uri of programs.of(config.document.uri)) tellOfProgram(uri);
  };
  const tellOfProgram = (uri: string): void => {
    const program = programs.get(uri);
    for (const listener of changed) if (program !== undefined) listener(program);
  };
  const outside = new WatchedFiles(connection, settings, configs, tell);
  const closed: ((uri: string) => void)[] = [];
  let client: ClientCapabilities = {};
  let { docsBase } = options;

  const server: Server = {
    connection,
    options,
    get client() {
      return client;
    },
    get docsBase() {
      return docsBase;
    },
    get pullsDiagnostics() {
      return client.textDocument?.diagnostic !== undefined;
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
    onChange: (listener) => void changed.push(listener),
    onClose: (listener) => void closed.push(listener),
  };
  for (const feature of features) feature.register(server);

  connection.onInitialize((params) => {
    client = params.capabilities;
    docsBase = docsBaseIn(params.initializationOptions) ?? docsBase;
    outside.listen(params);
    return {
      serverInfo: { name: "configc", ...(options.version === undefined ? {} : { version: options.version }) },
      capabilities: announced(),
    };
  });

  const tellOf = (document: TextDocument): void => {
    const config = configs.compiledOf(document);
    if (config !== undefined) tell(config);
    else tellOfProgram(document.uri);
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
    for (const listener of closed) listener(document.uri);
  });

  documents.listen(connection);
  connection.listen();
}

/** Clients that bring the pages of the rules say where, in `initializationOptions`: `{docsBase: URL}`. */
function docsBaseIn(initializationOptions: unknown): string | undefined {
  if (typeof initializationOptions !== "object" || initializationOptions === null) return undefined;
  const { docsBase } = initializationOptions as { readonly docsBase?: unknown };
  return typeof docsBase === "string" && URL.canParse(docsBase) ? docsBase : undefined;
}
