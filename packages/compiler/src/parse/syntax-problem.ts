import type { Span } from "./syntax-tree.ts";

/** What can be wrong with a document as JSON. Each has a rule of the same name in the area `syntax`. */
export type SyntaxProblemKind =
  | "empty-document"
  | "content-after-end"
  | "unexpected-token"
  | "missing-comma"
  | "trailing-comma"
  | "missing-colon"
  | "missing-value"
  | "unclosed-bracket"
  | "unclosed-string"
  | "unopened-string"
  | "line-break-in-string"
  | "unescaped-quote"
  | "invalid-string"
  | "invalid-number"
  | "unquoted-name"
  | "comment"
  | "duplicate-member"
  | "nesting"
  | "encoding";

export interface SyntaxProblem {
  readonly kind: SyntaxProblemKind;
  readonly span: Span;
  /** The source text concerned, or the name of a repeated member. */
  readonly text: string;
  /** What would be accepted here, or what is missing. */
  readonly expected?: string;
  /** The other place: the first member of that name. */
  readonly other?: Span;
}
