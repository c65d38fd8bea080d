import type { Edit, Samples, Settings } from "@configc/compiler";
import type { ClientCapabilities, Connection, ServerCapabilities } from "vscode-languageserver";
import type { OpenConfig, OpenProgram } from "./open-config.ts";
import type { ProgramDocuments } from "./program/program-documents.ts";
import type { Login, RunWorld } from "./run/protocol.ts";
import type { Scaffolder } from "./scaffold/protocol.ts";
import type { Simulator } from "./simulate/protocol.ts";

export type { OpenConfig, OpenProgram } from "./open-config.ts";

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
  /** The same, or an open document that is a program of such a config: by its positions, and the config's offsets. */
  part(uri: string): OpenConfig | OpenProgram | undefined;
  /** The open programs, and where they stand. */
  readonly programs: ProgramDocuments;
  /** All of them. */
  configs(): readonly OpenConfig[];
  /** Compiles a config that isn't open; nothing of it is kept. */
  compileClosed(uri: string, text: string): OpenConfig;
  /** Until the client has said its settings, which it has a second for: what it is told before would have to be told again. */
  readonly settled: Promise<void> | undefined;
  /** URIs of the workspace's folders. */
  readonly folders: readonly string[];
  /** After files have changed that settings or samples may come from. */
  lookAgain(): void;
  /** Called when files, or what the client says, may have changed. */
  onOutsideChange(listener: () => void): void;
  /** Called for each version of a document in order, and when settings or samples make another thing of it. */
  onChange(listener: (config: OpenConfig) => void): void;
  onClose(listener: (uri: string) => void): void;
}

/** What whoever starts the server hands to it: files, pages, a network. A server without any reads no file and runs nothing. */
export interface ServerOptions {
  /** Shown to the client. */
  readonly version?: string;
  /** URL below which `docs/rules` lies, for links to the pages of rules; a client may name another one. */
  readonly docsBase?: string;
  /** The settings of a document's folder (`configc.config.json`); called for each compilation. */
  readonly settingsOf?: (uri: string) => DocumentSettings;
  /**
   * What is known of the responses of a document's API; called for each compilation.
   *
   * @param changed to call when more has become known
   */
  readonly samplesOf?: (uri: string, changed: () => void) => Partial<Samples>;
  /**
   * What has to change with the names of configs and test files; called before they are renamed.
   *
   * @param folders URIs of the workspace's
   */
  readonly followRenames?: (files: readonly Renamed[], folders: readonly string[]) => Following;
  /**
   * The configs of a workspace, as `configc check` finds them in its folders; called each time they are looked through.
   *
   * @param folders URIs
   */
  readonly workspaceConfigs?: (folders: readonly string[]) => readonly WorkspaceConfig[];
  /** Configs to begin with, for an empty document. */
  readonly templatesFor?: (uri: string) => readonly Template[];
  /** What runs may do to the world; without it `configc/runStep` is refused. */
  readonly runWorld?: RunWorld;
  /** Logs people in; without it `configc/login` is refused. */
  readonly login?: Login;
  /** Simulates services; without it `configc/simulate` is refused. */
  readonly simulator?: Simulator;
  /** Makes configs of what describes an API; without it `configc/proposeConfig` is refused. */
  readonly scaffolder?: Scaffolder;
}

/** A config on disk. */
export interface WorkspaceConfig {
  readonly uri: string;
  /** Says whether the file has changed: its time and size, for instance. */
  readonly stamp: string;
  /** @throws where it can't be read */
  read(): string;
}

/** What a settings file says for a document. */
export interface DocumentSettings {
  readonly settings: Partial<Settings>;
  /** The file, where there is one. */
  readonly file?: SettingsFile;
}

/** A `configc.config.json` that counts for a document, with what is wrong in it. */
export interface SettingsFile {
  readonly uri: string;
  /** With a mistake in it, none of its settings count. */
  readonly mistakes: readonly SettingsMistake[];
}

/** One mistake in a settings file, at its place. */
export interface SettingsMistake {
  /** Counts from 1, as `column` does, in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A file or folder, by its old and its new URI. */
export interface Renamed {
  readonly oldUri: string;
  readonly newUri: string;
}

/** What has to change with the names of files. */
export interface Following {
  /** Files and folders that are called after them. */
  readonly renames: readonly Renamed[];
  /** Files that name them, by their old URIs. */
  readonly edited: readonly {
    readonly uri: string;
    /** As it is on disk: what the offsets of the edit count in. */
    readonly text: string;
    readonly edit: Edit;
  }[];
}

/** A config to begin with. */
export interface Template {
  /** `inbound-webhook` */
  readonly name: string;
  /** A few words. */
  readonly purpose: string;
  readonly text: string;
  /** Where it names the service, in the order of the text: an editor with snippets lets one write that once. UTF-16 offsets. */
  readonly service?: readonly {
    readonly start: number;
    readonly end: number;
    /** `slug` as in names of things, `title` as in labels. */
    readonly kind: "slug" | "title";
  }[];
}
