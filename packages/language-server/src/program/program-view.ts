import type { Compilation, Edit, Span, StringNode } from "@configc/compiler";
import { decodedOffset, documentOffset } from "@configc/compiler/internal";
import type { Location, Position, Range, TextEdit } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";

/**
 * A program in a document of its own, as a part of its config: positions are those of the program, offsets those of the config with
 * the program in it. So whatever answers for a config answers for a program too.
 */
export class ProgramView implements TextDocument {
  readonly languageId = "jq";
  private readonly program: TextDocument;
  private readonly config: TextDocument;
  private readonly text: string;
  private readonly node: StringNode;

  /**
   * @param program the document of the program alone
   * @param config the config as it is open
   * @param compilation of the config with the program's present text in it
   * @param node the program's string there
   */
  constructor(program: TextDocument, config: TextDocument, { model }: Compilation, node: StringNode) {
    this.program = program;
    this.config = config;
    this.text = model.document.text;
    this.node = node;
  }

  get uri(): string {
    return this.program.uri;
  }
  get version(): number {
    return this.program.version;
  }
  get lineCount(): number {
    return this.program.lineCount;
  }

  /** Of the config with the program in it, as offsets count. */
  getText(range?: Range): string {
    return range === undefined
      ? this.text
      : this.text.slice(this.offsetAt(range.start), this.offsetAt(range.end));
  }

  offsetAt(position: Position): number {
    return documentOffset(this.text, this.node, this.program.offsetAt(position));
  }

  /** What lies outside of the program is at its nearer end. */
  positionAt(offset: number): Position {
    return this.program.positionAt(decodedOffset(this.text, this.node, offset));
  }

  getLineRange(line: number): Range {
    return this.program.getLineRange(line);
  }

  getEOLCharacters(line: number): string {
    return this.program.getEOLCharacters(line);
  }

  contains({ start, end }: Span): boolean {
    return this.node.start <= start && end <= this.node.end;
  }

  /** Where a span stands: in the program, or in the config as it is open. */
  locate(span: Span): Location {
    if (this.contains(span))
      return { uri: this.uri, range: { start: this.positionAt(span.start), end: this.positionAt(span.end) } };
    return { uri: this.config.uri, range: this.inConfig(span) };
  }

  /** The same for an edit; in the program nothing is escaped. */
  locateEdit({ newText, ...span }: Edit): { readonly uri: string; readonly edit: TextEdit } {
    const { uri, range } = this.locate(span);
    return { uri, edit: { range, newText: this.contains(span) ? unescaped(newText) : newText } };
  }

  private inConfig({ start, end }: Span): Range {
    const shift = this.config.getText().length - this.text.length;
    const moved = (offset: number): number => (offset < this.node.end ? offset : offset + shift);
    return { start: this.config.positionAt(moved(start)), end: this.config.positionAt(moved(end)) };
  }
}

/** The characters that a part of a JSON string stands for. */
function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

/** The same of a snippet, in which a backslash of the string is written twice. */
export function unescapedSnippet(snippet: string): string {
  return snippet.replace(/\\\\(\\\\|["/bfnrt]|u[0-9a-fA-F]{4})/g, (_, written: string) => {
    const character = unescaped(`\\${written === "\\\\" ? "\\" : written}`);
    return /[\\$}]/.test(character) ? `\\${character}` : character;
  });
}
