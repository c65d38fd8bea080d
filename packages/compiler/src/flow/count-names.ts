import { isPlural } from "./nouns.ts";
import { wordsOf } from "./protocol/bound-names.ts";

/** Verbs and adjectives before a count that ask whether it is shown: `show_count`, `hasCount`. */
const asked = /^(?:is|has|have|had|can|may|should|show|shows|hide|include|includes|with|use|enable|enabled)$/;

/**
 * Whether a name is that of a number of things: `abnormalCount`, `guest_count`, `number_of_seats`, `num_items`, `totalResults`. A `total` alone
 * may be a sum of money, and of that nothing is known.
 */
export function isCountName(name: string): boolean {
  const words = wordsOf(name);
  const [first = "", second = ""] = words;
  if (asked.test(first)) return false;
  if (words.at(-1) === "count" || (first === "count" && second === "of")) return true;
  if (first === "number" && second === "of") return words.length > 2;
  const isCounting = first === "num" || first === "nr" || first === "no" || first === "total";
  return isCounting && words.length === 2 && isPlural(second) && !isMoney.test(second);
}

const isMoney = /^(?:cents|pence|dollars|euros|sales|costs|earnings|savings|fees|taxes|revenues)$/;
