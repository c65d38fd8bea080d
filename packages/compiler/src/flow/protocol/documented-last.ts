import { memoize } from "@configc/jq/internal";
import type { Model } from "../../bind/model.ts";
import type { SyntaxNode } from "../../parse/syntax-tree.ts";
import { commentsAround, hasComments } from "../documented-words.ts";

const name = String.raw`[\`"]?([A-Za-z_@][\w.]*)[\`"]?`;
const lastPage = "(?:last|final) (?:page|answer|one)";
/** How comments say that an answer has a member on the last page only. */
const said = [
  // `The last page has next_sync_token and no page token`
  String.raw`\b(?:only )?(?:the|its) ${lastPage}(?: alone| only)? (?:has|have|carries|brings|gives|comes with|contains)(?: an?| the)? ${name}(?![\w"\`]*\s*(?:null|empty|""|missing|absent|false|[:=]))`,
  // `Every page but the last has next_page_token, only the last has next_sync_token`
  String.raw`\bpages?\b[^.;]{0,60}\bonly the last(?: one)? (?:has|have|carries|brings|gives|comes with|contains)(?: an?| the)? ${name}(?![\w"\`]*\s*(?:null|empty|""|missing|absent|false|[:=]))`,
  // `next_sync_token comes with the last page`, `delta_link is only on the last page`
  String.raw`(?:^|[\s(])${name} (?:is|comes|stands|appears|arrives)(?: there)?(?: only| just)? (?:on|with|in|at) the ${lastPage}(?! (?:null|empty|missing|absent|false|the same))`,
  // `next_sync_token (on the last page)`
  String.raw`(?:^|[\s(])${name} \((?:only )?(?:on|with|in) the ${lastPage}(?: only)?\)`,
].map((form) => new RegExp(form, "gi"));

/** What leads to the next page is on each but the last one: “the last page has next_cursor null”. */
const isOfNextPage = /page|cursor|^next(?:_?(?:token|link|url|key))?$/i;

/** An edit leaves most comments as they are. */
const namesIn: (text: string) => readonly string[] = memoize((text) => {
  const found = said.flatMap((form) => [...text.matchAll(form)].map(([, member]) => member!));
  // Words of the sentence have no sign in them.
  return found
    .filter((member) => /_|[a-z][A-Z]/.test(member) && !isOfNextPage.test(member))
    .map((member) => member.replace(/\.$/, ""));
}, 500);

/** The members that only the last page of a list has, by the comments around its request: `next_sync_token`. */
export const documentedLast = (place: SyntaxNode, model: Model): ReadonlySet<string> =>
  new Set(hasComments(model) ? commentsAround(place, []).flatMap(({ value }) => namesIn(value)) : []);

/** Where the changes that come later begin: what is called so is on the last page alone, unless a comment speaks of it. */
const syncNames = /\b(?:next_?(?:sync|delta)_?(?:token|link|cursor)|delta_?link)\b/gi;

/**
 * The same, and those whose names say it.
 *
 * @param unit what reads the list
 */
export function membersOnLast(place: SyntaxNode, unit: SyntaxNode, model: Model): ReadonlySet<string> {
  const named = new Set(model.document.text.slice(unit.start, unit.end).match(syncNames));
  if (named.size === 0) return documentedLast(place, model);
  const comments = hasComments(model) ? commentsAround(place, []) : [];
  const unsaid = [...named].filter((each) => !comments.some(({ value }) => value.includes(each)));
  return new Set([...documentedLast(place, model), ...unsaid]);
}
