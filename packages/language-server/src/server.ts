import {
  type ClientCapabilities,
  type Connection,
  DidChangeConfigurationNotification,
  type ServerCapabilities,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { isConfig, OpenConfigs } from "./documents.ts";
import type { OpenConfig, Server, ServerOptions } from "./feature.ts";
import { features } from "./features/index.ts";
import { ServerSettings } from "./settings.ts";

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
    (uri) => options.samplesOf?.(uri, () => void resettle()) ?? {},
  );
  const changed: ((config: OpenConfig) => void)[] = [];
  const closed: ((uri: string) => void)[] = [];
  let client: ClientCapabilities = {};

  const server: Server = {
    connection,
    options,
    get client() {
      return client;
    },
    get pullsDiagnostics() {
      return client.textDocument?.diagnostic !== undefined;
    },
    config: (uri) => configs.get(uri),
    configs: () => configs.all(),
    onChange: (listener) => void changed.push(listener),
    onClose: (listener) => void closed.push(listener),
  };
  for (const feature of features) feature.register(server);

  connection.onInitialize(({ capabilities }) => {
    client = capabilities;
    return {
      serverInfo: { name: "configc", ...(options.version === undefined ? {} : { version: options.version }) },
      capabilities: Object.assign(
        { textDocumentSync: TextDocumentSyncKind.Incremental },
        ...features.map((feature) => feature.capabilities),
      ) as ServerCapabilities,
    };
  });

  const resettle = async (): Promise<void> => {
    if (client.workspace?.configuration === true) await settings.refresh(connection);
    configs.lookAgain();
    for (const config of configs.all()) for (const listener of changed) listener(config);
    if (client.workspace?.diagnostics?.refreshSupport === true) connection.languages.diagnostics.refresh();
  };
  connection.onInitialized(() => {
    if (client.workspace?.configuration === true) void resettle();
    if (client.workspace?.didChangeConfiguration?.dynamicRegistration === true)
      void connection.client.register(DidChangeConfigurationNotification.type, { section: "configc" });
  });
  connection.onDidChangeConfiguration(() => void resettle());
  connection.onDidChangeWatchedFiles(() => void resettle());

  documents.onDidChangeContent(({ document }) => {
    const config = configs.get(document.uri);
    if (config !== undefined) for (const listener of changed) listener(config);
  });
  documents.onDidClose(({ document }) => {
    if (!isConfig(document)) return;
    configs.forget(document.uri);
    for (const listener of closed) listener(document.uri);
  });

  documents.listen(connection);
  connection.listen();
}
