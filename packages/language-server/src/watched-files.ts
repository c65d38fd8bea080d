import {
  type ClientCapabilities,
  CodeLensRefreshRequest,
  type Connection,
  DiagnosticRefreshRequest,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  DidChangeWorkspaceFoldersNotification,
  type InitializeParams,
  InlayHintRefreshRequest,
} from "vscode-languageserver";
import type { OpenConfigs } from "./documents.ts";
import type { OpenConfig } from "./feature.ts";
import type { ServerSettings } from "./settings.ts";

/** Milliseconds that a client has to say its settings before it is told what the defaults give. */
const PATIENCE = 1_000;

/** Settings files, samples, and API documents with their parts: these may have any name. */
const WATCHED = "**/*.{json,yaml,yml}";

/**
 * What documents depend on besides their text: the client's settings, and files on disk. When some of it may have changed, it is
 * looked at again, and the client is told what that makes of its documents.
 */
export class WatchedFiles {
  private readonly connection: Connection;
  private readonly settings: ServerSettings;
  private readonly configs: OpenConfigs;
  private readonly changed: (config: OpenConfig) => void;
  private readonly listeners: (() => void)[] = [];
  private client: ClientCapabilities = {};
  private firstSettings: Promise<void> | undefined;

  /** @param changed is called for each document that is another thing now */
  constructor(
    connection: Connection,
    settings: ServerSettings,
    configs: OpenConfigs,
    changed: (config: OpenConfig) => void,
  ) {
    this.connection = connection;
    this.settings = settings;
    this.configs = configs;
    this.changed = changed;
  }

  /** Until the client has said its settings, which it has a second for. */
  get settled(): Promise<void> | undefined {
    return this.firstSettings;
  }

  /** To be called before the client has initialized: what it announces decides what it is asked. */
  listen({ capabilities, workspaceFolders }: InitializeParams): void {
    const { connection, settings } = this;
    this.client = capabilities;
    const folders = new Set((workspaceFolders ?? []).map(({ uri }) => folderUri(uri)));
    settings.folders = folders;
    const { configuration, didChangeConfiguration, didChangeWatchedFiles } = capabilities.workspace ?? {};
    connection.onInitialized(() => {
      if (configuration === true) {
        const patience = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE));
        this.firstSettings = Promise.race([this.askAgain(), patience]).then(() => {
          this.firstSettings = undefined;
        });
      }
      const { client } = connection;
      if (didChangeConfiguration?.dynamicRegistration === true)
        ask(client.register(DidChangeConfigurationNotification.type, { section: "configc" }));
      if (didChangeWatchedFiles?.dynamicRegistration === true)
        ask(
          client.register(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern: WATCHED }] }),
        );
    });
    connection.onDidChangeConfiguration((params) => {
      if (configuration !== true) settings.take(params.settings);
      void this.askAgain();
    });
    connection.onNotification(DidChangeWorkspaceFoldersNotification.type, ({ event }) => {
      for (const { uri } of event.removed) folders.delete(folderUri(uri));
      for (const { uri } of event.added) folders.add(folderUri(uri));
      void this.askAgain();
    });
    connection.onDidChangeWatchedFiles(() => this.lookAgain());
  }

  /** After a change of what the client says. */
  private async askAgain(): Promise<void> {
    if (this.client.workspace?.configuration === true) await this.settings.refresh(this.connection);
    this.lookAgain();
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** After a change of what is known from files. */
  lookAgain(): void {
    for (const listener of this.listeners) listener();
    const affected = this.configs.lookAgain();
    // It is told of all documents then.
    if (this.firstSettings !== undefined || affected.length === 0) return;
    for (const config of affected) this.changed(config);
    const { diagnostics, inlayHint, codeLens } = this.client.workspace ?? {};
    const { connection } = this;
    if (diagnostics?.refreshSupport === true) ask(connection.sendRequest(DiagnosticRefreshRequest.type));
    // Types may be others now, and lenses lead to what is run with them.
    if (inlayHint?.refreshSupport === true) ask(connection.sendRequest(InlayHintRefreshRequest.type));
    if (codeLens?.refreshSupport === true) ask(connection.sendRequest(CodeLensRefreshRequest.type));
  }
}

/** A client that refuses what it has announced goes without it. */
function ask(answer: Promise<unknown>): void {
  answer.catch(() => undefined);
}

function folderUri(uri: string): string {
  return uri.replace(/\/$/, "");
}
