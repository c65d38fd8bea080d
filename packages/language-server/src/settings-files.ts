import { type Connection, DiagnosticSeverity } from "vscode-languageserver";
import type { SettingsFile, SettingsMistake } from "./feature.ts";

/**
 * Tells of the mistakes in the settings files of open documents, each at its place in the file, and takes them back when they
 * are mended or no open document has to do with the file any more. They are pushed to every client: the file is no document of
 * ours that one could ask for.
 */
export class SettingsFiles {
  /** By the document that it is for. */
  private readonly used = new Map<string, SettingsFile>();
  /** What the client shows now, by file; without files that have nothing. */
  private readonly shown = new Map<string, string>();
  private readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  use(document: string, file: SettingsFile | undefined): void {
    const before = this.used.get(document);
    if (file === undefined) this.used.delete(document);
    else this.used.set(document, file);
    if (file !== undefined) this.show(file.uri, file.mistakes);
    if (before !== undefined && before.uri !== file?.uri && !this.isUsed(before.uri))
      this.show(before.uri, []);
  }

  private isUsed(uri: string): boolean {
    return [...this.used.values()].some((file) => file.uri === uri);
  }

  private show(uri: string, mistakes: readonly SettingsMistake[]): void {
    const state = mistakes.length === 0 ? undefined : JSON.stringify(mistakes);
    if (this.shown.get(uri) === state) return;
    if (state === undefined) this.shown.delete(uri);
    else this.shown.set(uri, state);
    const diagnostics = mistakes.map(({ line, column, message }) => {
      const at = { line: line - 1, character: column - 1 };
      return {
        range: { start: at, end: at },
        severity: DiagnosticSeverity.Error,
        source: "configc",
        message: `${message}\nUntil this is mended, none of these settings count.`,
      };
    });
    void this.connection.sendDiagnostics({ uri, diagnostics });
  }
}
