import { type MarkupContent, MarkupKind } from "vscode-languageserver";

/**
 * Markdown, or the text of it for clients that announce that they can't show any.
 *
 * @param formats that the client announces for the place; undefined if it says nothing
 */
export function markup(markdown: string, formats: readonly MarkupKind[] | undefined): MarkupContent {
  if (formats === undefined || formats.includes(MarkupKind.Markdown))
    return { kind: MarkupKind.Markdown, value: markdown };
  const value = markdown
    .replace(/^```\w*\n?/gm, "")
    .replace(/\*\*|`/g, "")
    .trimEnd();
  return { kind: MarkupKind.PlainText, value };
}
