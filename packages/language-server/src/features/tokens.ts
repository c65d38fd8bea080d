import { semanticTokens, tokenModifiers, tokenTypes } from "@configc/compiler/internal";
import { SemanticTokensBuilder } from "vscode-languageserver";
import type { Feature, OpenConfig } from "../feature.ts";

/** Colours of expansions and of jq inside strings; JSON itself is the grammar's. */
export const tokens: Feature = {
  capabilities: {
    semanticTokensProvider: {
      legend: { tokenTypes: [...tokenTypes], tokenModifiers: [...tokenModifiers] },
      full: { delta: true },
      range: true,
    },
  },
  register({ connection, part, onClose }) {
    /** By document: what the client was told last, so that it is told of changes only. */
    const last = new Map<string, SemanticTokensBuilder>();
    onClose((uri) => void last.delete(uri));
    connection.languages.semanticTokens.on(({ textDocument: { uri } }) => {
      const builder = new SemanticTokensBuilder();
      last.set(uri, builder);
      return encode(builder, part(uri)).build();
    });
    connection.languages.semanticTokens.onDelta(({ textDocument: { uri }, previousResultId }) => {
      const builder = last.get(uri) ?? new SemanticTokensBuilder();
      last.set(uri, builder);
      // One that isn't known any more gets all of them.
      builder.previousResult(previousResultId);
      return encode(builder, part(uri)).buildEdits();
    });
    connection.languages.semanticTokens.onRange(({ textDocument, range }) => {
      const open = part(textDocument.uri);
      if (open === undefined) return { data: [] };
      return encode(
        new SemanticTokensBuilder(),
        open,
        open.document.offsetAt(range.start),
        open.document.offsetAt(range.end),
      ).build();
    });
  },
};

function encode(
  builder: SemanticTokensBuilder,
  open: OpenConfig | undefined,
  from = 0,
  to = Number.POSITIVE_INFINITY,
): SemanticTokensBuilder {
  if (open === undefined) return builder;
  const { document, compilation, view } = open;
  for (const { start, end, type, modifier } of semanticTokens(compilation.model)) {
    if (end < from || start > to || view?.contains({ start, end }) === false) continue;
    const [first, last] = [document.positionAt(start), document.positionAt(end)];
    // A token may not go over the end of its line.
    if (last.line !== first.line) continue;
    const bits = modifier === undefined ? 0 : 1 << tokenModifiers.indexOf(modifier);
    const length = last.character - first.character;
    builder.push(first.line, first.character, length, tokenTypes.indexOf(type), bits);
  }
  return builder;
}
