import { excerpt } from "../excerpt.ts";
import type { Span } from "../syntax-tree.ts";

export type TokenKind =
  | "identifier"
  | "keyword"
  /** `.name`, without blanks between; `text` is the name. */
  | "field"
  /** `$name`; `text` is the name. */
  | "variable"
  | "number"
  /** `@name`; `text` is the name. */
  | "format"
  | "operator"
  | "string-start"
  /** A run of characters inside a string; `text` is decoded. */
  | "string-text"
  | "interpolation-start"
  | "interpolation-end"
  | "string-end"
  /** `hole` is its index. */
  | "hole"
  /** A hole glued to `$` or `@`; `text` says where it stands. */
  | "misplaced-hole"
  | "invalid"
  | "end";

export interface Token extends Span {
  readonly kind: TokenKind;
  readonly text: string;
  readonly hole: number;
}

/** Words that can't name a function; they can be member names, object keys and variables. */
export const keywords: ReadonlySet<string> = new Set([
  "def",
  "module",
  "import",
  "include",
  "if",
  "then",
  "else",
  "elif",
  "end",
  "as",
  "reduce",
  "foreach",
  "try",
  "catch",
  "label",
  "break",
  "and",
  "or",
]);

/** Longest first, so that a scan by prefix finds the longest match. */
export const operators: readonly string[] = [
  "?//",
  "//=",
  "..",
  "==",
  "!=",
  "<=",
  ">=",
  "//",
  "|=",
  "+=",
  "-=",
  "*=",
  "/=",
  "%=",
  ".",
  "?",
  "=",
  "<",
  ">",
  "|",
  ",",
  "+",
  "-",
  "*",
  "/",
  "%",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  ":",
  ";",
];

/** How a message names a token. */
export function describe(token: Token, text: string): string {
  switch (token.kind) {
    case "end":
      return "the end of the program";
    case "string-start":
    case "string-text":
    case "string-end":
      return "a string";
    case "interpolation-start":
      return "“\\(”";
    case "interpolation-end":
      return "“)”";
    case "hole":
    case "misplaced-hole":
      return "an expansion";
    case "number":
      return `the number ${excerpt(token.text)}`;
    default:
      return `“${excerpt(text.slice(token.start, token.end))}”`;
  }
}
