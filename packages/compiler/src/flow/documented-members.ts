import { memoize } from "@configc/jq/internal";
import type { ObjectNode, StringNode, SyntaxNode } from "../parse/syntax-tree.ts";
import { commentsAround } from "./documented-words.ts";

/**
 * The members that the comments around a place say are lists whatever comes, each with its comment (E261): `userErrors is always a list`,
 * `tags is a list of texts, empty if there are none`.
 *
 * @param also objects whose own comments count too
 */
export function documentedArrays(
  place: SyntaxNode,
  also: readonly ObjectNode[] = [],
): ReadonlyMap<string, StringNode> {
  const found = new Map<string, StringNode>();
  for (const comment of commentsAround(place, also))
    for (const name of listsIn(comment.value)) if (!found.has(name)) found.set(name, comment);
  return found;
}

const said =
  /\b([A-Za-z_]\w*)[`"]?\s+(?:is|are)\s+(?:(always)\s+(?:a|an)\s+(?:list|array)|(?:a|an)\s+(?:list|array)\b[^.;]{0,40}\b(?:empty|never null))\b/g;

/** An edit leaves most comments as they are. */
const listsIn: (text: string) => readonly string[] = memoize(
  (text) =>
    [...text.matchAll(said)].flatMap(([, name]) =>
      /^(?:it|that|this|which|they|what|there|value|answer|body|payload)$/i.test(name!) ? [] : [name!],
    ),
  1_000,
);
