import { type CodeLens, commands, DocumentSymbol, Range, type SymbolKind, type TextDocument } from "vscode";
import type { BaseLanguageClient, CodeLens as ProtocolLens } from "vscode-languageclient";

/** Kinds of lenses, in the order in which the server counts them, with what they show; a count has to be asked for. */
const lensKinds: readonly (readonly [kind: string, title?: string])[] = [
  ["run-step", "Run step"],
  ["run-pipe", "Run pipe to here"],
  ["run-poll", "Run poll"],
  ["simulate", "Simulate"],
  ["edit-jq", "Edit jq"],
  ["show-type", "Show type"],
  ["references"],
];

/** The command of lenses: what they do is asked for when they are pressed. */
export const PRESS = "configc.pressLens";

/** Numbers of a lens. */
const WIDTH = 5;

interface LensChange {
  readonly start: number;
  readonly deleteCount: number;
  readonly data?: readonly number[];
}

type ToldLenses =
  | { readonly resultId: string; readonly data: readonly number[] }
  | { readonly resultId: string; readonly edits: readonly LensChange[] };

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

/** Does what a lens stands for. @param lens the argument of its command */
export async function pressLens(client: BaseLanguageClient, lens: unknown): Promise<void> {
  const { command } = await client.sendRequest<ProtocolLens>("codeLens/resolve", lens);
  if (command !== undefined) await commands.executeCommand(command.command, ...(command.arguments ?? []));
}

/**
 * Lenses and outlines. An editor asks for all of them after each edit; of a large document that are megabytes, so the server tells
 * what changed, and the rest is kept here.
 */
export class ToldLists {
  private readonly client: () => BaseLanguageClient;
  private readonly lensesOf = new WeakMap<TextDocument, Known<number>>();
  private readonly symbolsOf = new WeakMap<TextDocument, Known<ToldSymbol>>();

  /** @param client is only there once its options are made */
  constructor(client: () => BaseLanguageClient) {
    this.client = client;
  }

  /** Counts are to be resolved: until then they say nothing. */
  async lenses(document: TextDocument): Promise<CodeLens[] | undefined> {
    const before = this.lensesOf.get(document);
    const told = await this.ask<ToldLenses>("configc/lenses", document, before?.resultId);
    if (told === null) return undefined;
    const items = "data" in told ? told.data : spliced(before?.items ?? [], told.edits);
    this.lensesOf.set(document, { resultId: told.resultId, items });
    return [...this.unpacked(document, items)];
  }

  async symbols(document: TextDocument): Promise<DocumentSymbol[] | undefined> {
    const before = this.symbolsOf.get(document);
    const told = await this.ask<ToldSymbols>("configc/symbols", document, before?.resultId);
    if (told === null) return undefined;
    const { start, deleteCount = 0, symbols } = told;
    const items = start === undefined ? [...symbols] : [...(before?.items ?? [])];
    if (start !== undefined) items.splice(start, deleteCount, ...symbols);
    this.symbolsOf.set(document, { resultId: told.resultId, items });
    return treeOf(items);
  }

  private ask<Answer>(
    method: string,
    document: TextDocument,
    previousResultId: string | undefined,
  ): Promise<Answer | null> {
    const client = this.client();
    const uri = client.code2ProtocolConverter.asUri(document.uri);
    return client.sendRequest<Answer | null>(method, { textDocument: { uri }, previousResultId });
  }

  private *unpacked(document: TextDocument, data: readonly number[]): Generator<CodeLens> {
    const client = this.client();
    const uri = client.code2ProtocolConverter.asUri(document.uri);
    let [line, character] = [0, 0];
    for (let at = 0; at < data.length; at += WIDTH) {
      const [lines = 0, characters = 0, length = 0, kind = 0] = data.slice(at, at + WIDTH);
      character = lines === 0 ? character + characters : characters;
      line += lines;
      const range = { start: { line, character }, end: { line, character: character + length } };
      const [name, title] = lensKinds[kind] ?? [];
      const lens: ProtocolLens = { range, data: { uri, kind: name } };
      // One without a command can't be pressed until it is resolved, which takes a while after each edit.
      const command = title === undefined ? {} : { command: { title, command: PRESS, arguments: [lens] } };
      yield client.protocol2CodeConverter.asCodeLens({ ...lens, ...command });
    }
  }
}

function spliced(before: readonly number[], changes: readonly LensChange[]): readonly number[] {
  const items = [...before];
  for (const { start, deleteCount, data = [] } of changes.toSorted((a, b) => b.start - a.start))
    items.splice(start, deleteCount, ...data);
  return items;
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
