import type { Json } from "../../json.ts";
import { doubleOf } from "../exact-number.ts";
import { isArray } from "../values.ts";

/** A “broken down” time, as C's `struct tm` has it: months and days of the year from 0, Sunday is 0. */
export interface DateTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly weekday: number;
  readonly yearDay: number;
}

const DAY = 86_400_000;

/** Milliseconds since 1970 of a time in UTC; parts may be out of their range. nan outside of JavaScript's dates. */
export function instantOf(
  year: number,
  month: number,
  day: number,
  hours = 0,
  minutes = 0,
  seconds = 0,
): number {
  const date = new Date(0);
  // `Date.UTC` would take the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(year, month, day);
  return date.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

/** The time in UTC of milliseconds since 1970; undefined outside of JavaScript's dates. */
export function dateTimeAt(milliseconds: number): DateTime | undefined {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return undefined;
  const year = date.getUTCFullYear();
  return {
    year,
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    hours: date.getUTCHours(),
    minutes: date.getUTCMinutes(),
    seconds: date.getUTCSeconds(),
    weekday: date.getUTCDay(),
    yearDay: Math.floor((date.getTime() - instantOf(year, 0, 1)) / DAY),
  };
}

/** A time with the given parts as they are, and the days of week and year that follow from them. */
export function dateTime(
  year: number,
  month: number,
  day: number,
  hours: number,
  minutes: number,
  seconds: number,
): DateTime | undefined {
  const at = dateTimeAt(instantOf(year, month, day, hours, minutes, seconds));
  return at && { year, month, day, hours, minutes, seconds, weekday: at.weekday, yearDay: at.yearDay };
}

const LARGEST = 2 ** 31 - 1;

/**
 * Reads jq's array form: year, month, day, hours, minutes, seconds, and days of week and year, which are
 * computed anew. What is missing is 0, which is 1900 for C's years; fractions are cut. Undefined if it isn't an
 * array of numbers.
 */
export function dateTimeOf(value: Json): DateTime | undefined {
  if (!isArray(value)) return undefined;
  const parts: number[] = [];
  for (const item of value.slice(0, 8)) {
    const part = doubleOf(item);
    if (part === undefined || Number.isNaN(part)) return undefined;
    parts.push(Math.max(-LARGEST, Math.min(LARGEST, Math.trunc(part))));
  }
  const [year = 1900, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  return dateTime(year, month, day, hours, minutes, seconds);
}

/** Seconds since 1970, the parts taken for UTC. */
export function secondsOf({ year, month, day, hours, minutes, seconds }: DateTime): number {
  return instantOf(year, month, day, hours, minutes, seconds) / 1000;
}

/** jq's array form; `fraction` of a second is added. */
export function dateTimeArray(at: DateTime, fraction = 0): readonly number[] {
  const { year, month, day, hours, minutes, seconds, weekday, yearDay } = at;
  return [year, month, day, hours, minutes, seconds + fraction, weekday, yearDay];
}
