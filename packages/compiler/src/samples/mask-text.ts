/**
 * Texts and numbers of samples, masked. Only those stay whose name says that they are words of the API, or counts: what is
 * personal or secret can stand under any other name.
 */

/** Members whose texts are words of the API, such as `active` or `EUR`; the last words of names, without `_` and `-`. */
const WORDS =
  /(?:status|type|kind|currency|locale|language|lang|timezone|format|method|event|topic|object|rel|mode|interval|visibility|priority|severity|direction|encoding)$/;
/** Members whose numbers count something. */
const COUNTS =
  /(?:count|total|totals|size|limit|offset|index|position|version|length|quantity)$|^(?:per|num|total|current|next|last)?pages?(?:size|number|count)?$|^total/;

/** A name as it is compared: without what tells spellings of several words apart. */
export function bareName(name: string): string {
  return name.replace(/[\s_-]/g, "").toLowerCase();
}

/** @param name of the member that it is the value of, as `bareName` gives it */
export function maskNumber(value: number, name: string): number {
  if (COUNTS.test(name) && Math.abs(value) < 1_000_000) return value;
  return Number.isInteger(value) ? 0 : 0.5;
}

/**
 * A text of the same form, as far as forms are known.
 *
 * @param name as for numbers
 */
export function maskText(text: string, name: string): string {
  if (text === "") return text;
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return "person@example.com";
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return "https://example.com/";
  if (WORDS.test(name) && isWord(text)) return text;
  if (COUNTS.test(name) && /^\d{1,3}$/.test(text)) return text;
  const date = /^\d{4}-\d\d-\d\d(?:([T ])\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(text);
  if (date !== null) {
    const [, separator, seconds = "", fraction = "", zone = ""] = date;
    if (separator === undefined) return "2000-01-01";
    const time = `00:00${seconds === "" ? "" : ":00"}${fraction.replace(/\d/g, "0")}`;
    return `2000-01-01${separator}${time}${zone.replace(/\d/g, "0")}`;
  }
  if (isUuid(text)) return "00000000-0000-4000-8000-000000000000";
  return /^[\d\s()+.,/:-]+$/.test(text) ? text.replace(/\d/g, "0") : "text";
}

/** `invoice_paid`, `EUR`, `en-GB`: nothing that is as long as a sentence, has digits in it, or is written like a person's name. */
function isWord(text: string): boolean {
  return text.length <= 30 && /^[A-Za-z]+(?:[._-][A-Za-z]+)*$/.test(text) && !/[A-Z][a-z]/.test(text);
}

export function isUuid(text: string): boolean {
  return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text);
}
