import { describe, expect, test } from "vitest";
import { cases } from "../../../../test/support/cases.ts";
import { dateTimeAt, instantOf } from "../../src/evaluate/builtins/date-time.ts";
import { evaluate, JqError, type Json } from "../../src/index.ts";
import { Random } from "../differential/random.ts";

const at = (program: string, input: Json, timeZone = "UTC") => {
  try {
    return evaluate(program, input, { timeZone, clock: () => 1425599621.5 });
  } catch (error) {
    return error instanceof JqError ? error.message : error;
  }
};

/** 5 March 2015, a Thursday, 23:53:41 in UTC. */
const moment = 1425599621;

describe("strftime writes each conversion", () => {
  test.each([
    ["%A %a %B %b %h", "Thursday Thu March Mar Mar"],
    ["%Y %C %y %G %g", "2015 20 15 2015 15"],
    ["%m %d %e %j", "03 05  5 064"],
    ["%H %I %k %l %M %S %p %P", "23 11 23 11 53 41 PM pm"],
    ["%u %w %U %V %W", "4 4 09 10 09"],
    ["%D %F %T %R %r", "03/05/15 2015-03-05 23:53:41 23:53 11:53:41 PM"],
    ["%c|%x|%X", "Thu Mar  5 23:53:41 2015|03/05/15|23:53:41"],
    ["%s %Z %z", "1425599621 UTC +0000"],
    ["%%%n%t", "%\n\t"],
    ["%-d|%_d|%05d|%^a|%#Z|%10Y", "5| 5|00005|THU|utc|0000002015"],
    ["%Q%", "%Q%"],
    ["", ""],
  ])("%s", (format, text) => {
    expect(at(`strftime(${JSON.stringify(format)})`, moment)).toEqual([text]);
  });

  test.each([
    // 1 January 2021 belongs to the last week of 2020, 31 December 2018 to the first of 2019.
    [[2021, 0, 1], "%G-W%V-%u", "2020-W53-5"],
    [[2018, 11, 31], "%G-W%V-%u", "2019-W01-1"],
    [[2017, 0, 1], "%U %W", "01 00"],
    [[2024, 1, 30], "%j %a %d", "061 Fri 30"],
    [[5, 0, 1], "%Y", "0005"],
  ])("%j in %s", (time, format, text) => {
    expect(at(`strftime(${JSON.stringify(format)})`, time)).toEqual([text]);
  });
});

describe("strptime reads each conversion", () => {
  test.each([
    ["2015-03-05T23:51:47Z", "%Y-%m-%dT%H:%M:%SZ", [2015, 2, 5, 23, 51, 47, 4, 63]],
    ["Thursday, March 05, 2015", "%A, %B %d, %Y", [2015, 2, 5, 0, 0, 0, 4, 63]],
    ["thu 5 mar 15", "%a %e %b %y", [2015, 2, 5, 0, 0, 0, 4, 63]],
    ["12/31/99", "%D", [1999, 11, 31, 0, 0, 0, 5, 364]],
    ["10:20 PM", "%I:%M %p", [1970, 0, 1, 22, 20, 0, 4, 0]],
    ["12:00 AM", "%I:%M %p", [1970, 0, 1, 0, 0, 0, 4, 0]],
    ["2015 64", "%Y %j", [2015, 2, 5, 0, 0, 0, 4, 63]],
    ["2015 09 4", "%Y %W %u", [2015, 2, 5, 0, 0, 0, 4, 63]],
    ["1425599621", "%s", [2015, 2, 5, 23, 53, 41, 4, 63]],
    ["2015-03-05 23:51:47 +01:30", "%F %T %z", [2015, 2, 5, 23, 51, 47, 4, 63]],
    ["2015-03-05 23:51:47 CET", "%F %T %Z", [2015, 2, 5, 23, 51, 47, 4, 63]],
    ["2015 and more", "%Y", [2015, 0, 1, 0, 0, 0, 4, 0, " and more"]],
    ["20%  15", "%C%% %y", [2015, 0, 1, 0, 0, 0, 4, 0]],
    ["on 5\t\n 3 of 2015", "on%e %-m\tof %EY", [2015, 2, 5, 0, 0, 0, 4, 63]],
    ["+5 +3 -12", "%d %m %Y", [-12, 2, 5, 0, 0, 0, 6, 64]],
    ["a😀b 2015", "a😀b %Y", [2015, 0, 1, 0, 0, 0, 4, 0]],
  ])("%s as %s", (text, format, time) => {
    expect(at(`strptime(${JSON.stringify(format)})`, text)).toEqual([time]);
  });

  test.each([
    ["2015-13-01", "%F"],
    ["2015-3", "%Y-%m-%d"],
    ["x", "%Y"],
    ["Foo", "%a"],
    ["1", "%Q"],
    ["24:00", "%R"],
    ["5", "%d%"],
    ["- 5", "%d"],
    ["a-b", "a b"],
  ])("%s isn't %s", (text, format) => {
    expect(at(`strptime(${JSON.stringify(format)})`, text)).toBe(
      `date ${JSON.stringify(text)} does not match format ${JSON.stringify(format)}`,
    );
  });
});

test("the calendar is that of Date, as far as Date goes", () => {
  const generator = new Random(20261121);
  const random = () => generator.below(2 ** 31) / 2 ** 31;
  const moments = Array.from({ length: cases(20_000) }, () =>
    Math.trunc((random() - 0.5) * 10 ** (random() * 16.3)),
  );
  for (const moment of [0, -1, 951782400000, 8.64e15, -8.64e15 + 366 * 86_400_000, ...moments]) {
    const date = new Date(moment);
    if (Number.isNaN(date.getTime())) {
      expect(dateTimeAt(moment), String(moment)).toBeUndefined();
      continue;
    }
    const at = dateTimeAt(moment)!;
    const year = new Date(moment);
    year.setUTCMonth(0, 1);
    expect(at, String(moment)).toEqual({
      year: date.getUTCFullYear(),
      month: date.getUTCMonth(),
      day: date.getUTCDate(),
      hours: date.getUTCHours(),
      minutes: date.getUTCMinutes(),
      seconds: date.getUTCSeconds(),
      weekday: date.getUTCDay(),
      yearDay: Math.round((date.getTime() - year.getTime()) / 86_400_000),
    });
    // Parts that are out of their range are carried over, both ways.
    const months = Math.trunc((random() - 0.5) * 100);
    const days = Math.trunc((random() - 0.5) * 1000);
    const moved = new Date(0);
    moved.setUTCFullYear(at.year, at.month + months, at.day + days);
    expect(instantOf(at.year, at.month + months, at.day + days), String(moment)).toBe(moved.getTime());
  }
});

test("more formats than are kept", () => {
  const formats = Array.from({ length: 300 }, (_, at) => `%Y ${at}`);
  const program = "[.[] | . as $f | 0 | strftime($f) | strptime($f)[0]] | unique";
  expect(at(program, [...formats, ...formats, `%Y${"x".repeat(2000)}`])).toEqual([[1970]]);
});

describe("conversions", () => {
  test.each<[string, Json, unknown]>([
    ["now", null, [1425599621.5]],
    ["gmtime", 1425599621.25, [[2015, 2, 5, 23, 53, 41.25, 4, 63]]],
    ["gmtime | mktime", -62135596801, [-62135596801]],
    ["mktime", [2024, 1, 30, 25, 61, 61], [1709344921]],
    ["mktime", [2024], [1703980800]],
    ["todate, todateiso8601, date", moment, Array(3).fill("2015-03-05T23:53:41Z")],
    ["fromdate, fromdateiso8601", "2015-03-05T23:51:47Z", [1425599507, 1425599507]],
    ['dateadd("seconds"; 10), datesub("seconds"; 10)', 100, [110, 90]],
    ["todate", 253402300800, ["10000-01-01T00:00:00Z"]],
    ["todate", 1e300, "error converting number of seconds since epoch to datetime"],
    ["gmtime", "x", "gmtime() requires numeric inputs"],
    ["localtime", "x", "localtime() requires numeric inputs"],
    ["mktime", "x", "mktime requires array inputs"],
    ["mktime", ["a"], "mktime requires parsed datetime inputs"],
    ['strftime("%Y")', "x", "strftime/1 requires parsed datetime inputs"],
    ["strftime(1)", 1, "strftime/1 requires a string format"],
    ['strflocaltime("%Y")', {}, "strflocaltime/1 requires parsed datetime inputs"],
    ["strflocaltime(1)", 1, "strflocaltime/1 requires a string format"],
    ["strptime(1)", "1", "strptime/1 requires string inputs and arguments"],
  ])("%s of %j", (program, input, expected) => {
    expect(at(program, input)).toEqual(expected);
  });
});

describe("zones", () => {
  test.each<[string, string, string]>([
    ["America/New_York", "2015-03-05 18:53:41 -0500 EST", "[2015,2,5,18,53,41.5,4,63]"],
    ["Asia/Kolkata", "2015-03-06 05:23:41 +0530 GMT+5:30", "[2015,2,6,5,23,41.5,5,64]"],
    ["UTC", "2015-03-05 23:53:41 +0000 UTC", "[2015,2,5,23,53,41.5,4,63]"],
  ])("%s", (zone, text, local) => {
    expect(at('now | strflocaltime("%F %T %z %Z"), (localtime | tojson)', null, zone)).toEqual([text, local]);
  });

  test("an array is taken for local time, also where clocks are moved", () => {
    const program = 'strflocaltime("%T %z %s")';
    expect(at(program, [2015, 6, 1, 12], "America/New_York")).toEqual(["12:00:00 -0400 1435766400"]);
    // 02:30 doesn't exist on that day.
    expect(at(program, [2015, 2, 8, 2, 30], "America/New_York")).toEqual(["03:30:00 -0400 1425799800"]);
  });
});
