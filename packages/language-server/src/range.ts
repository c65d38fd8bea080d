import type { Edit, Span } from "@configc/compiler";
import type { Location, Range, TextEdit } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { OpenConfig } from "./open-config.ts";

/** The protocol's range of a span of UTF-16 offsets. */
export function toRange(document: TextDocument, { start, end }: Span): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}

/** Where a span of an open document stands; of a program's surroundings, in its config. */
export function locate({ document, view }: OpenConfig, span: Span): Location {
  return view?.locate(span) ?? { uri: document.uri, range: toRange(document, span) };
}

/** The changes that edits make; those of a program's surroundings, in its config. */
export function changesOf(open: OpenConfig, edits: readonly Edit[]): Record<string, TextEdit[]> {
  const changes: Record<string, TextEdit[]> = {};
  for (const each of edits) {
    const { uri, edit } = open.view?.locateEdit(each) ?? {
      uri: open.document.uri,
      edit: { range: toRange(open.document, each), newText: each.newText },
    };
    (changes[uri] ??= []).push(edit);
  }
  return changes;
}
