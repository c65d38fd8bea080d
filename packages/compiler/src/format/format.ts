import { createScanner, format as formatJson } from "jsonc-parser";
import type { Edit } from "../findings/rule.ts";
import { MAX_NESTING } from "../parse/parser-state.ts";
import { Token } from "../parse/scanner.ts";

const WIDEST_TAB = 16;

/** How a document is laid out; the names are those of the Language Server Protocol. */
export interface FormatOptions {
  /** Columns of a level, at most 16; 2 by default. */
  readonly tabSize?: number;
  /** Blanks instead of tabs; true by default. */
  readonly insertSpaces?: boolean;
  readonly insertFinalNewline?: boolean;
}

/**
 * The edits that lay out a document or a part of it. Comments, the order of keys and all values stay as they are; a broken
 * document is laid out as far as it can be read, and one that is nested too deeply to be read isn't: each level would make each
 * line longer.
 *
 * @param range UTF-16 offsets; the whole document by default
 */
export function formatEdits(
  text: string,
  { tabSize = 2, insertSpaces = true, insertFinalNewline = false }: FormatOptions = {},
  range?: { readonly start: number; readonly end: number },
): Edit[] {
  if (isTooDeep(text)) return [];
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  // What its author put on one line stays there; a document that is all on one line was never laid out.
  const keepLines = text.trim().includes("\n");
  const part = range === undefined ? undefined : { offset: range.start, length: range.end - range.start };
  const options = {
    tabSize: Math.min(tabSize, WIDEST_TAB),
    insertSpaces,
    insertFinalNewline,
    eol,
    keepLines,
  };
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

function isTooDeep(text: string): boolean {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== Token.End; token = scanner.scan()) {
    if (token === Token.OpenBrace || token === Token.OpenBracket) depth++;
    else if (token === Token.CloseBrace || token === Token.CloseBracket) depth--;
    if (depth > MAX_NESTING) return true;
  }
  return false;
}
