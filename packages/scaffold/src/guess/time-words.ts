import type { Operation, Parameter } from "../description.ts";
import { phrase, wordsOf } from "./name-words.ts";

/** How a time is written. */
export type TimeFormat = "date-time" | "date" | "seconds" | "milliseconds";

/** Words that begin a window, each with those that end it. */
const pairs: Readonly<Record<string, readonly string[]>> = {
  from: ["to", "until", "till", "through"],
  since: ["until", "to", "before"],
  start: ["end", "stop", "finish"],
  starting: ["ending"],
  begin: ["end"],
  beginning: ["ending", "end"],
  after: ["before"],
  min: ["max"],
  gte: ["lte", "lt"],
  gt: ["lt", "lte"],
  ge: ["le", "lt"],
  earliest: ["latest"],
  oldest: ["latest", "newest"],
  lower: ["upper"],
};

/** Names that are bounds of a time by themselves; the others need something that says so. */
const plainBounds = /^(?:from|to|since|until|till|start|end|begin)$/;
const timeWords =
  /\b(?:date|dates|time|times|day|datetime|timestamp|at|on|created|updated|modified|changed|period)\b/;
const timeProse = /\b(?:dates?|times?|timestamp|datetime|days?|ISO[- ]?8601|RFC[- ]?3339|unix|epoch|UTC)\b/i;

/** The name that ends the window that another name begins: `end_date` of `start_date`. */
export function isEndOf(end: string, begin: string): boolean {
  const [first, last] = [wordsOf(begin), wordsOf(end)];
  const differing = first.flatMap((word, index) => (word === last[index] ? [] : [index]));
  const [at] = differing;
  if (first.length !== last.length || differing.length !== 1 || at === undefined) return false;
  return pairs[first[at]!]?.includes(last[at]!) === true;
}

/** Whether a parameter takes a time, for all that is told of it; “open” where only its name speaks for it. */
export function takesTime({ name, shape, about }: Parameter): boolean | "open" {
  if (shape.kind !== "string" && shape.kind !== "number" && shape.kind !== "unknown") return false;
  if (shape.kind === "string" && (shape.enum !== undefined || /uuid|email|uri/.test(shape.format ?? "")))
    return false;
  if (shape.kind === "string" && /date|time/.test(shape.format ?? "")) return true;
  if (timeProse.test(about) || timeWords.test(phrase(name))) return true;
  return plainBounds.test(phrase(name)) && shape.kind !== "number" ? "open" : false;
}

export function formatOf({ shape }: Parameter, about: string): TimeFormat {
  if (/millisecond|\bms\b|javascript timestamp/i.test(about)) return "milliseconds";
  if (shape.kind === "number" || /\b(?:unix|epoch)\b/i.test(about)) return "seconds";
  if (shape.kind === "string" && shape.format === "date") return "date";
  return /\bYYYY-MM-DD\b(?![T ])/i.test(about) ? "date" : "date-time";
}

const seconds: Readonly<Record<string, number>> = {
  hour: 3_600,
  day: 86_400,
  week: 7 * 86_400,
  // The shortest month counts.
  month: 28 * 86_400,
  year: 365 * 86_400,
};
const numbers: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  six: 6,
  twelve: 12,
};
const duration = String.raw`(\d+|an?|one|two|three|six|twelve)[ -](?:calendar )?(hour|day|week|month|year)s?\b`;

/** How long a window may be at most, in seconds: “no more than 31 days apart”. */
export function longestIn(texts: readonly string[]): number | undefined {
  return durationBehind(
    String.raw`\b(?:maximum|max|up to|at most|no more than|no longer than|exceed|longer than|more than|larger than|limited to|range of|apart by)\b[^.;\d]{0,60}?`,
    texts,
  );
}

/** How far back records can be asked for, in seconds: “within the last six months”. */
export function furthestIn(texts: readonly string[]): number | undefined {
  return durationBehind(String.raw`\b(?:last|past|previous|recent|older than)\s+(?:the )?`, texts);
}

function durationBehind(words: string, texts: readonly string[]): number | undefined {
  const pattern = new RegExp(words + duration, "i");
  for (const text of texts) {
    const [, count = "", unit = ""] = pattern.exec(text) ?? [];
    const number = numbers[count.toLowerCase()] ?? Number(count);
    if (count !== "" && number > 0) return number * seconds[unit.toLowerCase()]!;
  }
  return undefined;
}

/** All prose that may tell of a window. */
export function proseOf({ summary, about = "", parameters }: Operation): readonly string[] {
  return [...parameters.map((each) => each.about), about, summary];
}
