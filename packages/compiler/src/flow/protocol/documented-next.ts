import { escapedPattern, memoize } from "@configc/jq/internal";
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

/** What a comment says of a member that has nothing of the next page: `after repeats what was asked for`. */
const saysOwn =
  /^["'`]? (?:repeats|echoes|mirrors|(?:is|was|holds|has|gives) (?:the (?:one|token|cursor|value) |what )?(?:(?:that|which) )?(?:was|you|we)? ?(?:sent|asked|given|passed|of (?:this|the same|the current) page))\b/i;

/**
 * The member that the comments around a program say leads to the next page, where the program names none of those that they say it of.
 *
 * @param read what it reads instead: under a name that may lead on as well, only if a comment says that it doesn't
 */
export function unreadSaidNext({ command, node }: JqProgram, read: string, model: Model): string | undefined {
  if (!hasComments(model)) return undefined;
  const comments = commentsAround(command.node, []);
  const names = comments.flatMap(({ value }) => saidNextIn(value));
  if (names.some((name) => node.value.includes(lastOf(name)))) return undefined;
  if (!leadsOnName.test(read)) return names[0];
  const own = new RegExp(`(?<![\\w$-])${escapedPattern(read)}`, "g");
  const isOwn = comments.some(({ value }) =>
    [...value.matchAll(own)].some(({ index }) => saysOwn.test(value.slice(index + read.length))),
  );
  return isOwn ? names[0] : undefined;
}
