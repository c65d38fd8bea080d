import { semanticTokens, tokenTypes } from "@configc/compiler/internal";
import { SemanticTokensBuilder } from "vscode-languageserver";
import type { Feature, OpenConfig } from "../feature.ts";

/** Colours of expansions and of jq inside strings; JSON itself is the grammar's. */
export const tokens: Feature = {
  capabilities: {
    semanticTokensProvider: {
      legend: { tokenTypes: [...tokenTypes], tokenModifiers: [] },
      full: true,
      range: true,
    },
  },
  register({ connection, part }) {
    connection.languages.semanticTokens.on(({ textDocument }) => encode(part(textDocument.uri)));
    connection.languages.semanticTokens.onRange(({ textDocument, range }) => {
      const open = part(textDocument.uri);
      if (open === undefined) return { data: [] };
      return encode(open, open.document.offsetAt(range.start), open.document.offsetAt(range.end));
    });
  },
};

function encode(open: OpenConfig | undefined, from = 0, to = Number.POSITIVE_INFINITY) {
  const builder = new SemanticTokensBuilder();
  if (open === undefined) return builder.build();
  const { document, compilation, view } = open;
  for (const { start, end, type } of semanticTokens(compilation.model)) {
    if (end < from || start > to || view?.contains({ start, end }) === false) continue;
    const [first, last] = [document.positionAt(start), document.positionAt(end)];
    // A token may not go over the end of its line.
    if (last.line !== first.line) continue;
    builder.push(first.line, first.character, last.character - first.character, tokenTypes.indexOf(type), 0);
  }
  return builder.build();
}
