import type { Range } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";

/** The protocol's range of a span of UTF-16 offsets. */
export function toRange(
  document: TextDocument,
  span: { readonly start: number; readonly end: number },
): Range {
  return { start: document.positionAt(span.start), end: document.positionAt(span.end) };
}
