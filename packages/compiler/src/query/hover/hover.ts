import type { Span } from "../../parse/syntax-tree.ts";

/** What is told of the thing at an offset. */
export interface Hover {
  readonly span: Span;
  readonly markdown: string;
}
