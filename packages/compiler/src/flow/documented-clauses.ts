import { memoize } from "@configc/jq/internal";
import type { ObjectNode, StringNode, SyntaxNode } from "../parse/syntax-tree.ts";
import { commentsAround } from "./documented-words.ts";

/** One thing that a comment says. */
export interface DocumentedClause {
  readonly text: string;
  readonly comment: StringNode;
}

/**
 * What the comments around a place say, from the innermost, each sentence by itself and each request of a sentence:
 * “GET /companies?name= finds names that begin so, GET /people?email= only the whole address.”
 *
 * @param also objects whose own comments count too, after those
 */
export function documentedClauses(
  place: SyntaxNode,
  also: readonly ObjectNode[] = [],
): readonly DocumentedClause[] {
  return commentsAround(place, also).flatMap((comment) =>
    clausesOf(comment.value).map((text) => ({ text, comment })),
  );
}

/** An edit leaves most comments as they are. */
export const clausesOf = memoize(
  (comment: string): readonly string[] =>
    comment.split(/(?<=[.;])\s+|,\s+(?:and\s+)?(?=(?:GET|POST|PUT|PATCH|DELETE)\b)/),
  200,
);
