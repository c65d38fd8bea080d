import { memoize } from "@configc/jq/internal";
import type { ObjectNode, StringNode, SyntaxNode } from "../parse/syntax-tree.ts";
import { commentsAround } from "./documented-words.ts";

/**
 * The members that the comments around a place say may be null, each with its comment (E261): `fee is null until the visit is over`, `phone
 * may be null`.
 *
 * @param also objects whose own comments count too
 */
export function documentedNulls(
  place: SyntaxNode,
  also: readonly ObjectNode[] = [],
): ReadonlyMap<string, StringNode> {
  const found = new Map<string, StringNode>();
  for (const comment of commentsAround(place, also))
    for (const name of nullsIn(comment.value)) if (!found.has(name)) found.set(name, comment);
  return found;
}

const said =
  /\b([A-Za-z_]\w*)[`"]?\s+(?:is|may be|can be|stays|remains)\s+(?:[^.;:,()`"]{1,40},? (?:and|or) )?null\b|\b([a-z]+_\w+|[a-z]+[A-Z]\w*)[`"]?\s*\((?:[^)]{0,30}\b)?null (?:until|while|unless|if|when|for|before|where)\b/g;
/** Words that stand for what was named before. */
const pronoun = /^(?:it|that|this|which|they|what|there|value|member|field|one|else|otherwise)$/i;

/** An edit leaves most comments as they are. */
const nullsIn: (text: string) => readonly string[] = memoize((text) => {
  const names = [...text.matchAll(said)].map(([, before, inside]) => (before ?? inside)!);
  return names.filter((name) => !pronoun.test(name));
}, 1_000);
