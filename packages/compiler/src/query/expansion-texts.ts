import type { Model } from "../bind/model.ts";
import { spanOf } from "../parse/document.ts";
import type { Span } from "../parse/syntax-tree.ts";

/** An expansion as it is written, to be evaluated. */
export interface ExpansionText {
  readonly span: Span;
  /** Without JSON's escapes. */
  readonly text: string;
}

/** The expansions that touch a part of the document, in its order. */
export function expansionsIn(model: Model, part: Span): readonly ExpansionText[] {
  return model.expansions.flatMap(({ node, syntax, rootExact }) => {
    if (!rootExact || syntax.problem !== undefined || node.start > part.end || node.end < part.start)
      return [];
    const { start: from, end: to } = syntax;
    const span = spanOf(model.document, { node, from, to });
    return span.start <= part.end && part.start <= span.end
      ? [{ span, text: node.value.slice(from, to) }]
      : [];
  });
}
