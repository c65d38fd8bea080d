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
/** How far from 1970 the first and the last moment of JavaScript's dates are, in milliseconds. */
const LAST_MOMENT = 8.64e15;

/*
 * The calendar, which jq takes to have been the same at all times. A year is counted from March, so that the day that only
 * some have is its last; then 400 years always have as many days. (`Date` takes ten times as long.)
 */
const DAYS_OF_400_YEARS = 146_097;
/** From 1 March of the year 0 to 1970. */
const DAYS_TO_1970 = 719_468;

/** Days from 1970 to the first of a month, from 0, of a year. */
function daysTo(year: number, month: number): number {
  const fromMarch = (month + 10) % 12;
  const marchYear = month < 2 ? year - 1 : year;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + daysBefore(fromMarch) - DAYS_TO_1970;
}

/** Days of a year before a month, both from March: 31 or 30 by turns, but twice 31 after five months. */
function daysBefore(fromMarch: number): number {
  return Math.floor((153 * fromMarch + 2) / 5);
}

/** Milliseconds since 1970 of a time in UTC; parts may be out of their range. nan outside of JavaScript's dates. */
export function instantOf(
  year: number,
  month: number,
  day: number,
  hours = 0,
  minutes = 0,
  seconds = 0,
): number {
  const years = Math.floor(month / 12);
  const midnight = (daysTo(year + years, month - years * 12) + day - 1) * DAY;
  if (!(Math.abs(midnight) <= LAST_MOMENT)) return Number.NaN;
  return midnight + ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

/** The time in UTC of milliseconds since 1970; undefined outside of JavaScript's dates. */
export function dateTimeAt(milliseconds: number): DateTime | undefined {
  if (!(Math.abs(milliseconds) <= LAST_MOMENT)) return undefined;
  // A zero has no sign.
  const instant = Math.trunc(milliseconds) + 0;
  const days = Math.floor(instant / DAY);
  const seconds = Math.floor((instant - days * DAY) / 1000);
  const { year, month, day } = dateOf(days);
  return {
    year,
    month,
    day,
    hours: Math.floor(seconds / 3600),
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
    // 1 January 1970 was a Thursday.
    weekday: (((days + 4) % 7) + 7) % 7,
    yearDay: days - daysTo(year, 0),
  };
}

/** @param days since 1970 */
function dateOf(days: number): Pick<DateTime, "year" | "month" | "day"> {
  const since = days + DAYS_TO_1970;
  const cycles = Math.floor(since / DAYS_OF_400_YEARS);
  const inCycle = since - cycles * DAYS_OF_400_YEARS;
  // Without the leap days before it, which there are after 4, but not after 100 years, each day is one of 365.
  const leapDays = Math.floor(inCycle / 1460) - Math.floor(inCycle / 36_524) + Math.floor(inCycle / 146_096);
  const inCycleYear = Math.floor((inCycle - leapDays) / 365);
  const marchYear = cycles * 400 + inCycleYear;
  const inYear = days - daysTo(marchYear, 2);
  const fromMarch = Math.floor((5 * inYear + 2) / 153);
  const month = (fromMarch + 2) % 12;
  return {
    year: month < 2 ? marchYear + 1 : marchYear,
    month,
    day: inYear - daysBefore(fromMarch) + 1,
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
