import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import type { Item } from "../bind/part.ts";
import type { StringNode } from "../parse/syntax-tree.ts";
import { commentsBelow, hasComments } from "./documented-words.ts";

/**
 * What makes a sentence speak of the whole service: `Times are milliseconds everywhere in this API`, `All money is in cents`,
 * `due_at is in milliseconds, like all times`.
 */
const isOfAll =
  /\beverywhere\b|\bthroughout\b|\b(?:of|in|across) (?:this|the whole|the entire|our) (?:API|service)\b|(?:(?:^|[.;:] )\s*(?:All|Every)|\b(?:like|as) (?:all|every|any)(?: other)?|\b(?:sends?|returns?|gives?|expects?) all(?: of)?(?: the| its| their)?) (?:monetary|money|amounts?|prices?|sums?|times?|timestamps?|instants?|moments?|weights?|lengths?|distances?|volumes?|durations?)\b/i;

/** The comments that say something of the whole service, in intakes and workflows; others count for it anyway. */
export const commentsOfService: (model: Model) => readonly StringNode[] = derived((model) =>
  hasComments(model)
    ? model.parts.flatMap(({ item }) => (item === undefined ? [] : commentsIn(item))).slice(0, MOST)
    : [],
);

/** So many are read: each name is looked for in all of them. */
const MOST = 30;

/** Those of one item: an edit leaves most items as they are. */
function commentsIn(item: Item): readonly StringNode[] {
  item.saidOfService ??= [...commentsBelow(item.node)].filter(({ value }) => isOfAll.test(value));
  return item.saidOfService;
}

/** The sentences of a comment that speak of the whole service. */
export const saidOfService = (comment: string): string =>
  comment
    .split(/(?<=[.;])\s/)
    .filter((sentence) => isOfAll.test(sentence))
    .join(" ");

/** The comments of all workflows that name a member: what has a name of two words is the same in another workflow. */
export const commentsNaming = (name: string, model: Model): readonly StringNode[] =>
  ofTwoWords.test(name) ? (commentsByName(model).get(name) ?? []) : [];

const ofTwoWords = /^\w*(?:_[a-z]|[a-z][A-Z])\w*$/;

const commentsByName = derived((model) => {
  const found = new Map<string, StringNode[]>();
  for (const { node } of model.workflows)
    for (const comment of commentsBelow(node))
      for (const word of new Set(comment.value.match(/\w+/g) ?? [])) {
        if (!ofTwoWords.test(word)) continue;
        const known = found.get(word);
        if (known === undefined) found.set(word, [comment]);
        else known.push(comment);
      }
  return found;
});
