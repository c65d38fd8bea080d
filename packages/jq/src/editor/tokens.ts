import { lex } from "../syntax/lexer.ts";
import type { TokenKind } from "../syntax/tokens.ts";
import type { Hole, Span } from "../syntax-tree.ts";

/** A token of a program as an editor sees it. */
export interface EditorToken extends Span {
  readonly kind: TokenKind;
}

/**
 * The token at an offset. One that ends at the offset counts too, so that a cursor behind a name finds it;
 * where two tokens touch, names, numbers and the like win over punctuation. Works on any text.
 * @param offset a UTF-16 offset
 */
export function tokenAt(text: string, offset: number, holes: readonly Hole[] = []): EditorToken | undefined {
  let found: EditorToken | undefined;
  for (const { kind, start, end } of lex(text, holes).tokens) {
    if (start > offset) break;
    if (kind === "end" || end < offset || start === end) continue;
    if (found === undefined || kind !== "operator") found = { kind, start, end };
  }
  return found;
}
