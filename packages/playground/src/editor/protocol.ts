/** The parts of the language server protocol that the page reads itself; the client library has the rest. */

interface Position {
  readonly line: number;
  readonly character: number;
}

interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface Diagnostic {
  readonly range: Range;
  /** 1 is an error, 4 a hint. */
  readonly severity?: number;
  readonly code?: string | number;
  readonly message: string;
}

interface TextEdit {
  readonly range: Range;
  readonly newText: string;
}

export interface CodeAction {
  readonly title: string;
  readonly kind?: string;
  readonly isPreferred?: boolean;
  readonly diagnostics?: readonly Diagnostic[];
  readonly edit?: { readonly changes?: Readonly<Record<string, readonly TextEdit[]>> };
}
