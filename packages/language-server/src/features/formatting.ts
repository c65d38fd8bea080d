import { type FormatOptions, formatEdits } from "@configc/compiler";
import type { FormattingOptions, Position, Range, TextEdit } from "vscode-languageserver";
import type { Feature, OpenConfig } from "../feature.ts";
import { toRange } from "../range.ts";

/** Layout of a document or a range, and the closing brace of an expansion as it is opened. */
export const formatting: Feature = {
  capabilities: {
    documentFormattingProvider: true,
    documentRangeFormattingProvider: { rangesSupport: true },
    documentOnTypeFormattingProvider: { firstTriggerCharacter: "{", moreTriggerCharacter: ["<"] },
  },
  register({ connection, config }) {
    connection.onDocumentFormatting(({ textDocument, options }) => edits(config(textDocument.uri), options));
    connection.onDocumentRangeFormatting(({ textDocument, options, range }) =>
      edits(config(textDocument.uri), options, range),
    );
    connection.onDocumentRangesFormatting(({ textDocument, options, ranges }) => {
      const open = config(textDocument.uri);
      return ranges.map((range) => edits(open, options, range) ?? []).reduce(withoutOverlaps, []);
    });
    connection.onDocumentOnTypeFormatting(({ textDocument, position, ch }) => {
      const open = config(textDocument.uri);
      if (open === undefined) return null;
      const text = open.document.getText();
      const at = open.document.offsetAt(position);
      const closer = ch === "{" ? "}" : ">";
      // Editors that close brackets themselves have done so already.
      if (text[at - 2] !== "$" || text[at - 1] !== ch || text[at] === closer) return null;
      // `$${` is text (D6).
      if (text[at - 3] === "$") return null;
      return [{ range: { start: position, end: position }, newText: closer }];
    });
  },
};

/** Ranges that touch each other may want the same place written: the first one says how. */
function withoutOverlaps(all: readonly TextEdit[], more: readonly TextEdit[]): TextEdit[] {
  const isFree = ({ range }: TextEdit): boolean =>
    all.every((edit) => isBefore(edit.range.end, range.start) || isBefore(range.end, edit.range.start));
  return [...all, ...more.filter(isFree)];
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}

function edits(open: OpenConfig | undefined, options: FormattingOptions, range?: Range): TextEdit[] | null {
  if (open === undefined) return null;
  const { document } = open;
  const wanted: FormatOptions = {
    tabSize: options.tabSize,
    insertSpaces: options.insertSpaces,
    insertFinalNewline: options.insertFinalNewline === true,
  };
  const part =
    range === undefined
      ? undefined
      : { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
  return formatEdits(document.getText(), wanted, part).map((edit) => ({
    range: toRange(document, edit),
    newText: edit.newText,
  }));
}
