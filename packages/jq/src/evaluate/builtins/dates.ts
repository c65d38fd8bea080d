import type { Json } from "../../json.ts";
import { fail } from "../error.ts";
import { doubleOf } from "../exact-number.ts";
import type { Machine } from "../machine.ts";
import { bytes, countMade, countSteps } from "../meter.ts";
import { isArray, jsonText } from "../values.ts";
import type { ValueFunction } from "./contract.ts";
import { formatDate } from "./date-format.ts";
import { parseDate } from "./date-parse.ts";
import { type DateTime, dateTimeArray, dateTimeAt, dateTimeOf, secondsOf } from "./date-time.ts";
import { momentOf, utcZone, zonedTime } from "./time-zone.ts";

type At = Parameters<ValueFunction>[3];

const isoFormat = "%Y-%m-%dT%H:%M:%SZ";

const toIsoText: ValueFunction = (input, _args, _machine, span) => utcText(input, isoFormat, span);
const fromIsoText: ValueFunction = (input, _args, _machine, span) =>
  secondsOf(read(input, isoFormat, span).time);

/** Times are seconds since 1970, or jq's arrays of year, month (from 0), day, hours, minutes, seconds … */
export const dateFunctions: Readonly<Record<string, ValueFunction>> = {
  "now/0": (_input, _args, machine) => machine.clock(),
  "gmtime/0": (input, _args, _machine, span) => {
    const time = doubleOf(input) ?? fail("gmtime() requires numeric inputs", span);
    return dateTimeArray(dateTimeAt(Math.trunc(time) * 1000) ?? outOfRange(span), fraction(time));
  },
  "localtime/0": (input, _args, machine, span) => {
    const time = doubleOf(input) ?? fail("localtime() requires numeric inputs", span);
    return dateTimeArray(zoned(Math.trunc(time), machine, span).local, fraction(time));
  },
  "mktime/0": (input, _args, _machine, span) => seconds(input, span),
  "strftime/1": (input, [format], _machine, span) => utcText(input, format!, span),
  "strflocaltime/1": (input, [format], machine, span) => {
    const time = doubleOf(input);
    const moment = time === undefined ? localMoment(dateTimeOf(input), machine.timeZone) : Math.trunc(time);
    if (moment === undefined) return fail("strflocaltime/1 requires parsed datetime inputs", span);
    if (typeof format !== "string") return fail("strflocaltime/1 requires a string format", span);
    const { local, ...zone } = zoned(moment, machine, span);
    countFormat(format);
    return formatDate(format, local, zone);
  },
  "strptime/1": (input, [format], _machine, span) => parsed(input, format!, span),
  "todate/0": toIsoText,
  "todateiso8601/0": toIsoText,
  "date/0": toIsoText,
  "fromdate/0": fromIsoText,
  "fromdateiso8601/0": fromIsoText,
};

/** A format is taken apart, and then gone through. */
function countFormat(format: string): void {
  countSteps(20 + format.length * 4);
  if (format.length > 100) countMade(format.length * bytes.item * 2);
}

/** What jq adds to the whole seconds, which it cuts towards 1970: also before 1970 it is positive. */
function fraction(time: number): number {
  return time - Math.floor(time);
}

function outOfRange(span: At): never {
  return fail("error converting number of seconds since epoch to datetime", span);
}

function zoned(moment: number, { timeZone }: Machine, span: At) {
  return zonedTime(moment, timeZone) ?? outOfRange(span);
}

function localMoment(time: DateTime | undefined, zone: string | undefined): number | undefined {
  return time && momentOf(time, zone);
}

function seconds(value: Json, span: At): number {
  if (!isArray(value)) return fail("mktime requires array inputs", span);
  const time = dateTimeOf(value);
  return time === undefined ? fail("mktime requires parsed datetime inputs", span) : secondsOf(time);
}

function utcText(value: Json, format: Json, span: At): string {
  const moment = doubleOf(value);
  const time = moment === undefined ? dateTimeOf(value) : dateTimeAt(Math.trunc(moment) * 1000);
  if (time === undefined && moment !== undefined && !Number.isNaN(moment)) return outOfRange(span);
  if (time === undefined) return fail("strftime/1 requires parsed datetime inputs", span);
  if (typeof format !== "string") return fail("strftime/1 requires a string format", span);
  countFormat(format);
  return formatDate(format, time, utcZone);
}

function parsed(value: Json, format: Json, span: At): Json {
  const { time, rest } = read(value, format, span);
  const parts = dateTimeArray(time);
  return rest === "" ? parts : [...parts, rest];
}

function read(value: Json, format: Json, span: At): NonNullable<ReturnType<typeof parseDate>> {
  if (typeof value !== "string" || typeof format !== "string") {
    return fail("strptime/1 requires string inputs and arguments", span);
  }
  countFormat(format);
  const found = parseDate(value, format);
  // What begins with a blank may follow; it is given as it is.
  if (found === undefined || /^\S/.test(found.rest)) {
    return fail(`date ${jsonText(value)} does not match format ${jsonText(format)}`, span);
  }
  return found;
}
