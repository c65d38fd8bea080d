import { memoize } from "@configc/jq/internal";
import type { SyntaxNode } from "../../parse/syntax-tree.ts";
import { commentsAround } from "../documented-words.ts";
import { isTimeName } from "./time-names.ts";

const said = [
  // `in the order (modified_ms, id)`, `sorted by changed_at`, `ascending by updated_at`
  /\b(?:sorted|ordered|(?:ascending |descending )?order|ascending|descending)(?: strictly)?(?: ascending| upwards)?(?: by| of)?(?: the| their)? ?[`"(]{0,2}([A-Za-z]\w*)/g,
  // `by updated_ms and then id`, `by (changed_at, id)`, `by changed_at, rising`
  /\bby ["`(]{0,2}([A-Za-z]\w*)["`]?,? (?:(?:and |then |and then |within that )(?:by )?["`]?(?:\w+_)?id\b|["`]?(?:\w+_)?id\)|(?:rising|increasing|ascending|upwards|oldest first)\b)/g,
  // `whose (changed_at, id) is greater than (since, after_id)`
  /\(([A-Za-z]\w*), ?\w+\)[^.;()]{0,40}\b(?:greater|later|after|behind|higher|above)\b/g,
];

/** An edit leaves most comments as they are. */
const timesIn: (text: string) => readonly string[] = memoize(
  (text) =>
    said
      .flatMap((form) => [...text.matchAll(form)].map(([, name]) => name!))
      // A word alone says nothing: “order changed”.
      .filter((name) => /_|[a-z][A-Z]/.test(name) && isTimeName(name)),
  500,
);

/** The time by which a list comes, `changed_at`, by the comments around a request; undefined where they say none, or several. */
export function documentedOrder(place: SyntaxNode): string | undefined {
  const [name, ...others] = new Set(commentsAround(place, []).flatMap(({ value }) => timesIn(value)));
  return others.length === 0 ? name : undefined;
}

const late = "(?:newest|latest|highest|most recent)";
const early = "(?:oldest|earliest|lowest|smallest)";
const recently = "(?:most recently|last) (?:changed|updated|modified|created|added)";
const top =
  "(?:(?:comes?|are|is|stands?) )?(?:first|(?:at|on) (?:the )?(?:top|beginning|start)|on top|leads?)";
/** `newest first`, `from the oldest to the newest`, `sorted by updated_at asc`, `the latest at the top` */
const ascending = new RegExp(
  String.raw`\b${early}(?: \w+){0,2}[ -]${top}\b|\bascending\b|\b(?:in|by) (?:rising|increasing)\b|\brising by the order of\b|\b(?:sorted|ordered) by [^.;:]{1,30},? (?:both |all )?(?:rising|increasing)\b|\bnewest(?: \w+){0,2} (?:last|at the (?:end|bottom))\b|\b${early}(?: \w+)? (?:to|→|->) (?:the )?${late}\b|${sortedAs("asc")}`,
  "i",
);
const descending = new RegExp(
  String.raw`\b(?:${late}|${recently})(?: \w+){0,2}[ -]${top}\b|\bdescending\b|\b(?:in|by) (?:falling|decreasing)\b|\boldest(?: \w+){0,2} (?:last|at the (?:end|bottom))\b|\b${late}(?: \w+)? (?:to|→|->) (?:the )?${early}\b|${sortedAs("desc")}`,
  "i",
);
/** `sorted by updated_at desc`, `in the order id asc` */
function sortedAs(direction: string): string {
  return String.raw`\b(?:sorted|ordered|order|sorting)(?::| is| by)?(?: by)? ["'\`(]?\w+["'\`]?,? ${direction}\b(?!=)`;
}
const unsure = /\b(?:not|never|no|isn't|aren't|unless|either|both|or|default|can)\b/i;
/** What an order is under a condition, in front of it or right behind it. */
const conditional =
  /\b(?:would|could|may|might|if|were|used to|doesn't|don't|when|where|with (?:sort|order|direction))\b[^;.]{0,60}?\b(?:first|last|ascending|descending|top|asc|desc|order|sorted)\b|\b(?:first|last|ascending|descending|top|asc|desc),? (?:if|when|where|only)\b/i;
/** Another fact in the same sentence: “newest first, notes may be null”. */
const asides =
  /\b(?:may|can) (?:also )?be (?:null|missing|absent|empty|repeated)\b|\b(?:never|not) (?:null|missing|empty|changed?|edited|deleted)\b|\bcan(?:'t|not) be (?:filtered|searched)\b/gi;
/** What is said of a list within a record: “the lines of a job are newest first”. */
const inner =
  /\b(?:we|customers?|users?) (?:show|sort|offer|list|display|see)\b|\b(?:dropped|deleted|removed|purged|archived|expired?) first\b|\b(?:the|its|their|all) \w+s (?:of|in|on|within) (?:an?|each|every|one) \w+ (?:come|are|stand|is|follow)\b|\b(?:within|inside) (?:an?|each|every) \w+\b|\beach \w+'s \w+s\b/i;

/** `entries with seq > N, in order of seq`: what is behind a number comes in the order of that number. */
const behindInOrder =
  /\b(\w+)["`]? (?:>=?|(?:greater|higher|larger) than|above|after|behind|beyond) \S+(?: \w+){0,3},? in (?:the |that )?order(?: of (?:the |their )?["`]?\1\b|(?= ?[.,;)]|$))/i;

/** `The list is in order of modifiedAt`: of what is said so, the earliest comes first. */
const isInOrderOfTime = (sentence: string): boolean =>
  [...sentence.matchAll(/\bin (?:the )?order of (?:their )?["`]?([A-Za-z]\w*)/g)].some(
    ([, name]) => /_|[a-z][A-Z]/.test(name!) && isTimeName(name!),
  );

const isUnsure = (sentence: string): boolean => {
  const plain = sentence.replace(asides, "");
  return unsure.test(plain) || conditional.test(plain);
};

const directionsIn: (text: string) => readonly ("ascending" | "descending" | undefined)[] = memoize(
  (text) =>
    // Members of an answer that is shown, `{no, kind}`, are no words of the sentence.
    text
      .replace(/\{[^{}]*\}/g, "")
      .split(/[.;]\s+/)
      .flatMap((sentence) => {
        const down = descending.test(sentence);
        const up =
          ascending.test(sentence) || (!down && (behindInOrder.test(sentence) || isInOrderOfTime(sentence)));
        if ((!up && !down) || inner.test(sentence)) return [];
        return [up === down || isUnsure(sentence) ? undefined : up ? "ascending" : "descending"] as const;
      }),
  500,
);

/** In which order a list comes by the comments around a request: `sorted by updatedAt, oldest first`; undefined where they say none, or both. */
export function documentedDirection(place: SyntaxNode): "ascending" | "descending" | undefined {
  const [direction, ...others] = new Set(
    commentsAround(place, []).flatMap(({ value }) => directionsIn(value)),
  );
  return others.length === 0 ? direction : undefined;
}
