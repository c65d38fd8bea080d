import {
  type CompletionItem,
  CompletionItemKind,
  InsertTextFormat,
  type TextEdit,
} from "vscode-languageserver";
import type { OpenConfig, Server, Template } from "../feature.ts";
import { toRange } from "../range.ts";

/** A mark of the byte order, blanks, and braces that may have been typed. */
const nothingYet = /^\uFEFF?\s*(?:\{\s*\}?\s*)?$/;

/** Configs to begin with, where a document has nothing yet. */
export function templatesFor({ options }: Server, { document }: OpenConfig): readonly Template[] {
  return nothingYet.test(document.getText()) ? (options.templatesFor?.(document.uri) ?? []) : [];
}

/** All of the document, without the mark. */
export function templateEdit({ document }: OpenConfig, { text }: Template): TextEdit {
  const written = document.getText();
  const start = written.startsWith("\uFEFF") ? 1 : 0;
  return { range: toRange(document, { start, end: written.length }), newText: text };
}

/** A template as a snippet: who writes the service's name once has it everywhere. */
function snippetOf({ text, service = [] }: Template): string {
  const escaped = (part: string): string => part.replace(/[\\$}]/g, "\\$&");
  let snippet = "";
  let from = 0;
  for (const { start, end, kind } of service) {
    const stop = kind === "slug" ? 1 : 2;
    snippet += `${escaped(text.slice(from, start))}\${${stop}:${escaped(text.slice(start, end))}}`;
    from = end;
  }
  return snippet + escaped(text.slice(from));
}

/** @param offset of the cursor */
export function templateItems(server: Server, open: OpenConfig, offset: number): CompletionItem[] {
  const { document } = open;
  const written = document.getText();
  const snippets = server.client.textDocument?.completion?.completionItem?.snippetSupport === true;
  return templatesFor(server, open).flatMap((template, index) => {
    const textEdit = templateEdit(open, template);
    const { start, end } = textEdit.range;
    // What a completion takes the place of is on one line.
    if (start.line !== end.line) return [];
    return {
      label: template.name,
      kind: CompletionItemKind.File,
      detail: template.purpose,
      documentation: { kind: "markdown", value: `\`\`\`json\n${template.text}\n\`\`\`` },
      filterText: written.slice(document.offsetAt(start), offset) + template.name,
      // Before the members: most who begin want a whole app.
      sortText: `!${index}`,
      insertTextFormat: snippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
      textEdit: snippets ? { ...textEdit, newText: snippetOf(template) } : textEdit,
    };
  });
}
