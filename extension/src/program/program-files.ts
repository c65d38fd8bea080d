import type { Program, WrittenProgram } from "@configc/language-server";
import {
  Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  type TextDocumentChangeEvent,
  Uri,
  WorkspaceEdit,
  workspace,
} from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import { rangeOf } from "../files.ts";

export const PROGRAM_SCHEME = "configc-jq";

/** After typing stops. */
const DELAY = 200;

interface Known {
  readonly config: string;
  /** As the server has it. */
  text: string;
  /** When it became another one. */
  changed: number;
}

/**
 * jq programs of configs as files: reading one gives the program unescaped and laid out, writing one is an edit of its config, which
 * its own undo takes back.
 */
export class ProgramFiles implements FileSystemProvider {
  readonly #client: BaseLanguageClient;
  readonly #changes = new EventEmitter<FileChangeEvent[]>();
  readonly #known = new Map<string, Known>();
  readonly #listener: Disposable;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  readonly onDidChangeFile = this.#changes.event;

  constructor(client: BaseLanguageClient) {
    this.#client = client;
    this.#listener = Disposable.from(
      workspace.onDidChangeTextDocument((event) => this.#followLater(event)),
      workspace.onDidCloseTextDocument(({ uri }) => this.#known.delete(uri.toString())),
    );
  }

  dispose(): void {
    clearTimeout(this.#waiting);
    this.#listener.dispose();
    this.#changes.dispose();
  }

  watch(): Disposable {
    return new Disposable(() => undefined);
  }

  async stat(uri: Uri): Promise<FileStat> {
    const { text, changed } = await this.#read(uri);
    return { type: FileType.File, ctime: 0, mtime: changed, size: new TextEncoder().encode(text).length };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    return new TextEncoder().encode((await this.#read(uri)).text);
  }

  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    const params = { textDocument: { uri: uri.toString() }, text: new TextDecoder().decode(content) };
    await this.#openConfig(uri);
    const written = await this.#client.sendRequest<WrittenProgram | null>("configc/writeProgram", params);
    if (written === null) return;
    const config = await workspace.openTextDocument(Uri.parse(written.config));
    const wasSaved = !config.isDirty && !config.isUntitled;
    const edit = new WorkspaceEdit();
    edit.replace(config.uri, rangeOf(written.range), written.newText);
    if (!(await workspace.applyEdit(edit)))
      throw FileSystemError.Unavailable("The config was changed meanwhile. Save once more.");
    // What was saved before stays so: this is what saving means here.
    if (wasSaved) await config.save();
    const known = this.#known.get(uri.toString());
    const now = await this.#ask(uri);
    if (known !== undefined && now !== null) known.text = now.text;
  }

  readDirectory(): never {
    throw FileSystemError.NoPermissions("Programs are in no folders.");
  }
  createDirectory(): never {
    throw FileSystemError.NoPermissions("Programs are in no folders.");
  }
  delete(): never {
    throw FileSystemError.NoPermissions("A program is deleted in its config.");
  }
  rename(): never {
    throw FileSystemError.NoPermissions("A program has the name of its place in the config.");
  }

  async #read(uri: Uri): Promise<Known> {
    await this.#openConfig(uri);
    const program = await this.#ask(uri);
    if (program === null) throw FileSystemError.FileNotFound(uri);
    const known = this.#known.get(uri.toString());
    if (known !== undefined) {
      if (known.text !== program.text) known.changed = Date.now();
      known.text = program.text;
      return known;
    }
    const first = { config: program.config, text: program.text, changed: Date.now() };
    this.#known.set(uri.toString(), first);
    return first;
  }

  #ask(uri: Uri): Promise<Program | null> {
    return this.#client.sendRequest<Program | null>("configc/program", {
      textDocument: { uri: uri.toString() },
    });
  }

  /** The server knows programs of open configs. */
  async #openConfig(uri: Uri): Promise<void> {
    const { config } = JSON.parse(uri.query) as { readonly config: string };
    await workspace.openTextDocument(Uri.parse(config));
  }

  /** A program that was changed in its config, or by an undo there, is another file. */
  #followLater({ document, contentChanges }: TextDocumentChangeEvent): void {
    const config = document.uri.toString();
    if (contentChanges.length === 0 || ![...this.#known.values()].some((known) => known.config === config))
      return;
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => void this.#follow(config), DELAY);
  }

  async #follow(config: string): Promise<void> {
    for (const [uri, known] of this.#known) {
      if (known.config !== config) continue;
      const program = await this.#ask(Uri.parse(uri));
      if (program === null || program.text === known.text) continue;
      known.text = program.text;
      known.changed = Date.now();
      this.#changes.fire([{ type: FileChangeType.Changed, uri: Uri.parse(uri) }]);
    }
  }
}
