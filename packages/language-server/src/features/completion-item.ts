import type { Completion, CompletionKind } from "@configc/compiler";
import { withoutPlaces } from "@configc/compiler/internal";
import {
  type ClientCapabilities,
  type CompletionItem,
  CompletionItemKind,
  type CompletionItemLabelDetails,
  InsertTextFormat,
  type MarkupKind,
} from "vscode-languageserver";
import { markup } from "../markup.ts";
import type { OpenConfig } from "../open-config.ts";
import { unescapedSnippet } from "../program/program-view.ts";
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
  syntax: CompletionItemKind.Keyword,
  snippet: CompletionItemKind.Snippet,
};

/** What a client can do with completions. */
interface CompletionClient {
  readonly snippets: boolean;
  readonly formats: MarkupKind[] | undefined;
  /** Whether it shows a few words beside each label, not only beside that of the chosen one. */
  readonly labelDetails: boolean;
  /** Whether it asks for the documentation of the one that is chosen. */
  readonly resolves: boolean;
}

export function completionClient({ textDocument }: ClientCapabilities): CompletionClient {
  const announced = textDocument?.completion?.completionItem;
  return {
    snippets: announced?.snippetSupport === true,
    formats: announced?.documentationFormat,
    labelDetails: announced?.labelDetailsSupport === true,
    resolves: announced?.resolveSupport?.properties.includes("documentation") === true,
  };
}

/** @param index in the list, whose order the client keeps */
export function completionItem(
  { document, view }: OpenConfig,
  item: Completion,
  index: number,
  { snippets, formats, labelDetails, resolves }: CompletionClient,
): CompletionItem {
  const { label, kind, detail, documentation, replace, before, rank = 0 } = item;
  const source = document.getText().slice(replace.start, replace.end);
  // In a program of its own no quote is escaped.
  const written = view === undefined ? source : source.replace(/^\\/, "");
  const text = writtenText(item, view !== undefined);
  return {
    label,
    kind: kinds[kind],
    ...(detail === undefined || detail === "" ? {} : { detail }),
    ...(labelDetails ? besideLabel(label, detail) : {}),
    ...(documentation === undefined || resolves ? {} : { documentation: markup(documentation, formats) }),
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

/** The snippet, in a program of its own without JSON's escapes. */
function writtenText({ snippet }: Completion, isProgram: boolean): string {
  return isProgram ? unescapedSnippet(snippet) : snippet;
}

/** The parameters of a function stand right behind its name, all else at the other side. */
function besideLabel(label: string, detail = ""): { labelDetails?: CompletionItemLabelDetails } {
  if (detail === "" || detail === label) return {};
  const isSignature = detail.startsWith(`${label}(`);
  return { labelDetails: isSignature ? { detail: detail.slice(label.length) } : { description: detail } };
}
