import { type Completion, type CompletionKind, completionsAt } from "@configc/compiler";
import { type CompletionItem, CompletionItemKind, InsertTextFormat, MarkupKind } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { Feature } from "../feature.ts";
import { toRange } from "../range.ts";

const kinds: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  member: CompletionItemKind.Property,
  value: CompletionItemKind.EnumMember,
  command: CompletionItemKind.Function,
  name: CompletionItemKind.Reference,
  root: CompletionItemKind.Module,
  field: CompletionItemKind.Field,
  key: CompletionItemKind.Property,
  filter: CompletionItemKind.Keyword,
  function: CompletionItemKind.Function,
  variable: CompletionItemKind.Variable,
  snippet: CompletionItemKind.Snippet,
};

/** What can be written next. */
export const completion: Feature = {
  capabilities: {
    completionProvider: {
      triggerCharacters: ['"', "{", "<", ".", "|", "$", "!", ":", "@", " "],
      resolveProvider: false,
    },
  },
  register(server) {
    server.connection.onCompletion(({ textDocument, position }) => {
      const open = server.config(textDocument.uri);
      if (open === undefined) return null;
      const { document, compilation } = open;
      const snippets = server.client.textDocument?.completion?.completionItem?.snippetSupport === true;
      const items = completionsAt(compilation.model, document.offsetAt(position));
      return {
        isIncomplete: false,
        items: items.map((item, index) => toItem(document, item, index, snippets)),
      };
    });
  },
};

function toItem(document: TextDocument, item: Completion, index: number, snippets: boolean): CompletionItem {
  const { label, kind, detail, documentation, replace, snippet, rank = 0 } = item;
  const written = document.getText().slice(replace.start, replace.end);
  return {
    label,
    kind: kinds[kind],
    ...(detail === undefined || detail === "" ? {} : { detail }),
    ...(documentation === undefined
      ? {}
      : { documentation: { kind: MarkupKind.Markdown, value: documentation } }),
    sortText: `${rank}${String(index).padStart(4, "0")}`,
    // Editors compare with what is written, which in JSON begins with a quote.
    filterText: written.startsWith('"') ? `"${label}"` : label,
    insertTextFormat: snippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    textEdit: { range: toRange(document, replace), newText: snippets ? snippet : withoutPlaces(snippet) },
  };
}

/** What a client without snippets writes: the suggested texts, with nothing to jump to. */
function withoutPlaces(snippet: string): string {
  return snippet
    .replace(
      /\$\{\d+\|([^,|]*)[^|]*\|\}|\$\{\d+:((?:\\.|[^}\\])*)\}|(\\.)|\$\d+/g,
      (_, choice, text, escaped) => escaped ?? choice ?? text ?? "",
    )
    .replace(/\\([\\$}])/g, "$1");
}
