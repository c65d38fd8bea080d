import { escapedPattern, memoize } from "@configc/jq/internal";
import type { StringNode } from "../parse/syntax-tree.ts";
import { isOfOneList, isOfScreens, isOfThePast, isUnderCondition } from "./said/of-others.ts";

/** The most records that a page has by a comment (E261): `limit is at most 200`, `A limit above 200 is cut down`. */
export interface DocumentedSize {
  readonly most: number;
  readonly comment: StringNode;
}

/**
 * What comments say of the page size that a parameter asks for; undefined where they say nothing, or two things.
 *
 * @param isOfLists whether they speak of the lists that the parameter is for, whatever they call it
 */
export function documentedSize(
  param: string,
  comments: readonly StringNode[],
  { isOfLists }: { readonly isOfLists: boolean },
): DocumentedSize | undefined {
  const found = comments.flatMap((comment) =>
    sizesIn(comment.value).flatMap(({ sentence, most }) =>
      isOf(param, sentence, isOfLists) ? [{ most, comment }] : [],
    ),
  );
  const [first] = found;
  return first !== undefined && found.every(({ most }) => most === first.most) ? first : undefined;
}

/** Whether a sentence speaks of that parameter by its name, or of pages. */
const isOf = (param: string, sentence: string, isOfLists: boolean): boolean =>
  !isUnderCondition(param, sentence) &&
  (new RegExp(`(?<![\\w.])${escapedPattern(param)}(?![\\w.]\\w)`).test(sentence) ||
    (isOfLists &&
      // `GET /jobs: 100 rows a page at most` is said of that list.
      !/\b[A-Z]{3,6} \//.test(sentence) &&
      !isOfOneList(sentence) &&
      /\b(?:page (?:size|length)|(?:a|per|one|each) page|pages? (?:of|ha[sv]e?)|limit)\b/i.test(sentence)));

const most = [
  /\b(?:at most|up to|no more than|not more than|(?:no|not) (?:greater|larger|higher) than|max(?:imum)?(?: of| is|:)?|limited to) (\d{1,5})(?![\d.,]*\d)/gi,
  /\b(?:above|over|more than|beyond|greater than|larger than|higher than) (\d{1,5})\b(?=[^.;]{0,30}\b(?:cut|capped|reduced|lowered|ignored|refused|rejected|taken as|counts? as|treated))/gi,
  /\b(?:between \d+ and|(?:from )?\d+ to|\d+(?:–|-|…|\.\.)) ?(\d{1,5})(?![\d.,]*\d)/gi,
  /\b(\d{1,5})(?: \w+)? (?:a|per|on a|on one) page(?:,)? at (?:the )?most\b/gi,
  // `100 is the most that per_page takes`, `the largest limit is 250`
  /\b(\d{1,5}) (?:is|are) (?:the|its|their) (?:most|maximum|max|(?:upper )?limit|ceiling|cap|highest|largest|greatest|biggest)\b/gi,
  /\b(?:the|its) (?:most(?! recent)|highest|largest|greatest|biggest)\b[^.;\d]{0,40}\b(?:is|are) (\d{1,5})(?![\d.,]*\d)/gi,
  /\b(?:capped|stops|ends|cut(?: off)?|goes|go) (?:at|up to) (\d{1,5})(?![\d.,]*\d)/gi,
  /\b(?:not|cannot|can't|mustn't|never) (?:exceeds?|be above|go above|go over) (\d{1,5})(?![\d.,]*\d)/gi,
  /\bmax(?:imum)?(?: value| number)? (?:of|for) ["'`]?[A-Za-z]\w*["'`]? is (\d{1,5})(?![\d.,]*\d)/gi,
  /\bnever more than (\d{1,5})(?![\d.,]*\d)/gi,
];
/** What is counted otherwise. */
const other =
  /\b(?:requests?|calls?|minutes?|seconds?|hours?|days?|an? import|cycles?|characters?|letters?|signs?|digits?|bytes?|[kKMG]i?B|megabytes?|retries|times)\b/i;

const sizesIn: (text: string) => readonly { readonly sentence: string; readonly most: number }[] = memoize(
  (text) =>
    text.split(/(?<=[.;])\s+/).flatMap((sentence) => {
      if (other.test(sentence) || isOfThePast(sentence) || isOfScreens(sentence)) return [];
      const numbers = new Set(
        most.flatMap((form) => [...sentence.matchAll(form)].map(([, number]) => Number(number))),
      );
      return numbers.size === 1 ? [{ sentence, most: [...numbers][0]! }] : [];
    }),
  200,
);
