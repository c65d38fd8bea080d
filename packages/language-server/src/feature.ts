import type { Compilation, Samples, Settings } from "@configc/compiler";
import type { ClientCapabilities, Connection, ServerCapabilities } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { Login } from "./run/login.ts";
import type { RunWorld } from "./run/protocol.ts";

/**
 * One thing that the server can do: its part of the `initialize` result and its handlers. All logic of the language is the
 * compiler's; a feature asks it and speaks the protocol. One file each in `features/`.
 */
export interface Feature {
  readonly capabilities: Partial<ServerCapabilities>;
  register(server: Server): void;
}

/** What features share. */
export interface Server {
  readonly connection: Connection;
  readonly options: ServerOptions;
  /** Known once the client has initialized. */
  readonly client: ClientCapabilities;
  /** Base of the rule pages: the client's, or that of the options. */
  readonly docsBase: string | undefined;
  /** Whether the client asks for diagnostics itself. */
  readonly pullsDiagnostics: boolean;
  /** An open document that is a config, compiled at its present version; undefined for any other. */
  config(uri: string): OpenConfig | undefined;
  /** All of them. */
  configs(): readonly OpenConfig[];
  /** Until the client has said its settings, which it has a second for: what it is told before would have to be told again. */
  readonly settled: Promise<void> | undefined;
  /** Called for each version of a document in order, and when settings or samples make another thing of it. */
  onChange(listener: (config: OpenConfig) => void): void;
  onClose(listener: (uri: string) => void): void;
}

export interface OpenConfig {
  readonly document: TextDocument;
  readonly compilation: Compilation;
}

export interface ServerOptions {
  /** Shown to the client. */
  readonly version?: string;
  /** URL below which `docs/rules` lies, for links to the pages of rules; a client may name another one. */
  readonly docsBase?: string;
  /** The settings of a document's folder (`configc.config.json`); called for each compilation. */
  readonly settingsOf?: (uri: string) => Partial<Settings>;
  /**
   * What is known of the responses of a document's API; called for each compilation.
   *
   * @param changed to call when more has become known
   */
  readonly samplesOf?: (uri: string, changed: () => void) => Partial<Samples>;
  /** Configs to begin with, for an empty document. */
  readonly templatesFor?: (uri: string) => readonly Template[];
  /** What runs may do to the world; without it `configc/runStep` is refused. */
  readonly runWorld?: RunWorld;
  /** Logs people in; without it `configc/login` is refused. */
  readonly login?: Login;
}

/** A config to begin with. */
export interface Template {
  /** `inbound-webhook` */
  readonly name: string;
  /** A few words. */
  readonly purpose: string;
  readonly text: string;
}
