import {
  type ClientCapabilities,
  CodeLensRefreshRequest,
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

/** Milliseconds that a client has to say its settings before it is told what the defaults give. */
const PATIENCE = 1_000;

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
  let { docsBase } = options;
  /** Until the client has said its settings. */
  let settled: Promise<void> | undefined;

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
    configs: () => configs.all(),
    get settled() {
      return settled;
    },
    onChange: (listener) => void changed.push(listener),
    onClose: (listener) => void closed.push(listener),
  };
  for (const feature of features) feature.register(server);

  connection.onInitialize(({ capabilities, initializationOptions }) => {
    client = capabilities;
    docsBase = docsBaseIn(initializationOptions) ?? docsBase;
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
    const affected = configs.lookAgain();
    if (settled !== undefined) return;
    for (const config of affected) for (const listener of changed) listener(config);
    if (affected.length === 0) return;
    const { diagnostics, inlayHint, codeLens } = client.workspace ?? {};
    if (diagnostics?.refreshSupport === true) connection.languages.diagnostics.refresh();
    // Types may be others now, and lenses lead to what is run with them.
    if (inlayHint?.refreshSupport === true) connection.languages.inlayHint.refresh();
    if (codeLens?.refreshSupport === true) void connection.sendRequest(CodeLensRefreshRequest.type);
  };
  connection.onInitialized(() => {
    if (client.workspace?.configuration === true) {
      const patience = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE));
      settled = Promise.race([resettle(), patience]).then(() => {
        settled = undefined;
      });
    }
    if (client.workspace?.didChangeConfiguration?.dynamicRegistration === true)
      void connection.client.register(DidChangeConfigurationNotification.type, { section: "configc" });
  });
  connection.onDidChangeConfiguration((params) => {
    if (client.workspace?.configuration !== true) settings.take(params.settings);
    void resettle();
  });
  connection.onDidChangeWatchedFiles(() => void resettle());

  const tell = (document: TextDocument): void => {
    const config = configs.compiledOf(document);
    if (config !== undefined) for (const listener of changed) listener(config);
  };
  documents.onDidChangeContent(({ document }) => {
    if (settled === undefined) return tell(document);
    // It may have changed again until then, and each version is told of.
    const { uri, languageId, version } = document;
    const copy = TextDocument.create(uri, languageId, version, document.getText());
    void settled.then(() => documents.get(uri) !== undefined && tell(copy));
  });
  documents.onDidClose(({ document }) => {
    if (!isConfig(document)) return;
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
