import {
  type CodeLens,
  type Command,
  DocumentSymbol,
  Range,
  type SymbolKind,
  type TextDocument,
} from "vscode";
import type { BaseLanguageClient, CodeLens as ToldLens } from "vscode-languageclient";

/** As `configc/symbols` tells it: depth, kind, name, detail, and places by those before. */
type ToldSymbol = readonly [
  depth: number,
  kind: number,
  name: string,
  detail: string,
  line: number,
  character: number,
  lines: number,
  endCharacter: number,
  selectionLine: number,
  selectionCharacter: number,
  selectionLines: number,
  selectionEndCharacter: number,
];

interface ToldSymbols {
  readonly resultId: string;
  /** Absent where these are all. */
  readonly start?: number;
  readonly deleteCount?: number;
  readonly symbols: readonly ToldSymbol[];
}

interface Known<Item> {
  readonly resultId: string;
  readonly items: readonly Item[];
}

/**
 * Outlines and lenses of large documents. An editor asks for all of an outline after each edit; that are megabytes, so the server tells what
 * changed, and the rest is kept here. Lenses come for some lines, each with what it does: until one is resolved, VS Code shows one that does
 * nothing when it is pressed.
 */
export class ToldLists {
  private readonly client: () => BaseLanguageClient;
  private readonly symbolsOf = new WeakMap<TextDocument, Known<ToldSymbol>>();

  /** @param client is only there once its options are made */
  constructor(client: () => BaseLanguageClient) {
    this.client = client;
  }

  async symbols(document: TextDocument): Promise<DocumentSymbol[] | undefined> {
    const before = this.symbolsOf.get(document);
    const told = await this.ask<ToldSymbols>("configc/symbols", document, {
      previousResultId: before?.resultId,
    });
    if (told === null) return undefined;
    const { start, deleteCount = 0, symbols } = told;
    const items = start === undefined ? [...symbols] : [...(before?.items ?? [])];
    if (start !== undefined) items.splice(start, deleteCount, ...symbols);
    this.symbolsOf.set(document, { resultId: told.resultId, items });
    return treeOf(items);
  }

  async lenses(document: TextDocument, range: Range): Promise<CodeLens[] | undefined> {
    const { code2ProtocolConverter, protocol2CodeConverter } = this.client();
    const told = await this.ask<ToldLens[]>("configc/lenses", document, {
      range: code2ProtocolConverter.asRange(range),
    });
    return told === null ? undefined : protocol2CodeConverter.asCodeLenses(told);
  }

  /** What a lens does that came without its command. */
  async commandOf(lens: CodeLens): Promise<Command | undefined> {
    const { code2ProtocolConverter, protocol2CodeConverter } = this.client();
    const told = await this.client().sendRequest<ToldLens>(
      "codeLens/resolve",
      code2ProtocolConverter.asCodeLens(lens),
    );
    return protocol2CodeConverter.asCodeLens(told).command;
  }

  private ask<Answer>(method: string, document: TextDocument, more: object): Promise<Answer | null> {
    const client = this.client();
    const uri = client.code2ProtocolConverter.asUri(document.uri);
    return client.sendRequest<Answer | null>(method, { textDocument: { uri }, ...more });
  }
}

function treeOf(symbols: readonly ToldSymbol[]): DocumentSymbol[] {
  const roots: DocumentSymbol[] = [];
  const around: DocumentSymbol[] = [];
  let line = 0;
  for (const [depth, kind, name, detail, ...place] of symbols) {
    const [after, character, lines, endCharacter, from, fromCharacter, more, toCharacter] = place;
    line += after;
    const symbol = new DocumentSymbol(
      name,
      detail,
      // The protocol counts kinds from 1.
      (kind - 1) as SymbolKind,
      new Range(line, character, line + lines, endCharacter),
      new Range(line + from, fromCharacter, line + from + more, toCharacter),
    );
    around.length = depth;
    (around.at(-1)?.children ?? roots).push(symbol);
    around.push(symbol);
  }
  return roots;
}
