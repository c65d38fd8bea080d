import type { Edit } from "../../findings/rule.ts";
import type { Span } from "../../parse/syntax-tree.ts";

/** What a suggestion is, for its icon and its place in the list. */
export type CompletionKind =
  | "member"
  | "value"
  | "command"
  | "name"
  | "root"
  | "field"
  | "key"
  | "filter"
  | "function"
  | "variable"
  /** A word of jq's syntax. */
  | "syntax"
  | "snippet";

/** Something that can be written at the cursor. */
export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** A few words beside the label: a type, where it comes from. */
  readonly detail?: string;
  /** Markdown. */
  readonly documentation?: string;
  /** UTF-16 offsets in the document; never beyond the token that is being written. */
  readonly replace: Span;
  /** What is written: a snippet with `${1:name}` places, `$0` where the cursor ends. */
  readonly snippet: string;
  /** A comma that is lacking before it, at the end of what stands there. */
  readonly before?: Edit | undefined;
  /** Among the rest: lower comes first; 0 by default. */
  readonly rank?: number;
}

/** Literal text in a snippet. */
export function literal(text: string): string {
  return text.replace(/[\\$}]/g, "\\$&");
}

/** JSON in a snippet. */
export function jsonLiteral(value: unknown): string {
  return literal(JSON.stringify(value));
}
