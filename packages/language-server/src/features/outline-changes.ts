import type { DocumentSymbol } from "vscode-languageserver";
import type { Feature } from "../feature.ts";
import { symbolsOf } from "./outline.ts";

/**
 * A symbol as `configc/symbols` tells it, in the order of the outline: depth, kind, name, detail; then line after the start of the
 * symbol before, character, lines to its end, character; and the same of its selection, by its own start.
 */
export type ToldSymbol = readonly [
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

/** All of them, or the changes to those that the client has: from `start` on `deleteCount` go, and `symbols` come. */
export type SymbolsResult =
  | { readonly resultId: string; readonly symbols: readonly ToldSymbol[] }
  | {
      readonly resultId: string;
      readonly start: number;
      readonly deleteCount: number;
      readonly symbols: readonly ToldSymbol[];
    };

interface SymbolsParams {
  readonly textDocument: { readonly uri: string };
  /** The `resultId` of the answer that the client has. */
  readonly previousResultId?: string;
}

/** The outline for clients that keep it: after an edit they are told what changed. */
export const outlineChanges: Feature = {
  capabilities: {},
  register({ connection, config, onClose }) {
    const told = new Map<string, { readonly resultId: string; readonly symbols: readonly ToldSymbol[] }>();
    let last = 0;
    onClose((uri) => void told.delete(uri));
    connection.onRequest("configc/symbols", ({ textDocument, previousResultId }: SymbolsParams) => {
      const open = config(textDocument.uri);
      if (open === undefined) return null;
      const known = told.get(textDocument.uri);
      const symbols = [...toldSymbols(symbolsOf(open))];
      const resultId = `${++last}`;
      told.set(textDocument.uri, { resultId, symbols });
      const isKnown = known !== undefined && known.resultId === previousResultId;
      const change = isKnown ? difference(known.symbols, symbols) : { symbols };
      return { resultId, ...change } satisfies SymbolsResult;
    });
  },
};

function* toldSymbols(roots: readonly DocumentSymbol[]): Generator<ToldSymbol> {
  const pending = roots.toReversed().map((symbol) => ({ symbol, depth: 0 }));
  let line = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { symbol, depth } = next;
    const { kind, name, detail = "", range, selectionRange, children = [] } = symbol;
    const { start, end } = range;
    yield [
      depth,
      kind,
      name,
      detail,
      start.line - line,
      start.character,
      end.line - start.line,
      end.character,
      selectionRange.start.line - start.line,
      selectionRange.start.character,
      selectionRange.end.line - selectionRange.start.line,
      selectionRange.end.character,
    ];
    line = start.line;
    for (const child of children.toReversed()) pending.push({ symbol: child, depth: depth + 1 });
  }
}

/** What stands between the symbols that both begin with and those that both end with. */
function difference(before: readonly ToldSymbol[], after: readonly ToldSymbol[]) {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && isSame(before[start]!, after[start]!)) start++;
  let end = 0;
  while (end < most - start && isSame(before.at(-1 - end)!, after.at(-1 - end)!)) end++;
  return {
    start,
    deleteCount: before.length - end - start,
    symbols: after.slice(start, after.length - end),
  };
}

function isSame(one: ToldSymbol, other: ToldSymbol): boolean {
  return one.every((part, index) => part === other[index]);
}
