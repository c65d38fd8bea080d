import { type Completion, type CompletionKind, completionsAt } from "@configc/compiler";
import { withoutPlaces } from "@configc/compiler/internal";
import {
  type CompletionItem,
  CompletionItemKind,
  InsertTextFormat,
  type MarkupKind,
} from "vscode-languageserver";
import type { Feature, OpenConfig } from "../feature.ts";
import { markup } from "../markup.ts";
import { unescapedSnippet } from "../program/program-view.ts";
import { toRange } from "../range.ts";
import { beginningItems } from "./beginnings.ts";

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
  syntax: CompletionItemKind.Keyword,
  snippet: CompletionItemKind.Snippet,
};

/** They open expansions, and objects of jq; but whoever opens an object of JSON may want a new line next, not the first entry of a list. */
const openers: ReadonlySet<string> = new Set(["{", "<"]);
const structural: ReadonlySet<CompletionKind> = new Set(["member", "command", "snippet"]);

/** What can be written next. */
export const completion: Feature = {
  capabilities: {
    completionProvider: {
      triggerCharacters: ['"', "{", "<", ".", "|", "$", "!", ":", "@", " "],
      resolveProvider: false,
    },
  },
  register(server) {
    server.connection.onCompletion(({ textDocument, position, context }) => {
      const open = server.part(textDocument.uri);
      if (open === undefined) return null;
      const { compilation, document } = open;
      const announced = server.client.textDocument?.completion?.completionItem;
      const client = {
        snippets: announced?.snippetSupport === true,
        formats: announced?.documentationFormat,
      };
      const offset = document.offsetAt(position);
      const opened = openers.has(context?.triggerCharacter ?? "");
      const items = completionsAt(compilation.model, offset).filter(
        ({ kind }) => !opened || !structural.has(kind),
      );
      return {
        isIncomplete: false,
        items: [
          ...items.map((item, index) => toItem(open, item, index, client)),
          ...(opened ? [] : beginningItems(server, open, offset)),
        ],
      };
    });
  },
};

function toItem(
  { document, view }: OpenConfig,
  item: Completion,
  index: number,
  { snippets, formats }: { readonly snippets: boolean; readonly formats: MarkupKind[] | undefined },
): CompletionItem {
  const { label, kind, detail, documentation, replace, snippet, before, rank = 0 } = item;
  const source = document.getText().slice(replace.start, replace.end);
  // In a program of its own no quote is escaped.
  const written = view === undefined ? source : source.replace(/^\\/, "");
  const text = view === undefined ? snippet : unescapedSnippet(snippet);
  return {
    label,
    kind: kinds[kind],
    ...(detail === undefined || detail === "" ? {} : { detail }),
    ...(documentation === undefined ? {} : { documentation: markup(documentation, formats) }),
    sortText: `${rank}${String(index).padStart(4, "0")}`,
    // Editors compare with what is written, which in JSON begins with a quote.
    filterText: written.startsWith('"') ? `"${label}"` : label,
    insertTextFormat: snippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    textEdit: { range: toRange(document, replace), newText: snippets ? text : withoutPlaces(text) },
    ...(before === undefined
      ? {}
      : { additionalTextEdits: [{ range: toRange(document, before), newText: before.newText }] }),
  };
}
