import type { OpenConfig } from "./open-config.ts";
import type { ProgramDocuments } from "./program/program-documents.ts";

/** Who is told of the versions of documents. */
export class DocumentListeners {
  private readonly programs: ProgramDocuments;
  private readonly changed: ((config: OpenConfig) => void)[] = [];
  private readonly closed: ((uri: string) => void)[] = [];

  constructor(programs: ProgramDocuments) {
    this.programs = programs;
  }

  onChange(listener: (config: OpenConfig) => void): void {
    this.changed.push(listener);
  }

  onClose(listener: (uri: string) => void): void {
    this.closed.push(listener);
  }

  /** Of a config, and with it of its programs that are open. */
  tell(config: OpenConfig): void {
    for (const listener of this.changed) listener(config);
    for (const uri of this.programs.of(config.document.uri)) this.tellOfProgram(uri);
  }

  tellOfProgram(uri: string): void {
    const program = this.programs.get(uri);
    for (const listener of this.changed) if (program !== undefined) listener(program);
  }

  tellClosed(uri: string): void {
    for (const listener of this.closed) listener(uri);
  }
}
