import { format as formatJson } from "jsonc-parser";
import type { Edit } from "../check/rule.ts";

/** How a document is laid out; the names are those of the Language Server Protocol. */
export interface FormatOptions {
  /** Columns of a level; 2 by default. */
  readonly tabSize?: number;
  /** Blanks instead of tabs; true by default. */
  readonly insertSpaces?: boolean;
  readonly insertFinalNewline?: boolean;
}

/**
 * The edits that lay out a document or a part of it. Comments, the order of keys and all values stay as they are; a broken
 * document is laid out as far as it can be read.
 *
 * @param range UTF-16 offsets; the whole document by default
 */
export function formatEdits(
  text: string,
  { tabSize = 2, insertSpaces = true, insertFinalNewline = false }: FormatOptions = {},
  range?: { readonly start: number; readonly end: number },
): Edit[] {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  // What its author put on one line stays there; a document that is all on one line was never laid out.
  const keepLines = text.trim().includes("\n");
  const part = range === undefined ? undefined : { offset: range.start, length: range.end - range.start };
  const options = { tabSize, insertSpaces, insertFinalNewline, eol, keepLines };
  return (
    formatJson(text, part, options)
      .map(({ offset, length, content }) => ({ start: offset, end: offset + length, newText: content }))
      // The library puts blanks inside the brackets of a list, and of what is empty; there is no harm in `["a"]` and `{}`.
      .filter(({ start, end, newText }) => {
        const [before, after] = [text[start - 1], text[end]];
        return newText !== " " || (before !== "[" && after !== "]" && !(before === "{" && after === "}"));
      })
  );
}
