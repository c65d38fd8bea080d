import type { Span } from "@configc/compiler";
import type { Range } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";

/** The protocol's range of a span of UTF-16 offsets. */
export function toRange(document: TextDocument, { start, end }: Span): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}
