import { memoize } from "@configc/jq/internal";
import type { ObjectNode, SyntaxNode } from "../parse/syntax-tree.ts";
import { isLimited, statementsIn } from "./documented-statements.ts";
import { commentsAround } from "./documented-words.ts";

/** What comments say of members that count (E261). */
export interface DocumentedCounts {
  /** Members that count the entries of one page: `count is the length of this page`. */
  readonly ofPage: ReadonlySet<string>;
  /** Members that count those of all pages: `total counts all records`. */
  readonly ofAll: ReadonlySet<string>;
}

const says = "(?: is| are| says| gives| counts| holds| has| means|:| =) (?:only )?";
const ofPage = [
  // `count is the length of this page`, `count: items on the page`
  `([A-Za-z_]\\w*)[\`"]?${says}(?:[^.;:,(){}]{0,60} )?(?:on|of|in|for) (?:this|the|one|each|that|a|its) (?:current |same )?(?:page|answer|response)\\b(?!['-]| size| number)`,
  `([A-Za-z_]\\w*)[\`"]?${says}(?:[^.;:,(){}]{0,60} )?(?:this|the|one|each|the current) page alone`,
  // `count (of this page)`
  `([A-Za-z_]\\w*)[\`"]? \\((?:[^().]{0,40} )?(?:on|of|in|for) (?:this|the|one|each) page\\)`,
  // `total is of the whole list, count of this page`
  `(?<=, (?:and )?)[\`"]?([A-Za-z_]\\w*)[\`"]? (?:of|on) (?:this|the|one) page\\b(?= ?[.;,)]|$)`,
  // `how many are on this page (count)`
  `\\b(?:on|of|in) (?:this|the|one|each) page \\([\`"]?([A-Za-z_]\\w*)[\`"]?\\)`,
  // `total counts all bookings, count those in this answer`
  `(?<=, (?:and )?)([A-Za-z_]\\w*)[\`"]? (?:only )?(?:those|the ones) (?:on|of|in) (?:this|the|one|each) (?:page|answer|response)\\b`,
  // `total is of the whole list, count of this page`
  `(?<=, (?:and )?)([A-Za-z_]\\w*)[\`"]? (?:only )?(?:on|of|in|for) (?:this|the|one|each|that) page\\b(?!['-]| size| number)`,
].map((form) => new RegExp(`\\b${form}`, "g"));
const ofAll = [
  `([A-Za-z_]\\w*)[\`"]?${says}(?:[^.;:,(){}]{0,60} )?(?:all|every|the whole)\\b`,
  `([A-Za-z_]\\w*)[\`"]? \\((?:[^().]{0,40} )?(?:of|in|on|over) all(?: \\w+)?\\)`,
].map((form) => new RegExp(`\\b${form}`, "g"));
const pronoun = /^(?:it|that|this|which|they|what|there|page|pages|list|lists|answer|comments?|right)$/i;
/** What else is said of a page: its number, or where it begins. */
const isOther =
  /\b(?:not|never|number of (?:the|this) page|id|token|cursor|address|link|first|last|next|independent|place|position|index)\b/i;

/** An edit leaves most comments as they are. */
const countsIn: (text: string) => DocumentedCounts = memoize((text) => {
  const named = (forms: readonly RegExp[]): ReadonlySet<string> =>
    new Set(
      forms
        .flatMap((form) => [...text.matchAll(form)])
        .flatMap(([whole, name]) => (pronoun.test(name!) || isOther.test(whole) ? [] : [name!])),
    );
  const page = new Set(named(ofPage));
  const all = new Set(named(ofAll));
  for (const { subjects, said, isAside, sentence } of /page|response|answer|batch|all|total|whole/.test(text)
    ? statementsIn(text)
    : []) {
    if (isAside || isOther.test(said) || /\d|n't\b/.test(said) || isLimited(sentence)) continue;
    const names = subjects.map((path) => path.slice(path.lastIndexOf(".") + 1));
    for (const name of names) {
      if (pronoun.test(name)) continue;
      if (statedPage.test(said)) page.add(name);
      if (statedAll.test(said)) all.add(name);
    }
  }
  for (const [, name] of text.matchAll(inverted)) page.add(name!);
  return { ofPage: page, ofAll: all };
}, 500);

const verb = `^(?:is|are|counts?|covers?|spans?|says|means|holds|gives|tells|refers? to|reflects|describes|has)(?: only| just| always)?`;
const onePage = `(?:(?:this|the|one|each|every|a|that|its|your)(?: current| returned| same| present| one)?|per) (?:page|response|answer|batch)`;
/** `counts this page`, `says how many items the current page has`, `is the size of the page`, `is per page`. */
const statedPage = new RegExp(
  `${verb}(?: (?:(?:the )?(?:size|length|count)|(?:the )?(?:number|amount|count) of (?:the |its )?[a-z]+|(?:the )?[a-z]+|how many(?: [a-z]+)?)(?: there)?(?: are)?(?: returned| sent| listed| found)?(?: of| on| in| for)?)? ${onePage}(?:'s (?:length|size|count))?(?=$|[ ,](?:only|alone|at hand|has|holds|contains|that|which|it|here|and))`,
);
/** `is the number of all records`, `covers the whole result set`, `is the grand total of matches`. */
const statedAll = new RegExp(
  `${verb} (?:(?:the )?(?:number|count|total|sum|size|length) of )?(?:(?:all|every)(?: of)?(?: the)? [a-z]+|the total (?:over|across) all|(?:the |an? )?(?:whole|entire|complete|full) (?:list|result|set|search|collection)|(?:the |an? )?(?:overall|grand total|total)(?: number| count)? of|(?:the )?[a-z]+ (?:over|across|on|of) all pages)`,
);
/** `The number of records in this response is in count.` */
const inverted =
  /\b(?:[Nn]umber|[Cc]ount|[Ss]ize)(?: of [a-z]+)? (?:on|of|in) (?:this|the|one|each) (?:current )?(?:page|response|answer) (?:is|comes|stands) (?:in|as|called) [`"']?([A-Za-z_]\w*)/g;

/**
 * Which members count the entries of a page, and which those of a list, by the comments around a place.
 *
 * @param also objects whose own comments count too
 */
export function documentedCounts(place: SyntaxNode, also: readonly ObjectNode[] = []): DocumentedCounts {
  const said = commentsAround(place, also).map(({ value }) => countsIn(value));
  const [page, all] = [
    said.flatMap(({ ofPage: names }) => [...names]),
    said.flatMap(({ ofAll: names }) => [...names]),
  ];
  // What is said to be both is neither for certain.
  return {
    ofPage: new Set(page.filter((name) => !all.includes(name))),
    ofAll: new Set(all.filter((name) => !page.includes(name))),
  };
}
