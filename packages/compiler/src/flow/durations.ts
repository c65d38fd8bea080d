import type { FieldSymbol } from "../bind/bound-nodes.ts";
import { type JsonNode, type ObjectNode, objectItems, textOf } from "../parse/syntax-tree.ts";

/** What the values of a form field's options count, in seconds; a month and a year have no one length. */
export interface CountedTime {
  readonly unit: TimeUnit;
  /** An option that says it: what is shown, and its value. */
  readonly display: string;
  readonly value: number;
}

export type TimeUnit = "seconds" | "minutes" | "hours" | "days" | "weeks" | "months" | "years";

const DAY = 86_400;

/** The shortest and the longest of a unit, in seconds. */
const lengths: Readonly<Record<TimeUnit, readonly [number, number]>> = {
  seconds: [1, 1],
  minutes: [60, 60],
  hours: [3_600, 3_600],
  days: [DAY, DAY],
  weeks: [7 * DAY, 7 * DAY],
  months: [28 * DAY, 31 * DAY],
  years: [360 * DAY, 366 * DAY],
};

const units = Object.keys(lengths) as TimeUnit[];

/** How a unit is written in a program. */
export const secondsOf: Readonly<Record<TimeUnit, string>> = {
  seconds: "1",
  minutes: "60",
  hours: "3600",
  days: "86400",
  weeks: "604800",
  months: "30 * 86400",
  years: "365 * 86400",
};

/** The unit that a number of seconds is. */
export const unitWith = (seconds: number): TimeUnit | undefined =>
  units.find((unit) => isOf(unit, seconds, seconds));

/** Whether something between two numbers of seconds is such a unit. */
function isOf(unit: TimeUnit, least: number, greatest: number): boolean {
  const [shortest, longest] = lengths[unit];
  return least <= longest * 1.02 && greatest >= shortest * 0.98;
}

/** An option that says a length of time, from the least to the most, in seconds. */
export interface SaidTime {
  readonly display: string;
  readonly value: number;
  readonly node: JsonNode;
  readonly length: readonly [number, number];
}

/** The options of a field that say how long something is, and have a number as their value. */
export const timesSaid = ({ node }: FieldSymbol): readonly SaidTime[] =>
  countedOptions(node).flatMap(({ display, ...option }) => {
    const length = lengthOf(display);
    return length === undefined ? [] : [{ display, ...option, length }];
  });

/** The options with a number above zero as their value, written as text or not. */
export const countedOptions = (field: ObjectNode): readonly Omit<SaidTime, "length">[] =>
  objectItems(field.get("options")).flatMap((option) => {
    const node = option.get("value");
    const value =
      node?.kind === "number"
        ? node.value
        : node?.kind === "string" && /^\d+(?:\.\d+)?$/.test(node.value)
          ? Number(node.value)
          : 0;
    return value > 0 ? [{ display: textOf(option, "display") ?? "", value, node: node! }] : [];
  });

/** What the values of a field count, where at least two of its options say it and none another unit: “A week” is 7, “A month” is 30. */
export function timeCounted(field: FieldSymbol): CountedTime | undefined {
  const said = timesSaid(field);
  const fitting = units.filter((unit) =>
    said.every(({ value, length: [least, greatest] }) => isOf(unit, least / value, greatest / value)),
  );
  const [unit, ...others] = fitting;
  if (said.length < 2 || unit === undefined || others.length > 0) return undefined;
  const { display, value } = said[0]!;
  return { unit, display, value };
}

/** Numbers as people write them before a unit. */
export const countWords: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fourteen: 14,
  fifteen: 15,
  eighteen: 18,
  twenty: 20,
  thirty: 30,
  forty: 40,
  "forty-eight": 48,
  sixty: 60,
  ninety: 90,
  half: 0.5,
  "half a": 0.5,
  "half an": 0.5,
};

const named =
  /(?:(\d+(?:\.\d+)?)|\b(half(?: an?)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|eighteen|twenty|thirty|forty(?:-eight)?|sixty|ninety))?[\s-]{0,3}(?:(?:more|further|additional|full|whole) )?\b(second|minute|hour|day|week|fortnight|month|quarter|year)s?\b/gi;

/** How long what is shown says, from the least to the most, in seconds; undefined where it says no length, or several. */
export function lengthOf(display: string): readonly [number, number] | undefined {
  const text = display
    .replace(/(\d*)\s?([½¼¾])/g, (_, whole, part) => `${Number(whole) + fractions[part as "½"]}`)
    .replace(
      andHalf,
      (_, count: string, name: string) =>
        `${(countWords[count.toLowerCase()] ?? Number(count)) + 0.5} ${name}`,
    )
    .replace(/\b(?:an?\s+)?quarter of an hour\b/i, "15 minutes")
    .replace(/\bthree quarters of an hour\b/i, "45 minutes");
  const half = / and a half\b/i.test(text) ? 0.5 : 0;
  const [match, ...others] = text.replace(/ and a half\b/i, "").matchAll(named);
  if (match === undefined || others.length > 0) return undefined;
  const [, digits, word, name = ""] = match;
  // `One hour thirty` is longer by a number that has no unit.
  if (
    /^ (?:and )?(?:\d+|ten|fifteen|twenty|thirty|forty)\b/i.test(
      match.input.slice(match.index + match[0].length),
    )
  )
    return undefined;
  const whole =
    digits === undefined ? countWords[(word ?? "a").toLowerCase().replace(/\s+/g, " ")] : Number(digits);
  const count = whole === undefined ? undefined : whole + half;
  if (count === undefined || count === 0) return undefined;
  // Half a day of work has four hours.
  if (name.toLowerCase() === "day" && count === 0.5) return [4 * 3_600, DAY / 2];
  const [shortest, longest] = spans[name.toLowerCase()] ?? lengths[`${name.toLowerCase()}s` as TimeUnit];
  return [count * shortest, count * longest];
}

/** `An hour and a half`, `two and a half weeks` */
const andHalf =
  /\b(an?|one|two|three|\d{1,3}) (?=(?:hour|day|week|month|year)s? and a half|and a half (?:hour|day|week|month|year))(?:and a half )?(hour|day|week|month|year)s?(?: and a half)?\b/i;

const fractions = { "¼": 0.25, "½": 0.5, "¾": 0.75 } as const;

/** How long some are, from the least to the most. */
const spans: Readonly<Record<string, readonly [number, number]>> = {
  fortnight: [14 * DAY, 14 * DAY],
  quarter: [89 * DAY, 93 * DAY],
};
