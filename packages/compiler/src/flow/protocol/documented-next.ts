import { memoize } from "@configc/jq/internal";
import type { JqProgram } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import type { SyntaxNode } from "../../parse/syntax-tree.ts";
import { commentsAround, hasComments } from "../documented-words.ts";

const nextToken =
  /(?<![\w$-])(?:next_(?:page_)?(?:token|cursor|marker)|next(?:Page)?(?:Token|Cursor|Marker)|continuation_?[tT]oken)(?![\w-])/g;

/** An edit leaves most comments as they are. */
const namesIn: (text: string) => readonly string[] = memoize((text) => text.match(nextToken) ?? [], 500);

/**
 * The member that leads to the next page by the comments around a place, `next_token`, where none of some programs reads it; undefined where
 * comments name none, or several.
 */
export function unreadNext(
  place: SyntaxNode,
  programs: readonly JqProgram[],
  model: Model,
): string | undefined {
  if (!hasComments(model)) return undefined;
  const [name, ...others] = new Set(commentsAround(place, []).flatMap(({ value }) => namesIn(value)));
  if (name === undefined || others.length > 0) return undefined;
  return programs.some(({ node }) => node.value.includes(name)) ? undefined : name;
}

/** What may be the token of the page that was just asked for as well: `.page.token`, `.cursor`. */
export const ownToken = /^(?:page_?)?(?:token|cursor|marker)$/i;
