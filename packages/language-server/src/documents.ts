import { type Compilation, type CompileOptions, compile, recompile, type Samples } from "@configc/compiler";
import type { TextDocuments } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { OpenConfig } from "./open-config.ts";
import type { ServerSettings } from "./settings.ts";
import type { SettingsFiles } from "./settings-files.ts";

/** The open documents that are configs, with their compilations: every feature of one version reads the same model. */
export class OpenConfigs {
  private readonly compiled = new Map<string, Compiled>();
  private readonly documents: TextDocuments<TextDocument>;
  private readonly settings: ServerSettings;
  private readonly settingsFiles: SettingsFiles;
  private readonly samplesOf: (uri: string) => Partial<Samples>;

  constructor(
    documents: TextDocuments<TextDocument>,
    settings: ServerSettings,
    settingsFiles: SettingsFiles,
    samplesOf: (uri: string) => Partial<Samples>,
  ) {
    this.documents = documents;
    this.settings = settings;
    this.settingsFiles = settingsFiles;
    this.samplesOf = samplesOf;
  }

  get(uri: string): OpenConfig | undefined {
    const document = this.documents.get(uri);
    return document === undefined ? undefined : this.compiledOf(document);
  }

  /** A version of an open document; undefined if it is no config. */
  compiledOf(document: TextDocument): OpenConfig | undefined {
    const { uri } = document;
    if (!isConfig(document)) return undefined;
    const known = this.compiled.get(uri);
    const text = document.getText();
    // By the text: not all clients give each of their versions a number of its own.
    if (known?.isSure === true && known.compilation.model.document.text === text)
      return { document, compilation: known.compilation };
    this.settingsFiles.use(uri, this.settings.of(uri).file);
    const options = this.optionsOf(uri);
    const compilation =
      known === undefined ? compile(text, options) : recompile(known.compilation, text, options);
    this.compiled.set(uri, { isSure: true, compilation });
    return { document, compilation };
  }

  /** A config that isn't open. */
  closed(uri: string, text: string): OpenConfig {
    const document = TextDocument.create(uri, "appconfig", 0, text);
    return { document, compilation: compile(text, this.optionsOf(uri)) };
  }

  /** What a config is compiled with. */
  optionsOf(uri: string): CompileOptions {
    return { uri, settings: this.settings.of(uri).settings, samples: this.samplesOf(uri) };
  }

  all(): OpenConfig[] {
    return this.documents.keys().flatMap((uri) => this.get(uri) ?? []);
  }

  forget(uri: string): void {
    this.compiled.delete(uri);
    this.settingsFiles.use(uri, undefined);
  }

  /**
   * After something changed that settings or samples may come from.
   *
   * @returns the documents for which it makes a difference
   */
  lookAgain(): OpenConfig[] {
    const before = [...this.compiled];
    for (const [uri, { compilation }] of before) this.compiled.set(uri, { isSure: false, compilation });
    return before.flatMap(([uri, { compilation }]) => {
      const open = this.get(uri);
      return open === undefined || open.compilation === compilation ? [] : [open];
    });
  }
}

/** A compilation, and whether settings and samples are certainly those that it was made with. */
interface Compiled {
  readonly isSure: boolean;
  readonly compilation: Compilation;
}

/** By language id, or by name for clients that don't know the language. */
export function isConfig({ languageId, uri }: Pick<TextDocument, "languageId" | "uri">): boolean {
  return languageId === "appconfig" || /\.app\.jsonc?$/.test(uri);
}
