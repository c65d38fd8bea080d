import type { Json } from "../json.ts";
import { canonicalNumber } from "./exact-number.ts";

const numeral = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/** The code of `9`; signs and the point come before the digits. */
const LAST_DIGIT = 0x39;
const LONGEST_NAME = "-infinity".length;
const namesBeginWith = "nNiI";

/** Reads a number as `tonumber` does; undefined if the text is none. */
export function readNumber(text: string, exact: boolean): Json | undefined {
  // Most texts that are no number begin with a letter, and are longer than the names of numbers.
  const isWord = text.charCodeAt(0) > LAST_DIGIT;
  if (!isWord && numeral.test(text)) return exact ? canonicalNumber(text) : limited(Number(text));
  if (text.length > LONGEST_NAME || (isWord && !namesBeginWith.includes(text[0]!))) return undefined;
  if (/^[+-]?nan$/i.test(text)) return Number.NaN;
  if (!/^[+-]?inf(?:inity)?$/i.test(text)) return undefined;
  return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** jq has no infinite literal: what is too large is the largest number. */
function limited(value: number): number {
  if (value === Number.POSITIVE_INFINITY) return Number.MAX_VALUE;
  return value === Number.NEGATIVE_INFINITY ? -Number.MAX_VALUE : value;
}
