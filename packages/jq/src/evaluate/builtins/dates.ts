import type { Json } from "../../json.ts";
import { fail } from "../error.ts";
import { excerpt, isArray } from "../values.ts";
import type { ValueFunction } from "./contract.ts";

type At = Parameters<ValueFunction>[3];

/** Dates without formats of their own; `strftime` and `strptime` aren't implemented yet. */
export const dateFunctions: Readonly<Record<string, ValueFunction>> = {
  "gmtime/0": (input, _args, _machine, span) => brokenDown(input, span),
  "mktime/0": (input, _args, _machine, span) => seconds(input, span),
  "todate/0": (input, _args, _machine, span) => isoText(input, span),
  "todateiso8601/0": (input, _args, _machine, span) => isoText(input, span),
  "date/0": (input, _args, _machine, span) => isoText(input, span),
  "fromdate/0": (input, _args, _machine, span) => fromIsoText(input, span),
  "fromdateiso8601/0": (input, _args, _machine, span) => fromIsoText(input, span),
};

function brokenDown(value: Json, span: At): readonly number[] {
  if (typeof value !== "number") return fail("gmtime() requires a number", span);
  const whole = Math.floor(value);
  const date = new Date(whole * 1000);
  if (Number.isNaN(date.getTime()))
    return fail("error converting number of seconds since epoch to datetime", span);
  const year = date.getUTCFullYear();
  const start = new Date(0);
  start.setUTCFullYear(year, 0, 1);
  return [
    year,
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds() + (value - whole),
    date.getUTCDay(),
    Math.floor((date.getTime() - start.getTime()) / 86_400_000),
  ];
}

function seconds(value: Json, span: At): number {
  if (!isArray(value)) return fail("mktime requires array inputs", span);
  const parts = value.slice(0, 6);
  if (value.length < 6 || parts.some((part) => typeof part !== "number")) {
    return fail("mktime requires parsed datetime inputs", span);
  }
  const [year, month, day, hours, minutes, second] = (parts as number[]).map(Math.trunc) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  date.setUTCHours(hours, minutes, second);
  return date.getTime() / 1000;
}

function isoText(value: Json, span: At): string {
  if (typeof value !== "number" && !isArray(value))
    return fail("strftime/1 requires parsed datetime inputs", span);
  const at = typeof value === "number" ? Math.floor(value) : seconds(value, span);
  const date = new Date(at * 1000);
  if (Number.isNaN(date.getTime()))
    return fail("error converting number of seconds since epoch to datetime", span);
  const year = date.getUTCFullYear();
  return `${year < 0 || year > 9999 ? year : String(year).padStart(4, "0")}${date.toISOString().slice(-20, -5)}Z`;
}

const isoDate = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})Z$/;

function fromIsoText(value: Json, span: At): number {
  if (typeof value !== "string") return fail(`strptime/1 requires string inputs and arguments`, span);
  const parts = isoDate.exec(value)?.slice(1).map(Number);
  const [year, month, day, hours, minutes, second] = parts ?? [0, 0, 0, 0, 0, 0];
  const valid =
    parts !== undefined &&
    month! >= 1 &&
    month! <= 12 &&
    day! >= 1 &&
    day! <= 31 &&
    hours! < 24 &&
    minutes! < 60 &&
    second! <= 61;
  if (!valid) return fail(`date ${excerpt(value)} does not match format "%Y-%m-%dT%H:%M:%SZ"`, span);
  return seconds([year!, month! - 1, day!, hours!, minutes!, second!], span);
}
