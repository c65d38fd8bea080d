import type { SyntaxNode } from "../parse/syntax-tree.ts";
import { commentsAround } from "./documented-words.ts";
import { isIdName } from "./id-names.ts";

/** The comments around a place that say that a record has an id, and something else that it is called by: `A plan has an id and a code`. */
export function commentsOnTwoKeys(name: string, place: SyntaxNode): readonly string[] {
  if (isIdName(name) || !/^\w+$/.test(name)) return [];
  const own = `(?:a|an|its) [\`"]?${name}\\b`;
  const id = 'an [`"]?id\\b';
  const both = new RegExp(`\\bha(?:s|ve) (?:both )?(?:${id}[^.;]*?\\band ${own}|${own}[^.;]*?\\band ${id})`);
  return commentsAround(place, []).flatMap(({ value }) => (both.test(value) ? [value] : []));
}
