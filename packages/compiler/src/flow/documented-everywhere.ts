import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import type { StringNode } from "../parse/syntax-tree.ts";
import { commentsBelow } from "./documented-words.ts";

/** What makes a sentence speak of the whole service: `Times are milliseconds everywhere in this API.` */
const isOfAll =
  /\beverywhere\b|\bthroughout\b|\b(?:of|in|across) (?:this|the whole|the entire|our) (?:API|service)\b/i;

/** The comments that say something of the whole service, wherever they stand. */
export const commentsOfService: (model: Model) => readonly StringNode[] = derived(({ document }) =>
  document.root !== undefined && isOfAll.test(document.text)
    ? [...commentsBelow(document.root)].filter(({ value }) => isOfAll.test(value))
    : [],
);

/** The sentences of a comment that speak of the whole service. */
export const saidOfService = (comment: string): string =>
  comment
    .split(/(?<=[.;])\s/)
    .filter((sentence) => isOfAll.test(sentence))
    .join(" ");
