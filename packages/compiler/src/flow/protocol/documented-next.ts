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

/** A member, perhaps of another one, perhaps in quotes. */
const member = "(?<![\\w.$-])[\"'`]?((?:\\w{1,40}\\.){0,4}\\w{1,40})[\"'`]?";
const end = "(?:on|at|in|with|behind|after|for) (?:the|its|a list's) (?:very )?(?:last|end)\\b";
const saysNext: readonly RegExp[] = [
  // `next is null on the last page`
  `${member} (?:is|are)(?: then)? (?:null|missing|empty|absent|left out|not there) ${end}`,
  // `page.after is the cursor of the next page`, `links.after: the token for the next page`
  `${member}(?: (?:is|holds|has|gives)|,|:)(?: (?:the|a|an))?(?: (?:whole|full|opaque))? (?:token|cursor|url|address|link) (?:of|for|to) the (?:next|following) page\\b`,
  // `links.next is a whole URL, null on the last page`
  `${member} is (?:the|a|an) (?:[^.,;:{}]{0,60}),? (?:and )?null ${end}`,
  // `after leads to the next page`
  `${member} leads (?:on|to the next page)\\b`,
  // `the token for the following page stands in paging.next`
  `\\b(?:token|cursor|url|address|link) (?:of|for|to) the (?:next|following) page (?:is|stands|comes) in ${member}`,
].map((form) => new RegExp(form, "gi"));
/** What a member that leads on is called. What else is said to be missing on the last page may be a word of the text. */
const leadsOnName = /^(?:next\w*|after|older|following|continu\w*)$/i;

const saidNextIn: (text: string) => readonly string[] = memoize((text) => {
  if (!/\b(?:next|last|following|end|on)\b/.test(text)) return [];
  const names = saysNext.flatMap((form) => [...text.matchAll(form)].map(([, name]) => name!));
  return names.filter((name) => leadsOnName.test(lastOf(name)));
}, 500);

const lastOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

/** The member that the comments around a program say leads to the next page, where the program names none of those that they say it of. */
export function unreadSaidNext({ command, node }: JqProgram, model: Model): string | undefined {
  if (!hasComments(model)) return undefined;
  const names = commentsAround(command.node, []).flatMap(({ value }) => saidNextIn(value));
  return names.some((name) => node.value.includes(lastOf(name))) ? undefined : names[0];
}
